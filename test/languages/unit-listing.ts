import {
  BINDING_KINDS,
  EXPRESSION_KINDS,
  FLOW_KINDS,
  readUnit,
  SCOPE_KINDS,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  TYPE_KINDS,
  type Unit,
} from '../../source/ir/index.js';

/** A unit as lines to be read: each scope with its names, types and values written out. */
export function unitLines(bytes: Uint8Array): string[] {
  const unit = readUnit(bytes);
  const show = new Shown(unit);
  const lines = [`unit of package ${JSON.stringify(unit.text(unit.file.package[0] ?? 0))}`];
  for (let scope = 0; scope < unit.scopes.length; scope += 1) {
    const symbol = unit.scopes.symbol[scope] ?? -1;
    const of = symbol < 0 ? '' : ` of ${show.symbolName(symbol)}`;
    const kind = SCOPE_KINDS[unit.scopes.kind[scope] ?? 0];
    lines.push(`scope ${scope} in ${unit.scopes.parent[scope]}: ${kind}${of}`);
    for (let row = 0; row < unit.symbols.length; row += 1)
      if (unit.symbols.scope[row] === scope) lines.push(`  ${show.symbol(row)}`);
    for (let row = 0; row < unit.bindings.length; row += 1)
      if (unit.bindings.scope[row] === scope) lines.push(`  ${show.binding(row)}`);
  }
  for (let row = 0; row < unit.returns.length; row += 1)
    lines.push(
      `returns of ${show.symbolName(unit.returns.symbol[row] ?? -1)}: ${show.expression(unit.returns.value[row] ?? -1)}`,
    );
  for (let row = 0; row < unit.decorators.length; row += 1)
    lines.push(
      `decorates ${show.symbolName(unit.decorators.symbol[row] ?? -1)}: ${show.expression(unit.decorators.expression[row] ?? -1)}`,
    );
  for (let row = 0; row < unit.flows.length; row += 1) lines.push(show.flow(row));
  return lines;
}

/** Rows of a unit as text. */
export class Shown {
  constructor(private readonly unit: Unit) {}

  symbolName(row: number): string {
    return this.unit.text(this.unit.symbols.name[row] ?? 0);
  }

  symbol(row: number): string {
    const { symbols } = this.unit;
    const flags = symbols.flags[row] ?? 0;
    const words = Object.entries(SYMBOL_FLAGS).flatMap(([word, flag]) => (flags & flag ? [word] : []));
    return [
      `${SYMBOL_KINDS[symbols.kind[row] ?? 0]} ${this.symbolName(row)}`,
      this.#typed(symbols.type[row]),
      this.#part(' on ', symbols.receiver[row], (type) => this.type(type)),
      this.#part(' = ', symbols.value[row], (value) => this.expression(value)),
      symbols.from[row] ? ` from ${symbols.from[row]}` : '',
      words.length > 0 ? ` (${words.join(', ')})` : '',
    ].join('');
  }

  binding(row: number): string {
    const { bindings } = this.unit;
    return [
      `${BINDING_KINDS[bindings.kind[row] ?? 0]} ${this.unit.text(bindings.name[row] ?? 0) || '-'}`,
      this.#typed(bindings.type[row]),
      this.#part(' = ', bindings.value[row], (value) => this.expression(value)),
      this.#part(' import ', bindings.import[row], String),
      bindings.from[row] ? ` from ${bindings.from[row]}` : '',
      bindings.flags[row] ? ` (flags ${bindings.flags[row]})` : '',
    ].join('');
  }

  flow(row: number): string {
    const { flows, extents } = this.unit;
    const part = (word: string, extent = -1) =>
      extent < 0 ? '' : ` ${word} ${extents.start[extent]}-${extents.end[extent]}`;
    const symbol = flows.symbol[row] ?? -1;
    return [
      `flow ${FLOW_KINDS[flows.kind[row] ?? 0]}`,
      this.#part(' ', flows.target[row], (target) => this.expression(target)),
      this.#part(' <- ', flows.value[row], (value) => this.expression(value)),
      this.#part(' of scope ', flows.scope[row], String),
      symbol < 0 ? '' : ` in ${this.symbolName(symbol)}`,
      ` at ${flows.at[row]}`,
      part('branch', flows.branch[row]),
      part('loop', flows.loop[row]),
      part('within', flows.within[row]),
    ].join('');
  }

  type(row: number): string {
    const { types } = this.unit;
    const kind = TYPE_KINDS[types.kind[row] ?? 0];
    const base = types.base[row] ?? -1;
    const parts = this.#items(types.first[row], types.count[row]).map((part) => this.type(part));
    const name = this.unit.text(types.name[row] ?? 0);
    const of = base < 0 ? '' : this.type(base);
    if (kind === 'name') return `${of && `${of}.`}${name}${parts.length > 0 ? `[${parts.join(', ')}]` : ''}`;
    if (kind === 'literal' || kind === 'package') return name;
    if (kind === 'function') return `func(${parts.join(', ')})${of && ` ${of}`}`;
    if (kind === 'members') return `members of scope ${types.scope[row]}`;
    return `${kind}(${[of, ...parts].filter((part) => part !== '').join(', ')})`;
  }

  expression(row: number): string {
    const { expressions } = this.unit;
    const kind = EXPRESSION_KINDS[expressions.kind[row] ?? 0];
    const base = expressions.base[row] ?? -1;
    const of = base < 0 ? '' : this.expression(base);
    const parts = this.#items(expressions.first[row], expressions.count[row])
      .map((part) => this.expression(part))
      .join(', ');
    const name = this.unit.text(expressions.name[row] ?? 0);
    const type = this.#part('', expressions.type[row], (one) => this.type(one));
    switch (kind) {
      case 'name':
        return name;
      case 'member':
        return `${of}.${name}`;
      case 'call':
        return `${of}${type && `<${type}>`}(${parts})`;
      case 'index':
        return `${of}[${parts}]`;
      case 'symbol':
        return `<${this.symbolName(expressions.at[row] ?? -1)}>`;
      case 'constant':
        return JSON.stringify(name);
      case 'named':
        return `${name}=${of}`;
      case 'part':
        return `part ${expressions.at[row]} of ${of}`;
      case 'function':
        return `function in scope ${expressions.scope[row]}${parts && ` giving ${parts}`}`;
      default:
        return `${kind}${name && ` ${name}`}${type && ` <${type}>`}${of && ` of ${of}`}${parts && ` {${parts}}`}`;
    }
  }

  #typed(row: number | undefined): string {
    return this.#part(': ', row, (type) => this.type(type));
  }

  #part(before: string, row: number | undefined, show: (row: number) => string): string {
    return row === undefined || row < 0 ? '' : before + show(row);
  }

  #items(first = 0, count = 0): number[] {
    return [...this.unit.items.row.subarray(first, first + count)];
  }
}
