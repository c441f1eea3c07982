import type { NodeRef, ReadContext } from '../../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId } from '../../../../schema/index.js';
import type { FileNearness } from './file-nearness.js';
import { fused, ranking } from './scores.js';

/** What can be changed together with a file: not its variables, types and settings. */
const KINDS = ['function', 'method', 'class', 'component', 'route'] as const;
/** What each kind of evidence counts. */
const WEIGHTS = { links: 1, texts: 1, file: 0.6 } as const;

/** A symbol near the files that were asked for. */
export interface NearSymbol {
  readonly symbol: NodeRef<typeof CodeSymbol>;
  readonly score: number;
  readonly why: string;
}

/**
 * The symbols of near files by how near they are themselves: what edges join them to the files asked for, how much
 * their own lines speak of the same, and how near their file is.
 *
 * @param files Paths, the nearest first.
 */
export async function nearSymbols(
  { q }: Pick<ReadContext, 'q'>,
  files: readonly string[],
  { scores, links, texts }: FileNearness,
): Promise<NearSymbol[]> {
  if (files.length === 0) return [];
  const symbols = await q(files.map(fileId))
    .out(FileContainsSymbol)
    .of(CodeSymbol, { kind: { in: KINDS } });
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const linked = new Map([...links.symbols].filter(([id]) => byId.has(id)));
  const alike = texts.scoresOf(symbols);
  const own = fused([
    { scores: linked, weight: WEIGHTS.links },
    { scores: alike, weight: WEIGHTS.texts },
  ]);
  for (const { id, path } of symbols)
    if (own.has(id)) own.set(id, (own.get(id) ?? 0) + WEIGHTS.file * (scores.get(path) ?? 0));
  return ranking(own).flatMap((id) => {
    const symbol = byId.get(id);
    if (!symbol) return [];
    const ways = [...(links.ways.get(id) ?? [])];
    return [{ symbol, score: own.get(id) ?? 0, why: ways.join(', ') || 'same words' }];
  });
}
