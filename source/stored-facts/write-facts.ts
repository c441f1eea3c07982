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
import type { FlowFact } from '../flow-facts.js';
import { ByteWriter } from './byte-writer.js';
import { WORDS } from './words.js';

/** Writes what facts are made of: all of it, or what other files can see. */
class FactWriter extends ByteWriter {
  /** `ranks`: of the lines, for what other files see, which know lines by their order alone; null: everything is written. */
  constructor(private readonly ranks: ReadonlyMap<number, number> | null) {
    super();
  }

  /** Whether what only the file itself and its readers see is written too. */
  get isWhole(): boolean {
    return this.ranks === null;
  }

  line(line: number): void {
    this.number(this.ranks === null ? line : (this.ranks.get(line) ?? 0));
  }

  span({ start_line, start_column, end_line, end_column }: Span): void {
    this.line(start_line);
    this.number(start_column);
    this.line(end_line);
    this.number(end_column);
  }

  /** A span that may be absent. */
  maybeSpan(span: Span | null | undefined): void {
    this.number(span ? 1 : 0);
    if (span) this.span(span);
  }

  /** First and last line, which may be absent. */
  maybeLines(lines: readonly [number, number] | undefined): void {
    this.number(lines ? 1 : 0);
    if (!lines) return;
    this.line(lines[0]);
    this.line(lines[1]);
  }

  /** Truth values, as one number. */
  flags(...flags: readonly boolean[]): void {
    let number = 0;
    for (const flag of flags) number = number * 2 + (flag ? 1 : 0);
    this.number(number);
  }
}

/**
 * Facts as bytes of their own, in the form that `ByteWriter` tells. Written where they are found, so that they cross
 * threads as one buffer and are kept without being written again.
 */
export function factsToBytes(facts: FileFacts): Uint8Array<ArrayBuffer> {
  const out = new FactWriter(null);
  out.maybeText(facts.docstring);
  out.number(facts.lines);
  writeShared(out, facts, facts.flows);
  out.list(facts.references, writeReference);
  out.list(facts.comments, writeComment);
  out.list(facts.tests, writeTest);
  out.list(facts.routes, writeRoute);
  out.list(facts.keys, writeKey);
  out.list(facts.tables ?? [], writeTable);
  out.list(facts.syntax_errors, writeLine);
  return out.take(facts.unit);
}

/**
 * What other files can see of facts, as bytes: two that are alike have the same.
 *
 * @param flows those that can be seen
 * @param ranks lines by their order, of all that {@link FactWriter} is given
 */
export function visibleBytes(
  facts: FileFacts,
  flows: readonly FlowFact[],
  ranks: ReadonlyMap<number, number>,
): Uint8Array {
  const out = new FactWriter(ranks);
  writeShared(out, facts, flows);
  return out.take();
}

function writeShared(out: FactWriter, facts: FileFacts, flows: readonly FlowFact[]): void {
  out.text(facts.language);
  out.list(facts.definitions, writeDefinition);
  out.list(facts.imports, writeImport);
  out.list(facts.exports, writeExport);
  out.list(facts.types, writeType);
  out.list(flows, writeFlow);
}

function writeDefinition(out: FactWriter, one: Definition): void {
  out.word(WORDS.form, one.form);
  out.word(WORDS.subkind, one.subkind);
  out.text(one.name);
  out.text(one.qualname);
  out.number(one.ordinal);
  out.maybeNumber(one.parent);
  out.maybeSpan(one.block);
  out.maybeText(one.own_name);
  out.maybeLines(one.branch);
  out.span(one.span);
  if (out.isWhole) out.line(one.name_line);
  out.text(one.signature);
  if (out.isWhole) out.maybeText(one.docstring);
  out.list(one.decorators, writeText);
  out.flags(
    one.is_component ?? false,
    one.is_property ?? false,
    one.is_async,
    one.is_generator,
    one.is_static,
    one.is_abstract,
    one.exported,
    one.declaration_only,
    one.is_constant,
  );
  out.word(WORDS.visibility, one.visibility);
  out.list(one.bases, writeBase);
  out.list(one.parameters, writeParameter);
  out.maybeText(one.return_type);
  out.maybeText(one.type_parameters);
  out.maybeText(one.value_type);
  out.word(WORDS.scope, one.scope);
}

