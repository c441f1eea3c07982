import type { Definition, ExportFact, FileFacts, ImportFact, KeyFact, Reference, RouteFact } from '../../source/facts.js';
import { unitLines } from './unit-listing.js';
import type { Arguments, FlowFact, ValueFact } from '../../source/flow-facts.js';

/**
 * A golden annotated listing: the source with two blanks in front of each line, and under each line, behind the
 * language's comment mark and with carets under what is meant, what extraction found there. Made to be reviewed.
 */
export function annotate(text: string, facts: FileFacts): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const mark = MARKS[facts.language] ?? '//';
  const notes = [
    ...facts.definitions.map((one) => definitionNote(facts, one, lines)),
    ...facts.references.map((one) => referenceNote(facts, one)),
    ...facts.imports.map((one) => importNote(facts, one)),
    ...facts.exports.map((one) => note(one.line, -1, 0, [exportText(facts, one)])),
    ...facts.types.map((one) =>
      note(one.line, -1, 0, [`type ${one.target}: ${fold(one.type)} (${one.source}${one.local ? ', local' : ''})${from(facts, one.from)}${one.block ? ` visible in ${where(one.block)}` : ''}`,
      ]),
    ),
    ...facts.flows.map((one) => note(one.line, -1, 0, [flowText(facts, one)])),
    ...facts.comments.map((one) =>
      note(one.line, -1, 0, [`comment ${one.tag} ${quote(one.text)}${from(facts, one.from)}`]),
    ),
    ...facts.tests.map((one) => {
      const named = one.definition === null ? '' : ` is ${facts.definitions[one.definition]?.qualname}`;
      const suites = one.suites.map((suite) => `${quote(suite)} > `).join('');
      const { span } = one;
      const ordinal = one.ordinal === 1 ? '' : `~${one.ordinal}`;
      const head = `test ${suites}${quote(one.title)}${ordinal}${named} ${where(span)}`;
      const call = `  signature ${quote(one.signature)}${one.is_async ? ' async' : ''} runs ${where(one.body)}`;
      return note(span.start_line, span.start_column, 1, one.definition === null ? [head, call] : [head]);
    }),
    ...facts.routes.map((one) => routeNote(facts, one)),
    ...facts.keys.map((one) => keyNote(facts, one)),
    ...(facts.tables ?? []).map((one) =>
      note(one.line, one.column, one.name.length, [
        `table ${one.name} ${one.writes ? 'written' : 'read'}${from(facts, one.from)} in ${quote(one.expression)}`,
      ]),
    ),
  ];
  const out = headOf(facts).map((head) => `${mark} ${head}`);
  lines.forEach((line, index) => {
    if (index < lines.length - 1 || line !== '') out.push(`  ${line}`.trimEnd());
    const here = notes.filter((one) => one.line === index + 1);
    // Stable: notes of one column stay in the order of the categories above.
    here.sort((a, b) => a.column - b.column);
    for (const one of here) out.push(...drawn(one, line, mark));
  });
  const lost = notes.filter((one) => one.line < 1 || one.line > lines.length);
  for (const one of lost) out.push(`${mark} OUTSIDE THE FILE, line ${one.line}: ${one.texts.join('; ')}`);
  if (facts.unit) out.push(...unitLines(facts.unit).map((line) => `${mark} ${line}`));
  return `${out.join('\n')}\n`;
}

/** Comment marks of two characters, where they are not slashes. */
const MARKS: Readonly<Record<string, string>> = {
  ...{ python: '# ', toml: '# ', dotenv: '# ', graphql: '# ', openapi: '# ', sql: '--' },
};

interface Note {
  line: number;
  /** -1: the fact has no column of its own. */
  column: number;
  width: number;
  texts: string[];
}

function note(line: number, column: number, width: number, texts: string[]): Note {
  return { line, column, width: Math.max(width, 1), texts };
}

function drawn(one: Note, line: string, mark: string): string[] {
  if (one.column < 0) return one.texts.map((text) => `${mark} ${text}`);
  const indent = line.slice(0, one.column).replace(/[^\t]/g, ' ').padEnd(one.column);
  const carets = '^'.repeat(one.width);
  return one.texts.map((text, index) => `${mark}${indent}${index === 0 ? carets : ' '.repeat(one.width)} ${text}`);
}

