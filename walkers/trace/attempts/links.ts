import { compareText } from '../../../runtime/index.js';
import { rarity } from '../../../search/index.js';
import { fileLink } from './attempt-text.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';

/** The best matches whose files and names lead on. */
const SEEDS = 20;
/** Files and names that are followed: those that the matches lead to most. */
const MOST_LINKS = 64;
/** Attempts that one look-up leads to. */
const MOST_FOUND = 200;
/** What the latest attempt at the files gets on top, and after how many later ones that has faded to 1/e. */
export const LATEST = 0.15;
const RECENT = 20;
/** A name counts as a file where attempts are looked for by both. */
const BOTH = { file: 1, name: 1 };

/** Scores by attempt; the largest is 1, and {@link LATEST} more where being the latest adds to it. */
export type LinkScores = ReadonlyMap<string, number>;

/** By file the attempts that touched it, as far as they are looked at. */
export type Touching = ReadonlyMap<string, ReadonlySet<string>>;

/** The attempts that touched files: of a file that very many touched, those that touched the fewest files, and the latest. */
export async function touching(shelf: AttemptShelf, files: readonly string[]): Promise<Touching> {
  const having = await shelf.links.frequencies(files.map(fileLink));
  const byFile = new Map<string, ReadonlySet<string>>();
  const hubs: string[] = [];
  for (const file of files) {
    const all = having.get(fileLink(file)) ?? 0;
    if (all > MOST_FOUND) hubs.push(file);
    const found = all === 0 ? [] : await shelf.links.search(queryOf(file), { limit: MOST_FOUND });
    byFile.set(file, new Set(found.map(({ id }) => id)));
  }
  const latest = hubs.length > 0 ? await shelf.latest(MOST_FOUND) : [];
  return withTouching(shelf, byFile, latest, hubs);
}

/** The same with those of some attempts that touched a file which very many touched. */
export async function withTouching(
  shelf: AttemptShelf,
  known: Touching,
  attempts: Iterable<string>,
  hubs: readonly string[] = [...known].filter(([, ids]) => ids.size >= MOST_FOUND).map(([file]) => file),
): Promise<Touching> {
  if (hubs.length === 0) return known;
  const ids = [...attempts];
  const byFile = new Map(known);
  for (const file of hubs) {
    const more = await shelf.links.scores(queryOf(file), ids);
    byFile.set(file, new Set([...(known.get(file) ?? []), ...more.keys()]));
  }
  return byFile;
}

/**
 * Attempts by what they share of some files: rare files count more, an attempt that touched many files less (by the
 * fourth root: the files asked for are certain), and one of the latest there a little more: code moves on.
 */
export async function scoresByFiles(shelf: AttemptShelf, byFile: Touching): Promise<LinkScores> {
  const summaries = await shelf.summaries([...new Set([...byFile.values()].flatMap((ids) => [...ids]))]);
  const size = await shelf.links.size();
  const having = await shelf.links.frequencies([...byFile.keys()].map(fileLink));
  const scores = new Map<string, number>();
  for (const [file, ids] of byFile) {
    const worth = rarity(size, having.get(fileLink(file)) ?? 0);
    for (const id of ids) {
      const touched = summaries.get(id)?.touched ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + worth / (1 + touched) ** 0.25);
    }
  }
  const begun = (id: string) => summaries.get(id)?.created_at ?? '';
  const byTime = [...scores.keys()].sort((a, b) => compareText(begun(b), begun(a)) || compareText(a, b));
  const later = new Map(byTime.map((id, at) => [id, at]));
  return new Map(
    [...ofLargest(scores)].map(([id, score]) => [
      id,
      score * (1 + LATEST * Math.exp(-(later.get(id) ?? 0) / RECENT)),
    ]),
  );
}

/**
 * Attempts by what the best matches lead to: one step of spreading activation (Collins and Loftus, 1975) from the
 * matches to the files they touched and the names they used, and on to other attempts. A match gives by the square
 * of its score, shared among its links by their rarity; an attempt that touched many files gets less of each.
 */
export async function scoresByMatches(
  { links }: AttemptShelf,
  matches: ReadonlyMap<string, number>,
): Promise<LinkScores> {
  const seeds = [...matches].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, SEEDS);
  const [, top] = seeds[0] ?? ['', 0];
  if (top <= 0) return new Map();
  const said = await links.documents(seeds.map(([id]) => id));
  const documents = seeds.map(([id]) => said.get(id));
  const size = await links.size();
  const having = await links.frequencies(
    documents.flatMap((document) => [...(document?.words.keys() ?? [])]),
  );
  const active = new Map<string, number>();
  for (const [at, [, score]] of seeds.entries()) {
    const weights = [...(documents[at]?.words.keys() ?? [])].map(
      (link) => [link, rarity(size, having.get(link) ?? 0)] as const,
    );
    const all = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1;
    for (const [link, weight] of weights)
      active.set(link, (active.get(link) ?? 0) + (score / top) ** 2 * (weight / all));
  }
  const followed = [...active].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, MOST_LINKS);
  const found = await links.search(new Map(followed), { limit: MOST_FOUND, weights: BOTH });
  return ofLargest(new Map(found.map(({ id, score }) => [id, score])));
}

function queryOf(file: string): ReadonlyMap<string, number> {
  return new Map([[fileLink(file), 1]]);
}

/** Scores as shares of the largest. */
export function ofLargest(scores: ReadonlyMap<string, number>): LinkScores {
  const largest = Math.max(0, ...scores.values());
  return largest > 0 ? new Map([...scores].map(([id, score]) => [id, score / largest])) : new Map();
}
