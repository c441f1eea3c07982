import { type Node as JsonNode, type ParseError, parseTree } from 'jsonc-parser';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node as YamlNode } from 'yaml';
import type { FileFacts } from '../../facts.js';
import { deepPlace } from '../../json-depth.js';
import { DefinitionList } from './definition-list.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);

/** Where a description in YAML says which version of the format it is in. */
const VERSION = /^["']?(?:openapi|swagger)["']?[ \t]*:/m;

/** The operations and schemas of a description of an HTTP interface: OpenAPI 3 and Swagger 2, in YAML or JSON. */
export function openapiFacts(text: string): FileFacts {
  const list = new DefinitionList(text);
  // A parser of YAML takes seconds to find that something is none: what does not say its version is not given to it.
  const root = /^\s*[{[]/.test(text)
    ? jsonRoot(text, list)
    : VERSION.test(text)
      ? yamlRoot(text, list)
      : null;
  const says = root && (member(root, 'openapi') ?? member(root, 'swagger'));
  if (says) new OpenapiFile(list).read(root);
  return list.facts('openapi', text_(root && member(member(root, 'info'), 'description')));
}

/** A value of either form, read when it is asked for. */
interface Value {
  readonly start: number;
  readonly end: number;
  /** A text or number, as text; null for others. */
  readonly text: string | null;
  /** The members of a map. */
  members(): readonly Member[];
  /** The items of a list. */
  items(): readonly Value[];
}

interface Member {
  readonly key: string;
  /** Where the key is written, behind its quote. */
  readonly at: number;
  readonly start: number;
  readonly value: Value;
}

class OpenapiFile {
  constructor(private readonly list: DefinitionList) {}

  read(root: Value): void {
    for (const { key, value } of root.members())
      if (key === 'paths' || key === 'webhooks') for (const path of value.members()) this.#path(path);
      else if (key === 'definitions') for (const one of value.members()) this.#schema(one);
      else if (key === 'components')
        for (const one of member(value, 'schemas')?.members() ?? []) this.#schema(one);
  }

  #path({ key: path, value }: Member): void {
    for (const { key, at, start, value: operation } of value.members()) {
      if (!METHODS.has(key) || this.list.isFull) continue;
      const id = text_(member(operation, 'operationId'));
      const docstring = [text_(member(operation, 'summary')), text_(member(operation, 'description'))]
        .flatMap((one) => one?.trim() || [])
        .join('\n\n');
      const route = `${key.toUpperCase()} ${path}`;
      const index = this.list.add({ form: 'function', name: id ?? route, at: [start, at], docstring });
      this.list.close(index, operation.end);
      const definition = this.list.get(index);
      if (definition) definition.signature = id === null ? route : `${id}: ${route}`;
      if (id !== null) this.list.offer(index);
      this.#refer(index, operation, 0);
    }
  }

  #schema({ key: name, at, start, value }: Member): void {
    if (this.list.isFull) return;
    const docstring = text_(member(value, 'description')) ?? text_(member(value, 'title'));
    const isEnum = member(value, 'enum') !== undefined;
    const subkind = isEnum ? 'enum' : null;
    const index = this.list.add({ form: 'class', subkind, name, at: [start, at], docstring });
    this.list.close(index, value.end, start);
    const definition = this.list.get(index);
    const type = text_(member(value, 'type'));
    if (definition) definition.signature = type === null ? name : `${name}: ${type}`;
    this.list.offer(index);
    for (const part of [value, ...(member(value, 'allOf')?.items() ?? [])])
      for (const property of member(part, 'properties')?.members() ?? []) this.#property(index, property);
    for (const one of value.members())
      if (one.key !== 'properties' && one.key !== 'allOf') this.#referMember(index, one, 0);
    for (const part of member(value, 'allOf')?.items() ?? [])
      for (const one of part.members()) if (one.key !== 'properties') this.#referMember(index, one, 0);
  }

  #property(parent: number, { key: name, at, start, value }: Member): void {
    if (this.list.isFull) return;
    const docstring = text_(member(value, 'description'));
    const type = text_(member(value, 'type')) ?? text_(member(value, '$ref'))?.replace(/^.*\//, '') ?? null;
    const index = this.list.add({
      form: 'variable',
      name,
      parent,
      at: [start, at],
      docstring,
      value_type: type,
    });
    this.list.close(index, value.end, start);
    const definition = this.list.get(index);
    if (definition) definition.signature = type === null ? name : `${name}: ${type}`;
    this.#refer(index, value, 0);
  }

  /** Takes in the schemas that a value names. */
  #refer(from: number, value: Value, depth: number): void {
    if (depth > DEEPEST) return;
    for (const one of value.members()) this.#referMember(from, one, depth);
    for (const one of value.items()) this.#refer(from, one, depth + 1);
  }

  #referMember(from: number, { key, value }: Member, depth: number): void {
    const name = key === '$ref' ? /(?:schemas|definitions)\/([^/]+)$/.exec(value.text ?? '')?.[1] : undefined;
    if (name !== undefined) this.list.refer(from, name, value.start);
    else this.#refer(from, value, depth + 1);
  }
}

