import type {
  Base,
  CommentTag,
  Definition,
  ExportFact,
  FileFacts,
  ImportedName,
  ImportFact,
  KeyFact,
  Parameter,
  Reference,
  RouteFact,
  RouteName,
  Span,
  TableUse,
  TestFact,
  TypeFact,
} from '../facts.js';
import { keyReference } from '../facts.js';
import type { FlowFact } from '../flow-facts.js';
import { checkUnit } from '../ir/index.js';
import { ByteReader } from './byte-reader.js';
import { WORDS } from './words.js';

/**
 * Facts from their bytes. Every fact of a kind has the same fields in the same order, undefined where it says nothing:
 * one shape for whoever reads many of them.
 *
 * @throws SyntaxError for bytes that `factsToBytes` did not write
 */
export function factsFromBytes(bytes: Uint8Array): FileFacts {
  const from = new ByteReader(bytes);
  const docstring = from.maybeText();
  const lines = from.number();
  const language = from.text();
  const definitions = from.list(readDefinition);
  const imports = from.list(readImport);
  const exports = from.list(readExport);
  const types = from.list(readType);
  const flows = from.list(readFlow);
  const references = from.list(readReference);
  const comments = from.list(readComment);
  const tests = from.list(readTest);
  const routes = from.list(readRoute);
  const keys = from.list(readKey);
  const tables = from.list(readTable);
  const syntax_errors = from.list(readNumber);
  from.close();
  if (from.attached) checkAttached(from.attached, definitions, references.length, imports.length);
  return {
    language,
    docstring,
    lines,
    definitions,
    references,
    imports,
    exports,
    types,
    flows,
    comments,
    tests,
    routes,
    keys,
    tables: tables.length > 0 ? tables : undefined,
    syntax_errors,
    unit: from.attached,
  };
}

/** @throws SyntaxError for a unit that was not written with these facts. */
function checkAttached(
  unit: Uint8Array,
  definitions: readonly Definition[],
  names: number,
  imports: number,
): void {
  const bases = definitions.reduce((sum, one) => sum + one.bases.length, 0);
  try {
    checkUnit(unit, { symbols: definitions.length, bases, names, imports });
  } catch (cause) {
    throw new SyntaxError('These bytes hold a unit that is damaged.', { cause });
  }
}

function readDefinition(from: ByteReader): Definition {
  const form = from.word(WORDS.form);
  const subkind = from.word(WORDS.subkind);
  const name = from.text();
  const qualname = from.text();
  const ordinal = from.number();
  const parent = from.maybeNumber();
  const block = readMaybeSpan(from) ?? null;
  const own_name = from.maybeText() ?? undefined;
  const branch = readMaybeLines(from);
  const span = readSpan(from);
  const name_line = from.number();
  const signature = from.text();
  const docstring = from.maybeText();
  const decorators = from.list(readText);
  const flags = from.number();
  return {
    form,
    subkind,
    name,
    qualname,
    ordinal,
    parent,
    block,
    is_property: (flags & 128) !== 0,
    is_component: (flags & 256) !== 0 || undefined,
    own_name,
    branch,
    span,
    name_line,
    signature,
    docstring,
    decorators,
    is_async: (flags & 64) !== 0,
    is_generator: (flags & 32) !== 0,
    is_static: (flags & 16) !== 0,
    is_abstract: (flags & 8) !== 0,
    visibility: from.word(WORDS.visibility),
    exported: (flags & 4) !== 0,
    declaration_only: (flags & 2) !== 0,
    bases: from.list(readBase),
    parameters: from.list(readParameter),
    return_type: from.maybeText(),
    type_parameters: from.maybeText() ?? undefined,
    value_type: from.maybeText(),
    scope: from.word(WORDS.scope),
    is_constant: (flags & 1) !== 0,
  };
}

function readBase(from: ByteReader): Base {
  return {
    name: from.text(),
    relation: from.word(WORDS.relation),
    type_arguments: from.maybeText() ?? undefined,
    line: from.number(),
  };
}

function readParameter(from: ByteReader): Parameter {
  const name = from.text();
  const type = from.maybeText();
  const flags = from.number();
  return { name, type, optional: (flags & 2) !== 0, rest: (flags & 1) !== 0 };
}

