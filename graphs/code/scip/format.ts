import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** What is written of a symbol at a place (`SymbolRole` of scip.proto). */
export const ROLE = { definition: 1, write: 4 } as const;

/** How columns are counted: from bytes of UTF-8, or from characters. Indexes that do not say it count UTF-16. */
type Columns = 'utf8' | 'utf16' | 'utf32';

const COLUMNS: Readonly<Record<number, Columns>> = { 1: 'utf8', 2: 'utf16', 3: 'utf32' };

/** One place of a document where a symbol stands. */
export interface ScipOccurrence {
  /** From 0. */
  readonly line: number;
  /** From 0, in the document's columns. */
  readonly column: number;
  /** Exclusive; null where the range ends on another line. */
  readonly end_column: number | null;
  readonly symbol: string;
  /** Bits of {@link ROLE}. */
  readonly roles: number;
}

/** One source file of an index. */
export interface ScipDocument {
  /** Relative to the index's root, as written. */
  readonly path: string;
  readonly language: string;
  readonly columns: Columns;
  readonly occurrences: readonly ScipOccurrence[];
  /** What a symbol implements or overrides, by symbol. */
  readonly implemented: ReadonlyMap<string, readonly string[]>;
}

/** What an index says of itself. */
export interface ScipMetadata {
  /** The indexer's name; empty where it has none. */
  readonly tool: string;
  /** A `file:` URL; empty where it has none. */
  readonly root: string;
}

/**
 * The messages of an index (scip.proto of github.com/sourcegraph/scip): its metadata, and its documents one by one, so that
 * only one of them is in memory.
 *
 * @throws Error where the bytes are no protobuf.
 */
export function* scipParts(bytes: Uint8Array): Generator<ScipMetadata | ScipDocument> {
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 1) yield metadataIn(reader.bytes());
    else if (field === 2) yield documentIn(reader.bytes());
  }
}

/** Each field of a message with a reader in front of its value; one whose value is not read is skipped. */
function* fieldsOf(bytes: Uint8Array): Generator<{ field: number; wire: WireType; reader: BinaryReader }> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    const at = reader.pos;
    yield { field, wire, reader };
    if (reader.pos === at) reader.skip(wire, field);
  }
}

function metadataIn(bytes: Uint8Array): ScipMetadata {
  let tool = '';
  let root = '';
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 3) root = reader.string();
    else if (field === 2) {
      for (const one of fieldsOf(reader.bytes())) if (one.field === 1) tool = one.reader.string();
    }
  }
  return { tool, root };
}

function documentIn(bytes: Uint8Array): ScipDocument {
  let path = '';
  let language = '';
  let columns: Columns = 'utf16';
  const occurrences: ScipOccurrence[] = [];
  const implemented = new Map<string, string[]>();
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 1) path = reader.string();
    else if (field === 4) language = reader.string();
    else if (field === 6) columns = COLUMNS[reader.int32()] ?? 'utf16';
    else if (field === 2) {
      const one = occurrenceIn(reader.bytes());
      if (one) occurrences.push(one);
    } else if (field === 3) {
      const [symbol, behind] = implementedIn(reader.bytes());
      if (behind.length > 0) implemented.set(symbol, behind);
    }
  }
  return { path, language, columns, occurrences, implemented };
}

/** Null for one without a symbol, which only colours the text. */
function occurrenceIn(bytes: Uint8Array): ScipOccurrence | null {
  const range: number[] = [];
  let symbol = '';
  let roles = 0;
  for (const { field, wire, reader } of fieldsOf(bytes)) {
    if (field === 1 && wire === WireType.LengthDelimited) {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) range.push(reader.int32());
    } else if (field === 1) range.push(reader.int32());
    else if (field === 2) symbol = reader.string();
    else if (field === 3) roles = reader.int32();
  }
  const [line, column, third, fourth] = range;
  if (symbol === '' || line === undefined || column === undefined || third === undefined) return null;
  const isOneLine = fourth === undefined || third === line;
  return { line, column, end_column: isOneLine ? (fourth ?? third) : null, symbol, roles };
}

function implementedIn(bytes: Uint8Array): [symbol: string, implemented: string[]] {
  let symbol = '';
  const implemented: string[] = [];
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 1) symbol = reader.string();
    else if (field === 4) {
      let other = '';
      let isImplementation = false;
      for (const one of fieldsOf(reader.bytes())) {
        if (one.field === 1) other = one.reader.string();
        else if (one.field === 3) isImplementation = one.reader.bool();
      }
      if (isImplementation) implemented.push(other);
    }
  }
  return [symbol, implemented];
}

