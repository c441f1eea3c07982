import type { StepsContext } from '../../../runtime/index.js';
import { type TextIndexWriter, writeIndex } from '../../../search/index.js';
import { CODE_TEXT, type CodeField } from './code-text.js';

/** The text index as an index run changes it, file by file, in the commits that keep what the files hold. */
export class CodeTexts {
  readonly #writer: TextIndexWriter<CodeField>;

  constructor(context: StepsContext) {
    this.#writer = writeIndex(context, CODE_TEXT);
  }

  /** Takes in all that a file says. @param made What `documentMaker` made of it. */
  put(path: string, made: Uint8Array): void {
    this.#writer.putGroup(path, made);
  }

  /** Takes out all of a file. */
  remove(path: string): void {
    this.#writer.removeGroup(path);
  }

  /** Writes what waits, into the next commit. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }
}
