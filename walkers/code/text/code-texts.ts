import type { StepsContext } from '../../../runtime/index.js';
import { fileId, type LocalForm, localId } from '../../../schema/index.js';
import { type TextIndexWriter, writeIndex } from '../../../search/index.js';
import { CODE_TEXT, type CodeField } from './code-text.js';

/** What symbols' ids begin with. */
const FORMS: readonly LocalForm[] = ['fn', 'm', 'cls', 'var', 'type', 'test', 'route', 'config'];

/** The text index as an index run changes it, file by file, in the commits that keep what the files hold. */
export class CodeTexts {
  readonly #writer: TextIndexWriter<CodeField>;
  readonly #isFresh: boolean;
  /** Documents by path; null: the file is gone. */
  readonly #waiting = new Map<string, Uint8Array | null>();

  /** @param isFresh Whether the index holds nothing of these files. */
  constructor(context: StepsContext, isFresh: boolean) {
    this.#writer = writeIndex(context, CODE_TEXT);
    this.#isFresh = isFresh;
  }

  /** Takes in all that a file says. @param made What `documentMaker` made of it. */
  put(path: string, made: Uint8Array): void {
    this.#waiting.set(path, made);
  }

  /** Takes out all of a file. */
  remove(path: string): void {
    this.#waiting.set(path, null);
  }

  /** Writes what waits, into the next commit. */
  async flush(): Promise<void> {
    for (const [path, made] of this.#waiting) {
      const ids = new Set(made ? this.#writer.putMade(made) : []);
      if (!this.#isFresh) for (const id of await this.#idsOf(path)) if (!ids.has(id)) this.#writer.remove(id);
    }
    this.#waiting.clear();
    await this.#writer.flush();
  }

  async #idsOf(path: string): Promise<string[]> {
    const ofSymbols = FORMS.map((form) => this.#writer.idsUnder(localId(form, path, '')));
    return [fileId(path), ...(await Promise.all(ofSymbols)).flat()];
  }
}
