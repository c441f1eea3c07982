import { join } from 'node:path';
import type { Slot } from '../../../../runtime/index.js';
import { TextIndex, Words } from '../../../../search/index.js';
import { contentMark, type FileSystem, insideRoot, readText, remembering } from '../../../../source/index.js';

/** Longer files are data and what tools wrote: their words say little, and take long. */
const LONGEST_TEXT = 500_000;
/** Characters of texts whose words stay in memory, which takes two to four times as many bytes. */
const MOST_CACHED = 20_000_000;

/** What is known of a file's text. */
interface CachedText {
  readonly diskPath: string;
  /** What its content was known by when it was read; see {@link contentMark}. */
  readonly mark: string | null;
  /** Characters. */
  readonly size: number;
}

/**
 * The words of a project's texts as they are on disk, kept with the open graph: of each question only what changed
 * since is read again. What it answers depends only on what is on disk and on who is asked for.
 */
export class CachedTexts {
  readonly words = new Words();
  /** One document a file, by path. */
  readonly index = new TextIndex({ text: 1 });
  /** The least recently asked for first. */
  readonly #cached = new Map<string, CachedText>();
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

/** The texts of a project, kept with its open graph. */
export const CACHED_TEXTS: Slot<CachedTexts> = { name: 'texts', make: () => new CachedTexts() };

/** A text of the project as it is on disk; empty where there is none to read. */
export function textOf(root: string, path: string): string {
  return textAt(insideRoot(root, path).diskPath);
}

function textAt(diskPath: string): string {
  const read = readText({ diskPath }, { maxFileBytes: LONGEST_TEXT });
  return read.ok ? read.text : '';
}
