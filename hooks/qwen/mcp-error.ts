import { at } from '../read-payload.js';
import { textsOf } from '../texts.js';

/** How Qwen wraps the error of an MCP tool. */
const WRAPPED = /^MCP tool '[^']*' reported tool error for function call: [\s\S]*? with response: (?=\[)/u;

/** What an MCP tool itself said, where Qwen wrapped it in call and response; other texts as they are. */
export function mcpErrorText(text: string): string {
  const wrapped = WRAPPED.exec(text.slice(0, 100_000))?.[0];
  if (wrapped === undefined) return text;
  try {
    const parts: unknown = JSON.parse(text.slice(wrapped.length));
    const [part]: unknown[] = Array.isArray(parts) ? parts : [];
    const response = at(part, 'functionResponse', 'response');
    return textsOf(at(response, 'error', 'content')) ?? textsOf(at(response, 'content')) ?? text;
  } catch {
    return text;
  }
}
