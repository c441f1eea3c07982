import type { ReadContext } from '../../../../runtime/index.js';
import { type Hit, type Scores, TextIndex, tokensOf, type WordQuery } from '../../../../search/index.js';
import type { Focus } from '../focus.js';
import { CACHED_TEXTS, type CachedTexts, textOf } from './kept-texts.js';

/** A part of a file that is compared on its own; lines count from 1, both ends included. */
export interface TextPart {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** Words that are looked for: the most telling ones. */
const MOST_WORDS = 60;
/** Shorter names stand everywhere and lead nowhere. */
const SHORTEST_NAME = 4;
/** Lines around those in focus that are looked at with them. */
const AROUND = 3;
/** However many names of the files asked for a part speaks of: two are enough to belong to them. */
const MOST_MENTIONS = 2;

/** The texts of the files asked for and of those that they are compared with, as they are on disk. */
export class ProjectTexts {
  readonly #cached: CachedTexts;
  readonly #root: string | null;
  readonly #others: readonly string[];
  /** Tokens of the files asked for. */
  readonly #tokens: ReadonlySet<string>;
  /** Their words: each counts by the root of how often it stands there. */
  readonly #all: WordQuery;
  readonly #distinctive: WordQuery;

  constructor(
    { cached, projectRoot }: Pick<ReadContext, 'cached' | 'projectRoot'>,
    asked: readonly string[],
    others: readonly string[],
    focus: Focus | null,
  ) {
    this.#cached = cached(CACHED_TEXTS);
    this.#root = projectRoot;
    // A graph in memory has no texts.
    this.#others = projectRoot === null ? [] : this.#cached.follow(projectRoot, others);
    const tokens =
      projectRoot === null ? [] : asked.flatMap((path) => tokensOf(askedText(projectRoot, path, focus)));
    this.#tokens = new Set(tokens);
    const counts = new Map<string, number>();
    for (const word of this.#cached.words.ofTokens(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const all = new Map([...counts].map(([word, count]) => [word, 1 + Math.log(count)]));
    this.#all = this.#cached.index.narrowed(all, all.size, this.#others);
    this.#distinctive = new Map(
      [...this.#all.keys()].slice(0, MOST_WORDS).map((word) => [word, all.get(word) ?? 0]),
    );
  }

  /** How much of what the files asked for speak of the others speak of too, by path. */
  speakingOf(): Scores {
    return scoresOf(this.#cached.index.search(this.#distinctive, this.#others));
  }

  /** How alike they are as wholes, by path. */
  similar(): Scores {
    return scoresOf(this.#cached.index.search(this.#all, this.#others));
  }

  /**
   * For parts of files, by id: how much they speak of the same, and how much they and the files asked for speak of
   * each other by name, whatever the name was resolved to: a name that many have says less.
   *
   * @param own The names that the files asked for define.
   */
  ofParts(parts: readonly TextPart[], own: readonly string[]): { speaking: Scores; naming: Scores } {
    const index = new TextIndex({ text: 1 });
    const namesakes = new Map<string, number>();
    for (const { name } of parts) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
    const rarity = (name: string) => 1 / (1 + Math.log(Math.max(1, namesakes.get(name) ?? 1)));
    const defined = new Set(own.filter((name) => name.length >= SHORTEST_NAME));
    const naming = new Map<string, number>();
    const lines = this.#linesOf(parts);
    for (const { id, path, name, start_line, end_line } of parts) {
      const text = [name, ...(lines.get(path)?.slice(start_line - 1, end_line) ?? [])].join('\n');
      const tokens = tokensOf(text);
      index.add(id, { text: this.#cached.words.ofTokens(tokens) });
      let mentions = 0;
      for (const token of new Set(tokens))
        if (token !== name && defined.has(token)) mentions += rarity(token);
      const isNamed = name.length >= SHORTEST_NAME && this.#tokens.has(name);
      naming.set(id, (isNamed ? rarity(name) : 0) + Math.min(MOST_MENTIONS, mentions));
    }
    return { speaking: scoresOf(index.search(this.#distinctive)), naming };
  }

  #linesOf(parts: readonly TextPart[]): Map<string, readonly string[]> {
    const root = this.#root;
    const paths = new Set(root === null ? [] : parts.map(({ path }) => path));
    return new Map([...paths].map((path) => [path, textOf(root ?? '', path).split('\n')]));
  }
}

/** What is asked about: a file's text, or the lines of it that are in focus, with its name and what stands around. */
function askedText(root: string, path: string, focus: Focus | null): string {
  const text = textOf(root, path);
  if (focus === null) return text;
  const lines = text.split('\n');
  const parts = focus.ranges
    .filter((range) => range.path === path)
    .map(({ start_line, end_line }) =>
      lines.slice(Math.max(0, start_line - 1 - AROUND), end_line + AROUND).join('\n'),
    );
  return [path.slice(path.lastIndexOf('/') + 1), ...parts].join('\n');
}

function scoresOf(hits: readonly Hit[]): Scores {
  return new Map(hits.map(({ owner, score }) => [owner, score]));
}