function headOf(facts: FileFacts): string[] {
  const head = [`${facts.language}, ${facts.lines} lines`];
  if (facts.docstring !== null) head.push(`docstring ${quote(facts.docstring)}`);
  if (facts.syntax_errors.length > 0) head.push(`syntax errors in lines ${facts.syntax_errors.join(', ')}`);
  return head;
}

function definitionNote(facts: FileFacts, one: Definition, lines: readonly string[]): Note {
  const flags = [
    one.exported && 'exported',
    one.is_async && 'async',
    one.is_generator && 'generator',
    one.is_static && 'static',
    one.is_abstract && 'abstract',
    one.visibility !== 'public' && one.visibility,
    one.declaration_only && 'declaration_only',
    one.is_property === true && 'property',
    one.is_component === true && 'component',
    one.is_constant && 'constant',
    one.scope !== null && `scope ${one.scope}`,
  ].filter((flag) => flag !== false);
  const form = one.subkind === null ? one.form : `${one.form}(${one.subkind})`;
  const ordinal = one.ordinal === 1 ? '' : `~${one.ordinal}`;
  const parent = one.parent === null ? '' : ` in ${facts.definitions[one.parent]?.qualname}`;
  const texts = [
    [`definition ${form} ${one.qualname}${ordinal}${parent}`, where(one.span), ...flags].join(' '),
    `  signature ${quote(one.signature)}`,
  ];
  if (one.name !== one.qualname.slice(one.qualname.lastIndexOf('.') + 1)) texts.push(`  name ${one.name}`);
  if (one.own_name !== undefined) texts.push(`  knows itself as ${one.own_name}`);
  if (one.branch) texts.push(`  in branch ${one.branch.join('-')}`);
  if (one.block) texts.push(`  visible in ${where(one.block)}`);
  if (one.docstring !== null) texts.push(`  docstring ${quote(one.docstring)}`);
  for (const decorator of one.decorators) texts.push(`  decorator ${quote(decorator)}`);
  for (const base of one.bases) texts.push(`  ${base.relation} ${base.name} (line ${base.line})`);
  if (one.parameters.length > 0)
    texts.push(
      `  parameters ${one.parameters
        .map((each) => {
          const name = `${each.rest ? '...' : ''}${each.name}${each.optional ? '?' : ''}`;
          return each.type === null ? name : `${name}: ${fold(each.type)}`;
        })
        .join(', ')}`,
    );
  if (one.return_type !== null) texts.push(`  returns ${fold(one.return_type)}`);
  if (one.value_type !== null) texts.push(`  value ${fold(one.value_type)}`);
  const line = lines[one.name_line - 1] ?? '';
  const after = one.name_line === one.span.start_line ? one.span.start_column : 0;
  const column = wordAt(line, one.name, after);
  return note(one.name_line, column < 0 ? after : column, column < 0 ? 1 : one.name.length, texts);
}

function referenceNote(facts: FileFacts, one: Reference): Note {
  const receiver = one.receiver === null ? '' : ` on ${one.receiver}`;
  const form = one.receiver_form === 'none' ? '' : ` (${one.receiver_form})`;
  const count = one.arguments === null ? '' : ` with ${one.arguments}`;
  const text = `${one.kind} ${one.name}${receiver}${form}${count}${one.local ? ' local' : ''}${from(facts, one.from)}`;
  const callee = one.callee === undefined ? [] : [`  callee ${valueText(facts, one.callee)}`];
  const values = one.values ? [`  hands over ${argumentsText(facts, one.values)}`] : [];
  return note(one.line, one.column, one.name.length, [`${text}  ${quote(one.expression)}`, ...callee, ...values]);
}

function flowText(facts: FileFacts, one: FlowFact): string {
  const keys = (one.keys ?? []).map((key) => `[${key === null ? '' : valueText(facts, key)}]`).join('');
  const value = one.value === null ? 'something' : valueText(facts, one.value);
  const scope = one.scope === undefined ? '' : ` of ${one.scope === null ? 'the module' : facts.definitions[one.scope]?.qualname}`;
  const branch = one.branch ? ` in branch ${one.branch.join('-')}` : '';
  const loop = one.loop ? ` in loop ${one.loop.join('-')}` : '';
  const block = one.block ? ` visible in ${where(one.block)}` : '';
  return `flow ${one.kind ?? ''} ${one.target}${keys} <- ${value}${scope}${from(facts, one.from)}${branch}${loop}${block}`.replace(/\s+/g, ' ');
}