function readReference(from: ByteReader): Reference {
  const told = from.number();
  const kind = WORDS.reference[told >> 1];
  if (kind === undefined) throw new SyntaxError('These bytes tell no kind of reference.');
  const name = from.text();
  if (told & 1) {
    const [owner, line, column] = [from.maybeNumber(), from.number(), from.number()];
    return keyReference(kind, name, { from: owner, line, column }, from.data());
  }
  return {
    kind,
    name,
    receiver: from.maybeText(),
    receiver_form: from.word(WORDS.receiver),
    from: from.maybeNumber(),
    line: from.number(),
    column: from.number(),
    expression: from.text(),
    local: from.number() === 1,
    arguments: from.maybeNumber(),
    on: from.data(),
    callee: from.data(),
    types: from.maybeText() ?? undefined,
    values: from.data(),
  };
}

function readImport(from: ByteReader): ImportFact {
  return {
    module: from.text(),
    kind: from.word(WORDS.import),
    type_only: from.number() === 1,
    names: from.list(readName),
    from: from.maybeNumber(),
    line: from.number(),
    column: from.number(),
  };
}

function readName(from: ByteReader): ImportedName {
  return { imported: from.text(), local: from.maybeText() };
}

function readExport(from: ByteReader): ExportFact {
  return {
    name: from.text(),
    local: from.maybeText(),
    module: from.maybeText(),
    definition: from.maybeNumber() ?? undefined,
    line: from.number(),
  };
}

function readType(from: ByteReader): TypeFact {
  return {
    target: from.text(),
    type: from.text(),
    source: from.word(WORDS.type),
    local: from.number() === 1,
    from: from.maybeNumber(),
    block: readMaybeSpan(from) ?? null,
    line: from.number(),
  };
}

function readFlow(from: ByteReader): FlowFact {
  const kind = from.word(WORDS.flow);
  const target = from.text();
  const keys = from.data<FlowFact['keys']>();
  const value = from.data<FlowFact['value']>() ?? null;
  const owner = from.maybeNumber();
  const flags = from.number();
  const scope = from.maybeNumber();
  return {
    kind,
    target,
    keys,
    value,
    from: owner,
    scope: (flags & 2) === 0 ? undefined : scope,
    block: readMaybeSpan(from),
    narrows: (flags & 1) === 0 ? undefined : true,
    branch: readMaybeLines(from),
    loop: readMaybeLines(from),
    line: from.number(),
    column: from.number(),
  };
}

function readComment(from: ByteReader): CommentTag {
  return {
    tag: from.word(WORDS.tag),
    text: from.text(),
    reference: from.text(),
    line: from.number(),
    column: from.number(),
    from: from.maybeNumber(),
  };
}

function readTest(from: ByteReader): TestFact {
  return {
    title: from.text(),
    definition: from.maybeNumber(),
    suites: from.list(readText),
    qualname: from.text(),
    ordinal: from.number(),
    signature: from.text(),
    is_async: from.number() === 1,
    span: readSpan(from),
    body: readSpan(from),
  };
}

function readRoute(from: ByteReader): RouteFact {
  return {
    routes: from.list(readRouteName),
    signature: from.text(),
    span: readSpan(from),
    body: readMaybeSpan(from) ?? null,
    handlers: from.list(readNumber),
    named: from.list(readSpan),
  };
}

function readRouteName(from: ByteReader): RouteName {
  return { name: from.text(), ordinal: from.number() };
}

function readTable(from: ByteReader): TableUse {
  return {
    name: from.text(),
    writes: from.number() === 1,
    from: from.maybeNumber(),
    line: from.number(),
    column: from.number(),
    expression: from.text(),
  };
}

function readKey(from: ByteReader): KeyFact {
  return {
    name: from.text(),
    ordinal: from.number(),
    parent: from.maybeNumber(),
    signature: from.text(),
    span: readSpan(from),
  };
}

function readSpan(from: ByteReader): Span {
  return {
    start_line: from.number(),
    start_column: from.number(),
    end_line: from.number(),
    end_column: from.number(),
  };
}

function readMaybeSpan(from: ByteReader): Span | undefined {
  return from.number() === 1 ? readSpan(from) : undefined;
}

function readMaybeLines(from: ByteReader): readonly [number, number] | undefined {
  return from.number() === 1 ? [from.number(), from.number()] : undefined;
}

function readText(from: ByteReader): string {
  return from.text();
}

function readNumber(from: ByteReader): number {
  return from.number();
}