/** One part of a symbol's name: `Store` as a type, `get` as a method. */
export interface Descriptor {
  readonly name: string;
  readonly kind: 'namespace' | 'type' | 'term' | 'method' | 'macro' | 'meta' | 'type-parameter' | 'parameter';
}

const SUFFIXES: Readonly<Record<string, Descriptor['kind']>> = {
  '/': 'namespace',
  '#': 'type',
  '.': 'term',
  '!': 'macro',
  ':': 'meta',
};

/** The last part of a symbol's name; null for one that is local to its document, or written in no way that we know. */
export function lastDescriptor(symbol: string): Descriptor | null {
  if (symbol.startsWith('local ')) return null;
  // Scheme, manager, package and version: each ends at a blank that is not doubled.
  const rest = /^(?:(?:[^ ]| {2})* (?! )){4}/.exec(symbol);
  if (!rest) return null;
  const text = symbol.slice(rest[0].length);
  const part =
    /\[(`(?:[^`]|``)*`|[\w+$-]+)\]|\((`(?:[^`]|``)*`|[\w+$-]+)\)|(`(?:[^`]|``)*`|[\w+$-]+)(\([\w+$-]*\)\.|[/#.!:])/y;
  let last: Descriptor | null = null;
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [, typeParameter, parameter, named = '', suffix = ''] = found;
    const name = (typeParameter ?? parameter ?? named).replace(/^`|`$/g, '').replaceAll('``', '`');
    if (typeParameter !== undefined) last = { name, kind: 'type-parameter' };
    else if (parameter !== undefined) last = { name, kind: 'parameter' };
    else last = { name, kind: SUFFIXES[suffix] ?? 'method' };
  }
  return last;
}

/**
 * The symbol of ours with these descriptors, in the format's own form.
 *
 * @param descriptors each with its number among those of one name, from 1.
 */
export function scipSymbol(descriptors: readonly (Descriptor & { readonly ordinal: number })[]): string {
  const shown = descriptors.map(({ name, kind, ordinal }) => {
    const isAgain = ordinal > 1;
    if (kind === 'method') return `${identifier(name)}(${isAgain ? `+${ordinal - 1}` : ''}).`;
    const [suffix = '.'] = Object.entries(SUFFIXES).find(([, one]) => one === kind) ?? [];
    return identifier(isAgain ? `${name}~${ordinal}` : name) + suffix;
  });
  return `codewalk . . . ${shown.join('')}`;
}

function identifier(name: string): string {
  return /^[\w+$-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** The bytes of an index's metadata, with the field's tag. */
export function metadataBytes({ tool, root }: ScipMetadata): Uint8Array {
  const info = new BinaryWriter().tag(1, WireType.LengthDelimited).string(tool);
  const metadata = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(info.finish());
  metadata.tag(3, WireType.LengthDelimited).string(root);
  // Texts are UTF-8.
  metadata.tag(4, WireType.Varint).int32(1);
  return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(metadata.finish()).finish();
}

/** A symbol as an index describes it. */
export interface ScipSymbol {
  readonly symbol: string;
  readonly documentation: readonly string[];
  readonly implemented: readonly string[];
}

/** The bytes of a document whose columns count UTF-16, with the field's tag. */
export function documentBytes(
  { path, language, occurrences }: Omit<ScipDocument, 'columns' | 'implemented'>,
  symbols: readonly ScipSymbol[],
): Uint8Array {
  const document = new BinaryWriter().tag(1, WireType.LengthDelimited).string(path);
  for (const { line, column, end_column, symbol, roles } of occurrences) {
    const range = new BinaryWriter().int32(line).int32(column);
    range.int32(end_column ?? column);
    const one = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(range.finish());
    one.tag(2, WireType.LengthDelimited).string(symbol);
    if (roles !== 0) one.tag(3, WireType.Varint).int32(roles);
    document.tag(2, WireType.LengthDelimited).bytes(one.finish());
  }
  for (const { symbol, documentation, implemented } of symbols) {
    const one = new BinaryWriter().tag(1, WireType.LengthDelimited).string(symbol);
    for (const text of documentation) one.tag(3, WireType.LengthDelimited).string(text);
    for (const other of implemented) {
      const relation = new BinaryWriter().tag(1, WireType.LengthDelimited).string(other);
      relation.tag(3, WireType.Varint).bool(true);
      one.tag(4, WireType.LengthDelimited).bytes(relation.finish());
    }
    document.tag(3, WireType.LengthDelimited).bytes(one.finish());
  }
  document.tag(4, WireType.LengthDelimited).string(language);
  document.tag(6, WireType.Varint).int32(2);
  return new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(document.finish()).finish();
}
