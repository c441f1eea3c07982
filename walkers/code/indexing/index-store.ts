import type { StepsContext } from '../../../runtime/index.js';
import { type FileState, factsName, stateName, toBytes } from './file-state.js';
import { type IndexProgress, PROGRESS_MARK, PROJECT_STATE } from './index-mark.js';
import type { ProjectState } from './project-index.js';
import { turn } from './turn.js';

/** Writes beside the graph, with the next commit, what the next run has to know. */
export class IndexStore {
  readonly #context: StepsContext;

  constructor(context: StepsContext) {
    this.#context = context;
  }

  putState(path: string, state: FileState | undefined): void {
    this.#context.putBlob(stateName(path), state && toBytes(state));
  }

  /** The states of many files; between them others have their turn. */
  async putStates(paths: Iterable<string>, stateOf: (path: string) => FileState | undefined): Promise<void> {
    for (const path of paths) {
      this.putState(path, stateOf(path));
      await turn(this.#context);
    }
  }

  putFacts(path: string, bytes: Uint8Array | null): void {
    this.#context.putBlob(factsName(path), bytes ?? undefined);
  }

  /** A file that is gone. */
  forget(path: string): void {
    this.putState(path, undefined);
    this.putFacts(path, null);
  }

  putProject(project: ProjectState): void {
    this.#context.putBlob(PROJECT_STATE, toBytes(project));
  }

  putMark(mark: IndexProgress): void {
    this.#context.putBlob(PROGRESS_MARK, toBytes(mark));
  }
}
