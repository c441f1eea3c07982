import type { NodeType } from '../../../runtime/index.js';
import { CodeSymbol, Concept, File, isA, Memory, Step, Task } from '../../../schema/index.js';
import type { EmbeddedKind } from '../../../search/index.js';

/** Counts changes of how texts are made: of another version, other vectors. */
export const TEXTS_VERSION = 1;

/** Symbols that S2-21 names, and what they are used as: no keys of configurations, no variables. */
const EMBEDDED_SYMBOLS: ReadonlySet<unknown> = new Set([
  'function',
  'method',
  'class',
  'component',
  'test',
  'route',
]);
/** Characters of the parts of a task's or memory's text, so that each has a place in it. */
const LONGEST_PART = 1500;
const LONGEST_ERROR = 300;
const MOST_ERRORS = 4;
const MOST_PATHS = 30;

/** A node's own properties, as they are stored. */
type Props = Readonly<Record<string, unknown>>;

/** The kind under which vectors of nodes of an archetype are kept; null: nodes of it have none. */
export function embeddedKind(archetype: NodeType, props: Props): EmbeddedKind | null {
  if (isA(archetype, File)) return 'File';
  if (isA(archetype, CodeSymbol)) return EMBEDDED_SYMBOLS.has(props.kind) ? 'Symbol' : null;
  if (isA(archetype, Concept)) return 'Concept';
  if (isA(archetype, Task)) return 'Task';
  if (isA(archetype, Step)) return 'Step';
  return isA(archetype, Memory) ? 'Memory' : null;
}

/**
 * What is embedded of a node: of code in the form and order of S2-20, without its body (ruling X-22); of a task or step
 * its prompt, summary, errors and paths (S3-32). Empty where there is nothing to say.
 *
 * @param errors What went wrong in a task or step.
 */
export function embeddedText(kind: EmbeddedKind, props: Props, errors: readonly string[]): string {
  switch (kind) {
    case 'File':
      return codeText(props.is_module === true ? 'module' : 'file', props, 1);
    case 'Symbol':
      return codeText(text(props.kind), props, props.start_line);
    case 'Concept':
      return lines(
        ['KIND', 'concept'],
        ['NAME', text(props.label)],
        ['DESCRIPTION', text(props.description)],
      );
    case 'Task':
      return work('task', [text(props.user_prompt), text(props.summary)], errors, props.files_touched);
    case 'Step':
      return work('step', [text(props.llm_summary)], errors, props.files_touched);
    case 'Memory':
      return lines(
        ['KIND', text(props.type)],
        ['TITLE', text(props.title)],
        ['SUMMARY', text(props.summary)],
        ['TAGS', texts(props.tags).join(', ')],
        ['CONTENT', text(props.content)],
      );
  }
}

/** S2-20: these fields in this order; a field without a value stands there all the same. */
function codeText(kind: string, props: Props, line: unknown): string {
  return [
    `KIND: ${kind}`,
    `NAME: ${text(props.name)}`,
    `QUALNAME: ${text(props.qualified_name)}`,
    `MODULE: ${text(props.path)}`,
    `LINE: ${line}`,
    `DOCSTRING: ${text(props.docstring)}`,
  ].join('\n');
}

function work(kind: string, said: readonly string[], errors: readonly string[], touched: unknown): string {
  const told = said.map((one) => one.trim().slice(0, LONGEST_PART)).filter((one) => one !== '');
  const failures = errors.slice(0, MOST_ERRORS).map((error) => error.slice(0, LONGEST_ERROR));
  if (told.length === 0 && failures.length === 0) return '';
  const paths = texts(touched).slice(0, MOST_PATHS);
  return lines(
    ['KIND', kind],
    ...told.map((one) => ['TEXT', one] as const),
    ...failures.map((error) => ['ERROR', error] as const),
    ['FILES', paths.join(', ')],
  );
}

function lines(...fields: readonly (readonly [name: string, value: string])[]): string {
  return fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
