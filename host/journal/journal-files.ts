import { lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalFolders, journalFolders } from './folders.js';
import { type AsideReason, namesIn, pushOut, setAside } from './set-aside.js';

/** Milliseconds after which a half-written file is nobody's: as Maildir has it, 36 hours. */
const ABANDONED = 36 * 3600 * 1000;

/** The files of a home's journal, and what becomes of them. */
export class JournalFiles {
  readonly folders: JournalFolders;

  /** @param home The graphs home; absolute. */
  constructor(home: string) {
    this.folders = journalFolders(home);
  }

  /** The names of what waits, the oldest first. */
  waiting(): string[] {
    return namesIn(this.folders.fresh);
  }

  /** Removes a file whose event is recorded, or is not to be. */
  remove(name: string): void {
    rmSync(join(this.folders.fresh, name), { force: true });
  }

  /** @throws Error where the file is still there. */
  quarantine(name: string, reason: AsideReason): void {
    this.#move(name, join(this.folders.quarantine, reason));
  }

  /** Keeps a file for the adapter that its client will have. @throws Error where the file is still there. */
  hold(name: string, client: string): void {
    this.#move(name, join(this.folders.held, client));
  }

  /** Lets what was held for a client wait again: its adapter is there. */
  release(known: (client: string) => boolean): void {
    for (const client of namesIn(this.folders.held).filter(known)) {
      const folder = join(this.folders.held, client);
      for (const name of namesIn(folder)) renameSync(join(folder, name), join(this.folders.fresh, name));
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Removes the oldest of what was set aside where it is too much. How many files. */
  pushOut(): number {
    return pushOut(this.folders.quarantine) + pushOut(this.folders.held);
  }

  /** Removes what was never finished, and so never acknowledged. */
  sweep(): void {
    for (const name of namesIn(this.folders.tmp)) {
      const file = join(this.folders.tmp, name);
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - written > ABANDONED) rmSync(file, { force: true });
    }
  }

  #move(name: string, folder: string): void {
    const file = join(this.folders.fresh, name);
    try {
      setAside(file, folder, name);
    } catch (thrown) {
      if (lstatSync(file, { throwIfNoEntry: false })) throw thrown;
    }
  }
}
