import { insideRoot, readText } from '../../../../source/index.js';
import type { Scores } from './scores.js';
import { TellingWords, TextVectors } from './text-measures.js';
import { type WordCounts, Words } from './words.js';

/** A part of a file that is compared on its own; lines count from 1, both ends included. */
export interface TextPart {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** Shorter names stand everywhere and lead nowhere. */
const SHORTEST_NAME = 4;
/** However many names of the files asked for a part speaks of: two are enough to belong to them. */
const MOST_MENTIONS = 2;

/** The texts of the files asked for and of those that they are compared with, as they are on disk. */
export class ProjectTexts {
  readonly #words = new Words();
  readonly #lines = new Map<string, readonly string[]>();
  readonly #others = new Map<string, WordCounts>();
  readonly #asked: readonly WordCounts[];
  readonly #telling: TellingWords;

  /** @param root Null for a graph in memory: there are no texts. */
  constructor(root: string | null, asked: readonly string[], others: readonly string[]) {
    const read = (path: string) => this.#read(root, path);
    this.#asked = asked.map(read).filter((counts) => counts !== null);
    for (const path of others) {
      const counts = read(path);
      if (counts) this.#others.set(path, counts);
    }
    this.#telling = new TellingWords(this.#asked, [...this.#others.values()]);
  }

  /** How much of what the files asked for speak of the others speak of too, by path. */
  speakingOf(): Scores {
    return this.#telling.scores(this.#others);
  }

  /** How alike they are as wholes, by path. */
  alike(): Scores {
    const vectors = new TextVectors([...this.#others.values()]);
    return new Map(
      [...this.#others].map(([path, counts]) => [
        path,
        this.#asked.reduce((sum, one) => sum + vectors.cosine(one, counts), 0),
      ]),
    );
  }

  /**
   * For parts of files, by id: how much they speak of the same, and how much they and the files asked for speak of
   * each other by name, whatever the name was resolved to: a name that many have says less.
   *
   * @param own The names that the files asked for define.
   */
  ofParts(parts: readonly TextPart[], own: readonly string[]): { speaking: Scores; naming: Scores } {
    const counted = new Map(parts.map((part) => [part.id, this.#words.counted(this.#textOf(part))]));
    const namesakes = new Map<string, number>();
    for (const { name } of parts) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
    const rarity = (name: string) => 1 / (1 + Math.log(Math.max(1, namesakes.get(name) ?? 1)));
    const defined = [...new Set(own)].filter((name) => name.length >= SHORTEST_NAME);
    const naming = parts.map(({ id, name }): [string, number] => {
      const inside = counted.get(id)?.identifiers ?? new Set<string>();
      const named = defined.filter((one) => one !== name && inside.has(one));
      const mentions = named.reduce((sum, one) => sum + rarity(one), 0);
      const isNamed =
        name.length >= SHORTEST_NAME && this.#asked.some(({ identifiers }) => identifiers.has(name));
      return [id, (isNamed ? rarity(name) : 0) + Math.min(MOST_MENTIONS, mentions)];
    });
    return { speaking: this.#telling.scores(counted), naming: new Map(naming) };
  }

  #textOf({ path, name, start_line, end_line }: TextPart): string {
    return [name, ...(this.#lines.get(path)?.slice(start_line - 1, end_line) ?? [])].join('\n');
  }

  #read(root: string | null, path: string): WordCounts | null {
    const text = root === null ? null : textOf(root, path);
    if (text === null) return null;
    this.#lines.set(path, text.split('\n'));
    return this.#words.counted(text);
  }
}

/** A text of the project as it is on disk; null where there is none to read. */
function textOf(root: string, path: string): string | null {
  const { diskPath, exists } = insideRoot(root, path);
  if (!exists) return null;
  const read = readText({ diskPath });
  return read.ok ? read.text : null;
}
