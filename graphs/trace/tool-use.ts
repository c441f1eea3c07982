import type { NodeRef } from '../../runtime/index.js';
import type { ToolInvocation } from '../../schema/index.js';

/** What a use of a tool did, read from its parameters: clients name them differently. */
export interface ToolUse {
  /** The shell command; null for other tools. */
  readonly command: string | null;
  /** The file that it is about, as the client wrote it. */
  readonly file: string | null;
  /** The text that an edit took out; null where it is none. */
  readonly removed: string | null;
  /** The text that an edit put in, or that a file was written with; null where it wrote nothing. */
  readonly added: string | null;
}

/** The parameters' names in the tools of Qwen, Gemini, Claude and Codex, and of the editors they come from. */
const NAMES = {
  command: ['command', 'cmd', 'script'],
  file: ['file_path', 'absolute_path', 'path', 'file', 'filename', 'notebook_path', 'target_file'],
  removed: ['old_string', 'old_str', 'old_text', 'oldText', 'search'],
  added: [
    'new_string',
    'new_str',
    'new_text',
    'newText',
    'replace',
    'content',
    'file_text',
    'new_source',
    'patch',
    'diff',
  ],
} as const satisfies Record<keyof ToolUse, readonly string[]>;

type Params = Readonly<Record<string, unknown>>;

/** Reads what a tool did from its parameters; all null where they do not tell. */
export function toolUse(params: Params | null): ToolUse {
  return {
    command: textOf(params, NAMES.command),
    file: textOf(params, NAMES.file),
    removed: textOf(params, NAMES.removed) ?? textOfEdits(params, NAMES.removed),
    added: textOf(params, NAMES.added) ?? textOfEdits(params, NAMES.added),
  };
}

/** Several replacements in one file are one edit of it. */
function textOfEdits(params: Params | null, names: readonly string[]): string | null {
  const edits: unknown = params?.edits;
  if (!Array.isArray(edits)) return null;
  const texts = edits.flatMap((edit: unknown) => (isParams(edit) ? (textOf(edit, names) ?? []) : []));
  return texts.length > 0 ? texts.join('\n') : null;
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null;
}

/** Every text in parameters, however deep, in their order. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** A longer name is none that anybody calls. */
const LONGEST_NAME = 200;
/** A parameter that is a name: of a function, a method, a module. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|:)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Whether a text is a name that code can have. */
export function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** A command may come as a list of words: `["bash", "-lc", "npm test"]`. */
function textOf(params: Params | null, names: readonly string[]): string | null {
  for (const name of names) {
    const value = params?.[name];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(' ');
  }
  return null;
}

/** What the names of tools say that only look at files. */
const LOOKS = /^(?:read|view|open|cat|get|show|search|find|grep|glob|list|ls|head|tail|stat)/iu;

/**
 * How a tool used its files, as far as it tells; null for commands, which may do anything, for edits that failed, and for
 * tools that neither put something in nor say by their names that they look.
 */
export function fileUse({
  tool_name,
  params_json,
  success,
}: Pick<NodeRef<typeof ToolInvocation>, 'tool_name' | 'params_json' | 'success'>): 'read' | 'write' | null {
  const { command, file, removed, added } = toolUse(params_json);
  if (command !== null || file === null) return null;
  if (added !== null || removed !== null) return success === false ? null : 'write';
  return LOOKS.test(tool_name) ? 'read' : null;
}