function writeBase(out: FactWriter, { name, relation, type_arguments, line }: Base): void {
  out.text(name);
  out.word(WORDS.relation, relation);
  out.maybeText(type_arguments);
  if (out.isWhole) out.line(line);
}

function writeParameter(out: FactWriter, { name, type, optional, rest }: Parameter): void {
  out.text(name);
  out.maybeText(type);
  out.flags(optional, rest);
}

function writeReference(out: FactWriter, one: Reference): void {
  const isKey = one.receiver === '';
  out.number(WORDS.reference.indexOf(one.kind) * 2 + (isKey ? 1 : 0));
  out.text(one.name);
  if (isKey) {
    out.maybeNumber(one.from);
    out.line(one.line);
    out.number(one.column);
    out.data(one.on);
    return;
  }
  out.maybeText(one.receiver);
  out.word(WORDS.receiver, one.receiver_form);
  out.maybeNumber(one.from);
  out.line(one.line);
  out.number(one.column);
  out.text(one.expression);
  out.flags(one.local);
  out.maybeNumber(one.arguments);
  out.data(one.on);
  out.data(one.callee);
  out.maybeText(one.types);
  out.data(one.values);
}

function writeImport(out: FactWriter, one: ImportFact): void {
  out.text(one.module);
  out.word(WORDS.import, one.kind);
  out.flags(one.type_only);
  out.list(one.names, writeName);
  out.maybeNumber(one.from);
  out.line(one.line);
  out.number(one.column);
}

function writeName(out: FactWriter, { imported, local }: ImportedName): void {
  out.text(imported);
  out.maybeText(local);
}

function writeExport(out: FactWriter, { name, local, module, definition, line }: ExportFact): void {
  out.text(name);
  out.maybeText(local);
  out.maybeText(module);
  out.maybeNumber(definition ?? null);
  out.line(line);
}

function writeType(out: FactWriter, one: TypeFact): void {
  out.text(one.target);
  out.text(one.type);
  out.word(WORDS.type, one.source);
  out.flags(one.local);
  out.maybeNumber(one.from);
  out.maybeSpan(one.block);
  out.line(one.line);
}

function writeFlow(out: FactWriter, one: FlowFact): void {
  out.word(WORDS.flow, one.kind);
  out.text(one.target);
  out.data(one.keys);
  out.data(one.value);
  out.maybeNumber(one.from);
  out.flags(one.scope !== undefined, one.narrows === true);
  out.maybeNumber(one.scope);
  out.maybeSpan(one.block);
  out.maybeLines(one.branch);
  out.maybeLines(one.loop);
  out.line(one.line);
  out.number(one.column);
}

function writeComment(out: FactWriter, one: CommentTag): void {
  out.word(WORDS.tag, one.tag);
  out.text(one.text);
  out.text(one.reference);
  out.line(one.line);
  out.number(one.column);
  out.maybeNumber(one.from);
}

function writeTest(out: FactWriter, one: TestFact): void {
  out.text(one.title);
  out.maybeNumber(one.definition);
  out.list(one.suites, writeText);
  out.text(one.qualname);
  out.number(one.ordinal);
  out.text(one.signature);
  out.flags(one.is_async);
  out.span(one.span);
  out.span(one.body);
}

function writeRoute(out: FactWriter, one: RouteFact): void {
  out.list(one.routes, writeRouteName);
  out.text(one.signature);
  out.span(one.span);
  out.maybeSpan(one.body);
  out.list(one.handlers, writeNumber);
  out.list(one.named, (to, span) => to.span(span));
}

function writeRouteName(out: FactWriter, { name, ordinal }: RouteName): void {
  out.text(name);
  out.number(ordinal);
}

function writeKey(out: FactWriter, one: KeyFact): void {
  out.text(one.name);
  out.number(one.ordinal);
  out.maybeNumber(one.parent);
  out.text(one.signature);
  out.span(one.span);
}

function writeTable(out: FactWriter, one: TableUse): void {
  out.text(one.name);
  out.flags(one.writes);
  out.maybeNumber(one.from);
  out.line(one.line);
  out.number(one.column);
  out.text(one.expression);
}

function writeNumber(out: FactWriter, number: number): void {
  out.number(number);
}

function writeText(out: FactWriter, text: string): void {
  out.text(text);
}

function writeLine(out: FactWriter, line: number): void {
  out.line(line);
}
