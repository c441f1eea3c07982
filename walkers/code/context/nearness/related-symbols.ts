import type { NodeRef, ReadContext } from '../../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId } from '../../../../schema/index.js';
import { blended, ranking } from '../../../../search/index.js';
import type { FileNearness } from './file-nearness.js';

/** What does something: a class is named by its methods. */
const KINDS = ['function', 'method', 'component', 'route'] as const;
/** What each kind of evidence counts. */
const WEIGHTS = { speaking: 1, links: 0.5, changed: 0.25, naming: 0.125 } as const;

/** A symbol near the files that were asked for. */
export interface NearSymbol {
  readonly symbol: NodeRef<typeof CodeSymbol>;
  readonly score: number;
  readonly why: string;
}

/**
 * The symbols of near files by how near they are themselves: what edges join them to the files asked for, how much
 * they and the files speak of each other and of the same, and how much they changed together.
 *
 * @param files Paths.
 * @param own The names that the files asked for define.
 */
export async function nearSymbols(
  { q }: Pick<ReadContext, 'q'>,
  files: readonly string[],
  own: readonly string[],
  { links, texts, changedSymbols }: FileNearness,
): Promise<NearSymbol[]> {
  if (files.length === 0) return [];
  const symbols = await q(files.map(fileId))
    .out(FileContainsSymbol)
    .of(CodeSymbol, { kind: { in: KINDS } });
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const linked = new Map(
    [...links.symbols].filter(([id]) => byId.has(id)).map(([id, x]) => [id, Math.log(1 + x)]),
  );
  const { speaking, naming } = texts.ofParts(symbols, own);
  const near = blended([
    { scores: linked, weight: WEIGHTS.links },
    { scores: naming, weight: WEIGHTS.naming },
    { scores: speaking, weight: WEIGHTS.speaking },
    { scores: changedSymbols(symbols), weight: WEIGHTS.changed },
  ]);
  return ranking(near).flatMap((id) => {
    const symbol = byId.get(id);
    if (!symbol) return [];
    const ways = [
      ...(links.ways.get(id) ?? []),
      ...(linked.has(id) || !naming.get(id) ? [] : ['same names']),
    ];
    return [{ symbol, score: near.get(id) ?? 0, why: ways.join(', ') || 'same words' }];
  });
}
