import type { NodeRef, ReadContext } from '../../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId } from '../../../../schema/index.js';
import { blended, ranking, type Scores } from '../../../../search/index.js';
import type { FileNearness } from './file-nearness.js';

/** What does something: a class is named by its methods. */
const KINDS = ['function', 'method', 'component', 'route'] as const;
/**
 * What each kind of evidence counts. History and length tell what is likely to change at all: a long function, one
 * that changed before, one in a file that changes with the files asked for.
 */
const WEIGHTS = {
  speaking: 1,
  links: 0.5,
  fileHistory: 0.5,
  length: 0.5,
  together: 0.25,
  ever: 0.25,
  naming: 0.125,
} as const;

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
  { links, texts, history, changedSymbols }: FileNearness,
): Promise<NearSymbol[]> {
  if (files.length === 0) return [];
  const symbols = await q(files.map(fileId))
    .out(FileContainsSymbol)
    .of(CodeSymbol, { kind: { in: KINDS } });
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const { speaking, naming } = texts.ofParts(symbols, own);
  const { together, ever } = changedSymbols(symbols);
  const scores = (of: (symbol: NodeRef<typeof CodeSymbol>) => number): Scores =>
    new Map(symbols.map((symbol) => [symbol.id, of(symbol)]));
  const near = blended([
    { scores: speaking, weight: WEIGHTS.speaking },
    { scores: scores(({ id }) => Math.log(1 + (links.symbols.get(id) ?? 0))), weight: WEIGHTS.links },
    { scores: scores(({ path }) => history.get(path) ?? 0), weight: WEIGHTS.fileHistory },
    { scores: scores(lengthOf), weight: WEIGHTS.length },
    { scores: together, weight: WEIGHTS.together },
    { scores: ever, weight: WEIGHTS.ever },
    { scores: naming, weight: WEIGHTS.naming },
  ]);
  // Length and habit alone join nothing.
  const isJoined = (id: string) =>
    links.symbols.has(id) || [speaking, naming, together].some((scores) => (scores.get(id) ?? 0) > 0);
  return ranking(near)
    .filter(isJoined)
    .flatMap((id) => {
      const symbol = byId.get(id);
      if (!symbol) return [];
      const ways = [...(links.ways.get(id) ?? []), ...(together.get(id) ? ['changed together'] : [])];
      const why = ways.join(', ') || (naming.get(id) ? 'same names' : 'same words');
      return [{ symbol, score: near.get(id) ?? 0, why }];
    });
}

function lengthOf({ start_line, end_line }: NodeRef<typeof CodeSymbol>): number {
  return Math.log(1 + end_line - start_line);
}
