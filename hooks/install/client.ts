import type { Entries } from './entries.js';
import type { Programs } from './programs.js';

/** For all projects of the user, or for one. */
export type Scope = 'user' | 'project';

/** What an installer knows of the machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Absolute. */
  readonly cwd: string;
}

/** A file and what of ours belongs there. */
export type Part =
  /** A settings file that others write, too. */
  | { readonly path: string; readonly entries: Entries }
  /** A file of a folder that is ours alone. Its text holds {@link WRITTEN_BY}. */
  | { readonly path: string; readonly folder: string; readonly text: string };

/** What an installer must know of one client. */
export interface InstallableClient {
  /** As `--client` has it. */
  readonly name: string;
  /** As people know it. */
  readonly title: string;
  /** Its command, and the arguments that make it print its version. */
  readonly version: readonly string[];
  /** Its settings for all projects, where hooks may be switched off. */
  userSettings(machine: Machine): string;
  /** What people must know where it is installed for one project. */
  readonly projectNote: string;
  /** What belongs where for all projects (null) or for one. What stands in them is made with {@link Programs}. */
  parts(root: string | null, programs: Programs, machine: Machine): readonly Part[];
}

/** What every file of ours says of itself, so that it is known as ours. */
export const WRITTEN_BY = 'codewalk install';
