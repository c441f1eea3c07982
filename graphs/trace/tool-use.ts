/** What a tool use did, read from its parameters, which clients name differently. */
export interface ToolUse {
  /** The shell command; null for other tools. */
  readonly command: string | null;
  readonly file: string | null;
  /** The text that an edit took out; null where it is none. */
  readonly removed: string | null;
  /** The text that an edit put in, or that a file was written with; null where it wrote nothing. */
  readonly added: string | null;
  /** What a person reported to have done, in words; null: it is no report. */
  readonly reported: string | null;
}

/** A tool use of which no parameters are known. */
export const NO_USE: ToolUse = { command: null, file: null, removed: null, added: null, reported: null };

type Params = Readonly<Record<string, unknown>>;

/** The parameters' names in the tools of Qwen, Gemini, Claude and Codex, and of the editors they come from. */
const NAMES = {
  command: 'command cmd script',
  file: 'file_path absolute_path path file filename notebook_path target_file',
  removed: 'old_string old_str old_text oldText search',
  added: 'new_string new_str new_text newText replace content file_text new_source patch diff',
};

/** Reads what a tool did from its parameters; all null where they do not tell. */
export function toolUse(params: Params | null): ToolUse {
  return {
    command: textOf(params, NAMES.command),
    file: textOf(params, NAMES.file),
    removed: textOf(params, NAMES.removed) ?? textOfEdits(params, NAMES.removed),
    added: textOf(params, NAMES.added) ?? textOfEdits(params, NAMES.added),
    reported: textOf(params, 'reported_fix'),
  };
}

function textOfEdits(params: Params | null, names: string): string | null {
  const edits = Array.isArray(params?.edits) ? params.edits : [];
  const texts = edits.flatMap((edit: unknown) => textOf(Object(edit), names) ?? []);
  return texts.length > 0 ? texts.join('\n') : null;
}

/** A command may come as a list of words: `["bash", "-lc", "npm test"]`. */
function textOf(params: Params | null, names: string): string | null {
  for (const name of names.split(' ')) {
    const value = params?.[name];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(' ');
  }
  return null;
}

/** Every text in parameters, however deep, in their order. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** A parameter that is a name: of a function, a method, a module. A longer one is none that anybody calls. */
const LONGEST_NAME = 200;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|:)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Whether a text is a name that code can have. */
export function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

/** Names of tools that only look at files, and of tools that change them; of an MCP tool the part after its server. */
const LOOKS = /^(?:read|view|open|cat|get|show|search|find|grep|glob|list|ls|head|tail|stat)/iu;
const CHANGES =
  /^(?:edit|write|replace|create|insert|apply|patch|multi_?edit|notebook_?edit|str_?replace|update|delete|remove|rename)/iu;
/** Roles of steps that change nothing, and of those that change the project. */
const LOOKING: ReadonlySet<string | null> = new Set(['reading', 'planning']);
const CHANGING: ReadonlySet<string | null> = new Set(['editing', 'refactoring', 'docs']);

/** How a tool other than a shell uses its files; null where neither its parameters, its role nor its name say. */
export function usageOf(
  toolName: string,
  { command, file, added, removed }: ToolUse,
  role: string | null = null,
): 'read' | 'write' | null {
  if (command !== null) return null;
  const isEdit = file !== null && (added !== null || removed !== null);
  if (isEdit || CHANGING.has(role)) return 'write';
  const name = toolName.slice(toolName.lastIndexOf('__') + 1).replace(/^_/u, '');
  if (LOOKING.has(role) || LOOKS.test(name)) return 'read';
  return CHANGES.test(name) ? 'write' : null;
}

/** Files that people read, and that no test runs. */
const PROSE =
  /\.(?:mdx?|markdown|rst|adoc|asciidoc|org)$|(?:^|\/)(?:readme|changelog|changes|license|notice|authors|todo|notes)(?:\.txt)?$|(?:^|\/)(?:docs?|documentation)\/[^/]*\.txt$/iu;

/** Whether a path is that of a text for people. */
export function isProse(path: string): boolean {
  return PROSE.test(path);
}

/** What makes a test, or all others, not run: in JavaScript, in Python, and in Go, Rust, Java, C# and PHP. */
const SKIPS = [
  /^(?:test|it|describe|suite)(?:\.\w{1,20}){0,3}(?:\.(?:skip|todo|only|fixme|fails|failing|skipIf|runIf)\b|\(.*\b(?:skip|todo|only) ?:)/u,
  /^(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(\s*['"`]/u,
  /\bpytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest\(/u,
  /\b[tb]\.Skip(?:f|Now)?\(|#\[ignore\b|@(?:Disabled|Ignore)\b|\[Ignore\b|^\[\w{1,40}\(.*\bSkip ?=|\bmarkTest(?:Skipped|Incomplete)\b/u,
];
const AROUND = /^(?:import|from|using|use)\b|^[)}\]};,]*$/u;

/** Whether an edit does nothing but make tests not run: all of its new lines say so. */
export function onlySkips({ removed, added }: Pick<ToolUse, 'removed' | 'added'>): boolean {
  const lines = (text: string | null) => (text ?? '').split('\n').map((line) => line.trim());
  const before = lines(removed);
  const fresh = lines(added).filter((line) => !before.includes(line) && !AROUND.test(line));
  return fresh.length > 0 && fresh.every((line) => SKIPS.some((mark) => mark.test(line)));
}
