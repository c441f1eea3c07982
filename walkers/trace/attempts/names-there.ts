import { compareText } from '../../../runtime/index.js';
import { rarity, type WordQuery } from '../../../search/index.js';
import type { LinkScores, Touching } from './links.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import type { AttemptSummary } from './stored/records.js';

/*
 * A file is large, and attempts at it are about different things in it. What a question is about is told by the names
 * that the attempts there worked on whose texts are most like it, and by names that it has words of. Whoever worked on
 * the same is found by that, whatever was said about it.
 */

/** The attempts at the files that tell which names are meant: those that are most like the question. */
const MOST_TELLING = 64;
/** What sharing the files counts beside the text in how much an attempt tells. */
const BY_FILES = 0.5;
/** What it counts that a question has all words of a name, beside the name that most of the best attempts worked on. */
const BY_WORDS = 1.5;

/** What is known of the attempts at some files. */
export interface Known {
  /** Scores of texts by attempt, the largest 1. */
  readonly byText: ReadonlyMap<string, number>;
  /** Scores of what they share of the files, the largest about 1. */
  readonly byFiles: LinkScores;
  readonly words: WordQuery;
}

/**
 * Attempts at some files by the names in these that they worked on: each name by how surely it is meant and by its rarity,
 * as a share of all names that the attempt worked on. The largest score is 1.
 */
export async function scoresByNames(
  shelf: AttemptShelf,
  byFile: Touching,
  { byText, byFiles, words }: Known,
): Promise<LinkScores> {
  const summaries = await shelf.summaries([...new Set([...byFile.values()].flatMap((ids) => [...ids]))]);
  const there = new Map<string, readonly string[]>();
  const having = new Map<string, number>();
  for (const [id, { names }] of summaries) {
    const own = [...byFile.keys()].flatMap((file) => namesOf(names, file).map((name) => `${file}\n${name}`));
    if (own.length > 0) there.set(id, own);
    for (const name of own) having.set(name, (having.get(name) ?? 0) + 1);
  }
  if (there.size === 0) return new Map();
  const tells = (id: string) => (byText.get(id) ?? 0) + BY_FILES * (byFiles.get(id) ?? 0);
  const telling = [...there.keys()]
    .sort((a, b) => tells(b) - tells(a) || compareText(a, b))
    .slice(0, MOST_TELLING);
  const meant = new Map<string, number>();
  for (const id of telling) {
    const own = there.get(id) ?? [];
    for (const name of own) meant.set(name, (meant.get(name) ?? 0) + tells(id) ** 3 / Math.sqrt(own.length));
  }
  const most = Math.max(...meant.values()) || 1;
  const said = await saidOf(shelf, [...meant.keys()], words);
  const size = await shelf.links.size();
  const worths = new Map(
    [...meant].map(([name, sum]) => [
      name,
      (sum / most + BY_WORDS * (said.get(name) ?? 0)) * rarity(size, having.get(name) ?? 0),
    ]),
  );
  const scores = new Map<string, number>();
  for (const [id, own] of there) {
    const sum = own.reduce((all, name) => all + (worths.get(name) ?? 0), 0);
    if (sum > 0) scores.set(id, sum / (1 + countOf(summaries.get(id))));
  }
  const largest = Math.max(0, ...scores.values());
  return new Map([...scores].map(([id, score]) => [id, score / largest]));
}

/** Of each name, which share of its words the question has, each by its rarity. */
async function saidOf(
  { told, words: splits }: AttemptShelf,
  names: readonly string[],
  words: WordQuery,
): Promise<ReadonlyMap<string, number>> {
  const wordsOf = new Map(
    names.map((name) => [name, [...new Set(splits.of(name.slice(name.indexOf('\n') + 1)))]] as const),
  );
  const having = await told.frequencies([...wordsOf.values()].flat());
  const size = await told.size();
  const worth = (some: readonly string[]) =>
    some.reduce((sum, word) => sum + rarity(size, having.get(word) ?? 0), 0);
  return new Map(
    [...wordsOf].map(([name, all]) => [
      name,
      all.length === 0 ? 0 : worth(all.filter((word) => words.has(word))) / worth(all),
    ]),
  );
}

function countOf(summary: AttemptSummary | undefined): number {
  return Object.values(summary?.names ?? {}).reduce((sum, names) => sum + listed(names).length, 0);
}

function namesOf(names: AttemptSummary['names'], file: string): readonly string[] {
  return listed(names[file] ?? '');
}

function listed(names: string): string[] {
  return names === '' ? [] : names.split('\n');
}