/** Values in values that are looked at. */
const DEEPEST = 40;

function member(value: Value | null | undefined, key: string): Value | undefined {
  return value?.members().find((one) => one.key === key)?.value;
}

/** What a value says that is a text. */
function text_(value: Value | null | undefined): string | null {
  return value?.text ?? null;
}

const NOTHING: Value = { start: 0, end: 0, text: null, members: () => [], items: () => [] };

function jsonRoot(text: string, list: DefinitionList): Value | null {
  const tooDeep = deepPlace(text);
  if (tooDeep !== null) {
    list.wrong(tooDeep);
    return null;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const { offset } of errors) list.wrong(offset);
  return root ? jsonValue(root) : null;
}

function jsonValue({ type, offset, length, value, children = [] }: JsonNode): Value {
  return {
    start: offset,
    end: offset + length,
    text: type === 'string' || type === 'number' ? String(value) : null,
    members: () =>
      type !== 'object'
        ? []
        : children.flatMap(({ children: [key, one] = [] }) =>
            key && one
              ? { key: String(key.value), at: key.offset + 1, start: key.offset, value: jsonValue(one) }
              : [],
          ),
    items: () => (type === 'array' ? children.map(jsonValue) : []),
  };
}

/** Blanks in front of a line, and brackets that it opens, that no description needs: deeper ones end the parser's stack. */
const WIDEST = 400;
const MOST_BRACKETS = 100;

/** The offset of a line that nests too deep; null where there is none. */
function deepLine(text: string): number | null {
  let [line, indent, brackets] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n') [line, indent, brackets] = [at + 1, 0, 0];
    else if (at === line + indent && (character === ' ' || character === '-')) indent += 1;
    else if (character === '[' || character === '{') brackets += 1;
    else if (character === ']' || character === '}') brackets -= 1;
    if (indent > WIDEST || brackets > MOST_BRACKETS) return line;
  }
  return null;
}

function yamlRoot(text: string, list: DefinitionList): Value | null {
  const tooDeep = deepLine(text);
  if (tooDeep !== null) {
    list.wrong(tooDeep);
    return null;
  }
  try {
    const { contents, errors } = parseDocument(text, {
      ...{
        strict: false,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
        keepSourceTokens: false,
      },
    });
    for (const { pos } of errors) list.wrong(pos[0]);
    return contents ? yamlValue(contents) : null;
  } catch (thrown) {
    // Its stack ends in what is nested too deep, and it knows no error for some damaged texts.
    list.wrong(0);
    if (thrown instanceof Error) return null;
    throw thrown;
  }
}

function yamlValue(node: YamlNode | null | undefined): Value {
  if (!node || isAlias(node)) return NOTHING;
  const [start = 0, end = start] = node.range ?? [];
  return {
    start,
    end,
    text: isScalar(node) && ['string', 'number'].includes(typeof node.value) ? String(node.value) : null,
    members: () =>
      isMap<YamlNode, YamlNode | null>(node)
        ? node.items.flatMap(({ key, value }) => {
            if (!isScalar(key)) return [];
            const at = key.range?.[0] ?? start;
            const quoted = key.type === 'QUOTE_DOUBLE' || key.type === 'QUOTE_SINGLE' ? 1 : 0;
            const made = value ? yamlValue(value) : { ...NOTHING, start: at, end: key.range?.[1] ?? at };
            return { key: String(key.value), at: at + quoted, start: at, value: made };
          })
        : [],
    items: () => (isSeq<YamlNode>(node) ? node.items.map(yamlValue) : []),
  };
}
