import type { CommitOptions, StepsContext } from '../../runtime/index.js';
import { type FileState, factsName, stateName, toBytes } from './file-state.js';
import { type IndexProgress, PROGRESS_MARK, PROJECT_STATE, TEXT_MARK, TEXT_MARK_NOW } from './index-mark.js';
import type { ProjectIndex, ProjectState } from './project-index.js';
import { CodeTexts } from './text/code-texts.js';
import { turn } from './turn.js';

/** Writes beside the graph, with the next commit, what the next run has to know, and what files say. */
export class IndexStore {
  /** Null where there is no text index to keep up: it is made anew when the run is over. */
  readonly #texts: CodeTexts | null;

  /** @param isFirst Whether no run ever wrote here. */
  constructor(
    private readonly context: StepsContext,
    index: ProjectIndex,
    private readonly isFirst: boolean,
  ) {
    if (isFirst) index.text = TEXT_MARK_NOW;
    this.#texts = index.hasTexts ? new CodeTexts(context) : null;
  }

  /** Commits the run's changes, with what was put here. */
  async commit(options?: CommitOptions): Promise<void> {
    await this.#texts?.flush();
    await this.context.commit(options);
  }

  putState(path: string, state: FileState | undefined): void {
    this.context.putBlob(stateName(path), state && toBytes(state));
  }

  /** The states of many files; between them others have their turn. */
  async putStates(paths: Iterable<string>, stateOf: (path: string) => FileState | undefined): Promise<void> {
    for (const path of paths) {
      this.putState(path, stateOf(path));
      await turn(this.context);
    }
  }

  putFacts(path: string, bytes: Uint8Array | null): void {
    this.context.putBlob(factsName(path), bytes ?? undefined);
  }

  /** What a file says. @param made By `documentMaker`. */
  putDocuments(path: string, made: Uint8Array): void {
    this.#texts?.put(path, made);
  }

  /** A file that is gone. */
  forget(path: string): void {
    this.putState(path, undefined);
    this.putFacts(path, null);
    this.#texts?.remove(path);
  }

  putProject(project: ProjectState): void {
    this.context.putBlob(PROJECT_STATE, toBytes(project));
  }

  putMark(mark: IndexProgress): void {
    this.context.putBlob(PROGRESS_MARK, toBytes(mark));
    if (this.isFirst) this.context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
  }
}