function valueText(facts: FileFacts, value: ValueFact | null): string {
  const text = (one: ValueFact | null) => valueText(facts, one);
  if (value === null) return '?';
  if (typeof value === 'string') return value;
  if ('member' in value) return `(${text(value.of)}).${value.member}`;
  if ('key' in value) return `${text(value.of)}[${value.key === null ? '' : text(value.key)}]`;
  if ('from' in value) return `${text(value.of)}[${value.from}:${value.to ?? ''}]`;
  if ('call' in value) return `${text(value.call)}${argumentsText(facts, { passed: value.passed ?? [], named: value.named ?? {} })}`;
  if ('result' in value) return `result of ${facts.references[value.result]?.expression}`;
  if ('module' in value) return `module ${quote(value.module)}`;
  if ('typed' in value) return `a ${fold(value.typed)}`;
  if ('expected' in value) return `argument ${value.argument} of ${text(value.expected)}`;
  if ('parameter' in value) return `parameter ${value.parameter} of ${text(value.of)}`;
  if ('await' in value) return `await ${text(value.await)}`;
  if ('list' in value) return `[${value.list.map(text).join(', ')}]`;
  if ('dict' in value) return `{${value.dict.map(([key, each]) => `${text(key)}: ${text(each)}`).join(', ')}}`;
  if ('either' in value) return value.either.map(text).join(' | ');
  if ('definition' in value) return `<${facts.definitions[value.definition]?.qualname}>`;
  return JSON.stringify(value.literal);
}

function argumentsText(facts: FileFacts, { passed, named }: Arguments): string {
  const byName = Object.entries(named ?? {}).map(([name, value]) => `${name}=${valueText(facts, value)}`);
  return `(${[...passed.map((one) => valueText(facts, one)), ...byName].join(', ')})`;
}

function routeNote(facts: FileFacts, { routes, signature, span, body, handlers, named }: RouteFact): Note {
  const names = routes.map(({ name, ordinal }) => `${quote(name)}${ordinal === 1 ? '' : `~${ordinal}`}`);
  const texts = [`route ${names.join(', ')} ${where(span)}`, `  signature ${quote(signature)}`];
  if (body !== null) texts.push(`  body ${where(body)}`);
  for (const handler of handlers) texts.push(`  runs ${facts.definitions[handler]?.qualname}`);
  for (const one of named) texts.push(`  names ${where(one)}`);
  return note(span.start_line, span.start_column, 1, texts);
}

function keyNote(facts: FileFacts, { name, ordinal, parent, signature, span }: KeyFact): Note {
  const around = parent === null ? '' : ` in ${facts.keys[parent]?.name}`;
  const key = `key ${name}${ordinal === 1 ? '' : `~${ordinal}`}${around} ${where(span)}`;
  return note(span.start_line, span.start_column, 1, [key, `  signature ${quote(signature)}`]);
}

function importNote(facts: FileFacts, one: ImportFact): Note {
  const names = one.names.map((each) => {
    if (each.local === null) return `${each.imported} unbound`;
    return each.local === each.imported ? each.imported : `${each.imported} as ${each.local}`;
  });
  const text = `${one.kind} ${quote(one.module)}${one.type_only ? ' type_only' : ''} { ${names.join(', ')} }`;
  return note(one.line, one.column, 1, [`${text}${from(facts, one.from)}`]);
}

function exportText(facts: FileFacts, { name, local, module, definition }: ExportFact): string {
  const itself = definition === undefined ? '' : ` is <${facts.definitions[definition]?.qualname}>`;
  const inside = local === null ? itself : ` is ${local}`;
  return `export ${name}${inside}${module === null ? '' : ` of ${quote(module)}`}`;
}

function from(facts: FileFacts, index: number | null): string {
  if (index === null) return '';
  const one = facts.definitions[index];
  if (!one) return ` from UNKNOWN ${index}`;
  return ` from ${one.qualname}${one.ordinal === 1 ? '' : `~${one.ordinal}`}`;
}

function where(span: Definition['span']): string {
  return `[${span.start_line}:${span.start_column}-${span.end_line}:${span.end_column}]`;
}

function wordAt(line: string, name: string, after: number): number {
  for (let at = line.indexOf(name, after); at >= 0; at = line.indexOf(name, at + 1))
    if (!/[\w$]/.test(line[at - 1] ?? ' ') && !/[\w$]/.test(line[at + name.length] ?? ' ')) return at;
  return line.indexOf(name, after);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
