import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, textOf } from '../mcp/client.js';
import { CALLS } from './calls.js';
import { PROJECT } from './project.js';
import { stable } from './stable.js';

/*
 * The five frozen tools as files: `<tool>.json` holds the tool's input schema and, for each call, what is sent and
 * what is answered; what differs from run to run is masked. UPDATE_GOLDEN=1 writes them again: read the difference.
 * A key that goes away or is renamed breaks clients (S3-45); new keys may come.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** What S3 says that a successful answer has, at least. */
const FROZEN: Readonly<Record<string, readonly string[]>> = {
  graph_index_project: ['files_indexed', 'symbols_indexed', 'concepts_indexed', 'duration_ms'],
  graph_update_files: ['files_updated', 'symbols_updated', 'duration_ms'],
  etg_log_event: ['task_id', 'step_id', 'tool_id'],
  etg_query_similar_attempts: ['results', 'summary_markdown'],
  graph_context_for_files: ['context_pack', 'returnDisplay'],
};
const TOOLS = Object.keys(FROZEN);

const scratch = new Scratch();
const found = new Map<string, { input_schema: unknown; calls: Record<string, unknown>[] }>();
const answers: { tool: string; isError: boolean; body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  const root = scratch.write('contract', PROJECT);
  const client = await connect(scratch, ['--root', root, '--profile', 'core,memory']);
  for (const { name, inputSchema } of (await client.listTools()).tools)
    if (TOOLS.includes(name)) found.set(name, { input_schema: inputSchema, calls: [] });
  const mask = stable(root);
  let task = '';
  for (const call of CALLS) {
    const sent = JSON.stringify(call.arguments).replaceAll('$ROOT', root).replaceAll('$TASK', task);
    const answer = await client.callTool({ name: call.tool, arguments: JSON.parse(sent) });
    const body = JSON.parse(textOf(answer));
    const isError = answer.isError === true;
    answers.push({ tool: call.tool, isError, body });
    if (!isError && call.arguments.kind === 'task_start') task = String(body.task_id);
    found.get(call.tool)?.calls.push({
      title: call.title,
      arguments: call.arguments,
      [isError ? 'error' : 'answer']: mask(body),
    });
  }
  await client.close();
});

afterAll(() => scratch.remove());

describe.each(TOOLS)('%s', (tool) => {
  it('takes and answers what stands in its file', () => {
    const file = join(HERE, `${tool}.json`);
    const text = `${JSON.stringify(found.get(tool), null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('answers every key that is frozen, and says what is wrong where it fails', () => {
    const own = answers.filter((answer) => answer.tool === tool);
    for (const { isError, body } of own) {
      const keys = isError ? ['error', 'error_code', 'suggestion', 'provided_input'] : (FROZEN[tool] ?? []);
      expect(Object.keys(body)).toEqual(expect.arrayContaining([...keys]));
    }
    expect(own.some(({ isError }) => !isError)).toBe(true);
  });
});
