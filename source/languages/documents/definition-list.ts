import { LIMITS } from '../../../schema/index.js';
import type { Definition, FileFacts } from '../../facts.js';
import { TextLines } from '../../text-lines.js';

/** Most definitions of one file. */
const MOST = 20_000;

/** What is known of a definition where it begins. */
export interface Written extends Partial<Definition> {
  readonly form: Definition['form'];
  readonly name: string;
  /** What is in front of its name in its qualified one: of its parent, or a package. */
  readonly within?: string;
  /** Of all of it, and of its name; the second ends its head unless {@link DefinitionList.close} says more. */
  readonly at: readonly [start: number, name: number];
  readonly parent?: number | null;
}

/** The definitions of one text as they are found, in its order. */
export class DefinitionList {
  readonly #lines: TextLines;
  readonly #definitions: Definition[] = [];
  readonly #references: FileFacts['references'] = [];
  readonly #imports: FileFacts['imports'] = [];
  readonly #exports: FileFacts['exports'] = [];
  readonly #starts: number[] = [];
  readonly #ordinals = new Map<string, number>();
  readonly #wrong = new Set<number>();

  constructor(private readonly text: string) {
    this.#lines = new TextLines(text);
  }

  /** Whether no more definitions are taken. */
  get isFull(): boolean {
    return this.#definitions.length >= MOST;
  }

  get(index: number): Definition | undefined {
    return this.#definitions[index];
  }

  /** Takes in a definition, which ends where its name does until {@link close} says where. Its number. */
  add({ at: [start, named], within = '', ...written }: Written): number {
    const { name, form, parent = null } = written;
    const prefix = parent === null ? within : (this.#definitions[parent]?.qualname ?? '');
    const qualname = prefix === '' ? name : `${prefix}.${name}`;
    const key = `${form}:${qualname}`;
    const ordinal = (this.#ordinals.get(key) ?? 0) + 1;
    this.#ordinals.set(key, ordinal);
    this.#starts.push(start);
    return (
      this.#definitions.push({
        ...plain(),
        scope: form === 'variable' ? (parent === null ? 'module' : 'class') : null,
        signature: folded(name),
        ...written,
        docstring: written.docstring || null,
        qualname,
        ordinal,
        parent,
        span: this.#lines.span(start, named + name.length),
        name_line: this.#lines.lineAt(named),
      }) - 1
    );
  }

  /**
   * Says where a definition ends.
   *
   * @param head Where its head ends, which is its signature; absent: it is its own head.
   */
  close(index: number, end: number, head = end): void {
    const [definition, start = 0] = [this.#definitions[index], this.#starts[index]];
    if (!definition) return;
    definition.span = this.#lines.span(start, Math.max(end, start));
    definition.signature = folded(this.text.slice(start, Math.max(head, start)));
  }

  /** Says that others find a definition by its name. */
  offer(index: number): void {
    const definition = this.#definitions[index];
    if (!definition) return;
    const { name, name_line: line } = definition;
    definition.exported = true;
    this.#exports.push({ name, local: null, module: null, definition: index, line });
  }

  /** Takes in a type that a definition names, as written. */
  refer(from: number | null, written: string, at: number): void {
    const path = written.replace(/^\.+/, '').split('.');
    const name = path.pop() ?? '';
    if (name === '') return;
    const receiver = path.length === 0 ? null : path.join('.').slice(0, LIMITS.expression.max);
    this.#references.push({
      kind: 'type',
      name,
      receiver,
      receiver_form: receiver === null ? 'none' : 'path',
      from,
      ...this.#lines.placeAt(at),
      expression: written.slice(0, LIMITS.expression.max),
      local: false,
      arguments: null,
      // Every reference has the same shape.
      on: undefined,
      callee: undefined,
      types: undefined,
      values: undefined,
    });
  }

  /** Takes in another document that is named by its path. */
  import(module: string, at: number): void {
    const place = this.#lines.placeAt(at);
    this.#imports.push({ module, kind: 'import', type_only: false, names: [], from: null, ...place });
  }

  /** Notes that something is wrong at an offset. */
  wrong(offset: number): void {
    if (this.#wrong.size < LIMITS.syntaxErrors.max)
      this.#wrong.add(this.#lines.lineAt(Math.min(offset, Math.max(0, this.text.trimEnd().length - 1))));
  }

  facts(language: string, docstring: string | null = null): FileFacts {
    return {
      language,
      docstring: docstring || null,
      lines: this.#lines.count,
      definitions: this.#definitions,
      references: this.#references,
      imports: this.#imports,
      exports: this.#exports,
      types: [],
      flows: [],
      comments: [],
      tests: [],
      routes: [],
      keys: [],
      syntax_errors: [...this.#wrong].sort((a, b) => a - b),
    };
  }
}

/** What no document says of a definition. */
const plain = () => ({
  subkind: null,
  decorators: [],
  is_async: false,
  is_generator: false,
  is_static: false,
  is_abstract: false,
  visibility: 'public' as const,
  exported: false,
  declaration_only: false,
  bases: [],
  parameters: [],
  return_type: null,
  value_type: null,
  is_constant: false,
});

function folded(text: string): string {
  const { max } = LIMITS.signature;
  const line = text
    .slice(0, max * 8)
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s{;,])[\s{;,]+$/, '')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
