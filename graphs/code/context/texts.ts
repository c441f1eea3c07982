import { join } from 'node:path';
import type { ReadContext, Slot } from '../../../runtime/index.js';
import { type Hit, type Scores, TextIndex, tokensOf, type WordQuery, Words } from '../../../search/index.js';
import { contentMark, type FileSystem, insideRoot, readText, remembering } from '../../../source/index.js';
import type { Focus } from './focus.js';

/** Longer files are data and generated code: their words say little, and take long. */
const LONGEST_TEXT = 500_000;
/** Characters of texts whose words stay in memory, which takes two to four times as many bytes. */
const MOST_CACHED = 20_000_000;
/** Words that are looked for: the rarest. */
const MOST_WORDS = 60;
/** Lines around those in focus that are looked at with them. */
const AROUND = 3;
/** A part of a file that is compared on its own; lines count from 1, both ends included. */
export interface TextPart {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * The words of a project's texts as they are on disk, cached with the open graph: each question reads only what changed
 * since. What it answers depends only on what is on disk and on which files are asked for.
 */
class CachedTexts {
  readonly words = new Words();
  /** One document a file, by path. */
  readonly index = new TextIndex({ text: 1 });
  /** The least recently asked for first. */
  readonly #cached = new Map<string, { diskPath: string; mark: string | null; size: number }>();
  #size = 0;

  /** Brings the index to what is on disk, for some files. The paths of those that have a text. */
  follow(root: string, paths: readonly string[]): string[] {
    const fs = remembering();
    for (const path of paths) this.#follow(root, path, fs);
    const asked = new Set(paths);
    for (const path of this.#cached.keys()) {
      if (this.#size <= MOST_CACHED) break;
      if (!asked.has(path)) this.#drop(path);
    }
    return paths.filter((path) => (this.#cached.get(path)?.size ?? 0) > 0);
  }

  #follow(root: string, path: string, fs: FileSystem): void {
    const known = this.#cached.get(path);
    const mark = contentMark(known?.diskPath ?? join(root, path));
    if (known && known.mark === mark && mark !== null) {
      this.#cached.delete(path);
      this.#cached.set(path, known);
      return;
    }
    this.#drop(path);
    const { diskPath } = insideRoot(root, path, { fs });
    const text = textAt(diskPath);
    this.#cached.set(path, { diskPath, mark, size: text.length });
    this.#size += text.length;
    if (text !== '') this.index.add(path, { text: this.words.of(text) });
  }

  #drop(path: string): void {
    this.#size -= this.#cached.get(path)?.size ?? 0;
    this.#cached.delete(path);
    this.index.remove(path);
  }
}

/** The texts of a project, cached with its open graph. */
export const CACHED_TEXTS: Slot<CachedTexts> = { name: 'texts', make: () => new CachedTexts() };

/** A text of the project as it is on disk; empty where there is none to read. */
export function textOf(root: string, path: string): string {
  return textAt(insideRoot(root, path).diskPath);
}

function textAt(diskPath: string): string {
  const read = readText({ diskPath }, { maxFileBytes: LONGEST_TEXT });
  return read.ok ? read.text : '';
}

/** The texts of the files asked for and of those that they are compared with, as they are on disk. */
export class ProjectTexts {
  readonly #cached: CachedTexts;
  readonly #root: string | null;
  readonly #others: readonly string[];
  /** The rarest words of the files asked for: each counts by the logarithm of how often it stands there. */
  readonly #words: WordQuery;

  constructor(
    { cached, projectRoot: root }: Pick<ReadContext, 'cached' | 'projectRoot'>,
    asked: readonly string[],
    others: readonly string[],
    focus: Focus | null,
  ) {
    this.#cached = cached(CACHED_TEXTS);
    this.#root = root;
    // A graph in memory has no texts.
    this.#others = root === null ? [] : this.#cached.follow(root, others);
    const tokens = root === null ? [] : asked.flatMap((path) => tokensOf(askedText(root, path, focus)));
    const counts = new Map<string, number>();
    for (const word of this.#cached.words.ofTokens(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const all = new Map([...counts].map(([word, count]) => [word, 1 + Math.log(count)]));
    const rarest = this.#cached.index.narrowed(all, MOST_WORDS, this.#others);
    this.#words = new Map([...rarest.keys()].map((word) => [word, all.get(word) ?? 0]));
  }

  /** How much of these words the others have, by path. */
  similar(): Scores {
    return scoresOf(this.#cached.index.search(this.#words, this.#others));
  }

  /** How much of them parts of files have, by id. */
  similarParts(parts: readonly TextPart[]): Scores {
    const index = new TextIndex({ text: 1 });
    const root = this.#root;
    const lines = new Map<string, readonly string[]>();
    for (const { id, path, name, start_line, end_line } of parts) {
      const all = lines.get(path) ?? (root === null ? [] : textOf(root, path).split('\n'));
      lines.set(path, all);
      const text = [name, ...all.slice(start_line - 1, end_line)].join('\n');
      index.add(id, { text: this.#cached.words.of(text) });
    }
    return scoresOf(index.search(this.#words));
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
