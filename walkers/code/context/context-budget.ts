import { CHARACTERS_PER_TOKEN, largestThatFits } from '../../token-budget.js';
import type { ContextOutput, SymbolRow } from './context-rows.js';

/** A context pack, as the walker answers with it. */
export type ContextPack = ContextOutput['context_pack'];

/** What one representation of a context may take, in tokens. */
export interface ContextBudget {
  /** Above it fields are left out. */
  readonly fields: number;
  /** Above it rows fall. */
  readonly rows: number;
  /** What a pack takes in this representation. */
  readonly cost: (pack: ContextPack) => number;
}

/** A pack that fits, and what was left out for it. */
export interface FittedContext {
  readonly pack: ContextPack;
  readonly cut: readonly string[];
}

/** Fields that are left out, in this order, of all rows that have them (P-02). */
const FIELDS = [
  ['docstring', 'Docstrings'],
  ['signature', 'Signatures'],
  ['links', 'Links'],
  ['says', 'Texts of memories'],
] as const;
/** The lists beside the symbols: the last one's rows fall first. */
const BESIDE = [
  ['related', 'related'],
  ['tests', 'tests'],
  ['memories', 'memories'],
  ['concepts', 'concepts'],
  ['etg_steps', 'earlier steps'],
] as const;
/** No symbol takes less, in any representation. */
const LEAST_CHARACTERS = 10;
/** What stands beside the symbols takes this share of the rows' budget, if there are more symbols than fit. */
const BESIDE_SHARE = 0.5;

/**
 * Makes a pack fit: docstrings are left out, then signatures, links, and what memories say; where that is not enough for the rows' budget,
 * symbols fall from the far end, as far as what stands beside them takes no more than half; the rest falls from
 * its own end. The summary always stays.
 */
export function fitContext(whole: ContextPack, budget: ContextBudget): FittedContext {
  const cut: string[] = [];
  let pack = whole;
  for (const [field, name] of FIELDS) {
    if (budget.cost(pack) <= budget.fields) break;
    const told = tells(pack, field);
    pack = withoutField(pack, field);
    if (told) cut.push(`${name} were left out.`);
  }
  if (budget.cost(pack) > budget.rows) pack = withFewerRows(pack, budget);
  for (const [key, name] of [...BESIDE, ['symbols', 'symbols'] as const]) {
    const [had, has] = [whole[key]?.length ?? 0, pack[key]?.length ?? 0];
    if (has < had) cut.push(`${had - has} of ${had} ${name} were left out.`);
  }
  return { pack, cut };
}

function withFewerRows(pack: ContextPack, { rows, cost }: ContextBudget): ContextPack {
  const alone = BESIDE.reduce<ContextPack>((rest, [key]) => firstOf(rest, key, 0), pack);
  const half = rows * BESIDE_SHARE;
  // Few symbols leave more than their half to what stands beside them.
  const few = cost(alone) <= half;
  let fitted = few ? pack : firstOf(pack, 'symbols', 0);
  for (const [key] of BESIDE.toReversed()) {
    const before = fitted;
    const fits = (count: number) => cost(firstOf(before, key, count)) <= (few ? rows : half);
    fitted = firstOf(before, key, largestThatFits(before[key]?.length ?? 0, fits));
  }
  const all = { ...fitted, symbols: pack.symbols };
  const fits = (count: number) => cost(firstOf(all, 'symbols', count)) <= rows;
  return firstOf(all, 'symbols', largestThatFits(affordable(pack.symbols, rows), fits));
}

/** The pack with the first rows of one of its lists. */
function firstOf(pack: ContextPack, key: (typeof BESIDE)[number][0] | 'symbols', count: number): ContextPack {
  return pack[key] ? { ...pack, [key]: pack[key].slice(0, count) } : pack;
}

/** How many of the first symbols can fit at all: so that not the whole of many thousand is written to try it. */
function affordable(symbols: readonly SymbolRow[], tokens: number): number {
  return Math.min(symbols.length, Math.ceil((tokens * CHARACTERS_PER_TOKEN) / LEAST_CHARACTERS));
}

type Field = (typeof FIELDS)[number][0];

function tells({ symbols, memories = [] }: ContextPack, field: Field): boolean {
  return field === 'says' ? memories.some(({ says }) => says) : symbols.some((row) => row[field]);
}

function withoutField(pack: ContextPack, field: Field): ContextPack {
  if (field === 'says')
    return pack.memories ? { ...pack, memories: pack.memories.map(({ says: _, ...row }) => row) } : pack;
  return { ...pack, symbols: pack.symbols.map(({ [field]: _, ...row }): SymbolRow => row) };
}
