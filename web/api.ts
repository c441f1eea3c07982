import type { Host, SpawnOptions, SpawnRequest, WalkerSignature } from '../host/index.js';
import {
  CodewalkError,
  EDGE_ALIASES,
  type ErrorBody,
  LABEL_RULES,
  NODE_ARCHETYPES,
  shortened,
  toCodewalkError,
} from '../schema/index.js';
import { type Question, type ViewName, viewOf } from './views.js';

/** The walkers that may write for a page: only what a person corrects in a memory. */
export const WRITERS: readonly string[] = ['memory_update', 'memory_delete'];

/** Bytes of an answer as JSON, at most: a page that shows more is of no use to anybody. */
const MOST_BYTES = 500_000;

/** An answer of a walker, or why there is none. */
export type Part = { readonly body: Readonly<Record<string, unknown>> } | { readonly error: ErrorBody };

/** What a view shows: the answers of its walkers by the names of its parts. */
export interface ViewAnswer {
  readonly view: ViewName;
  readonly parts: Readonly<Record<string, Part>>;
  /** The newest revision of the graph that a part speaks of; null where none does. */
  readonly revision: number | null;
}

const sorted = (names: readonly string[]) => [...new Set(names)].sort();

/** The names that queries may use. */
const VOCABULARY = {
  labels: sorted(LABEL_RULES.map(({ label }) => label)),
  types: sorted(Object.keys(EDGE_ALIASES)),
  properties: sorted(NODE_ARCHETYPES.flatMap(({ schema }) => Object.keys(schema.shape))),
};

/** What `codewalk status` says, of one project. */
export interface ProjectStatus {
  readonly project: { readonly indexed_at: string | null } | null;
  readonly [key: string]: unknown;
}

/** What an {@link ExplorerApi} asks, and of which project. */
export interface ApiOptions {
  readonly host: Host;
  /** Checked and real. */
  readonly root: string;
  readonly own: { readonly folders: readonly string[]; readonly signatures: readonly WalkerSignature[] };
  readonly builtIn: readonly WalkerSignature[];
  readonly version: string;
  readonly force: boolean;
  /** The state of the daemon, the journal and the project (null: it has no graph yet); JSON. */
  readonly status: () => Promise<ProjectStatus>;
  /** Whether the graph is open somewhere already: then looking at it starts and opens nothing. */
  readonly isOpen: () => Promise<boolean>;
}

/** What the page of one project may ask: every answer is that of a walker. */
export class ExplorerApi {
  constructor(private readonly options: ApiOptions) {}

  /** The project, and the walkers that the page can run. */
  project() {
    const { root, version, builtIn, own } = this.options;
    const may = ({ name, access }: WalkerSignature) => access === 'read' || WRITERS.includes(name);
    const name = root.split(/[\\/]/u).findLast((part) => part !== '') ?? root;
    const walkers = [...builtIn, ...own.signatures].filter(may);
    return { root, name, version, walkers, vocabulary: VOCABULARY };
  }

  /**
   * The answer of a view. What fails is told in its part; where the first questions fail the others are not asked.
   *
   * @param path See {@link viewOf}.
   * @throws CodewalkError `INVALID_INPUT` where there is no such view.
   */
  async view(path: string, options: SpawnOptions = {}): Promise<ViewAnswer> {
    const { name, first, then, status } = viewOf(path);
    const parts: Record<string, Part> = await this.#ask(first, options);
    const id = then ? idOf(parts.code) : null;
    if (then && id !== null) Object.assign(parts, await this.#ask(then(id), options));
    if (status)
      parts.status = await this.options.status().then(
        (body) => ({ body }),
        (thrown) => ({ error: toCodewalkError(thrown).toBody() }),
      );
    const revisions = Object.values(parts).flatMap((part) => ('body' in part ? revisionOf(part.body) : []));
    return {
      view: name,
      parts: smallEnough(parts),
      revision: revisions.length === 0 ? null : Math.max(...revisions),
    };
  }

  /**
   * Runs one walker with an input.
   *
   * @param mayWrite Whether the caller said that it means to write: then {@link WRITERS} may.
   * @throws CodewalkError `WALKER_NOT_FOUND`; `READ_ONLY` for a walker that may not write here.
   */
  async run(
    walker: string,
    input: Readonly<Record<string, unknown>>,
    mayWrite: boolean,
    options: SpawnOptions = {},
  ): Promise<Part> {
    const { builtIn, own } = this.options;
    const known = [...builtIn, ...own.signatures].find(({ name }) => name === walker);
    if (!known)
      throw new CodewalkError('WALKER_NOT_FOUND', `there is no walker '${walker}'`, {
        input: walker,
        suggestion: 'GET /api/project lists them.',
      });
    if (known.access !== 'read' && !(mayWrite && WRITERS.includes(walker)))
      throw new CodewalkError('READ_ONLY', `the explorer does not run '${walker}', which writes`, {
        input: walker,
        suggestion: WRITERS.includes(walker)
          ? "Say that you mean it with the header 'x-codewalk-write: yes'."
          : 'Use the command.',
      });
    const { part = never(walker) } = smallEnough(await this.#ask({ part: { walker, input } }, options));
    return part;
  }

  async #ask(
    questions: Readonly<Record<string, Question>>,
    options: SpawnOptions,
  ): Promise<Record<string, Part>> {
    const entries = Object.entries(questions).map(
      async ([name, question]): Promise<[string, Part]> => [name, await this.#answer(question, options)],
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  async #answer({ walker, input }: Question, options: SpawnOptions): Promise<Part> {
    const { host, root, own, force } = this.options;
    const request: SpawnRequest = {
      walker,
      root,
      input,
      forms: ['json'],
      force,
      userWalkers: own.folders,
      detached: true,
      browsing: true,
    };
    try {
      return { body: (await host.spawn(request, options)).body };
    } catch (thrown) {
      return { error: { ...toCodewalkError(thrown).toBody(), provided_input: shortened(input) } };
    }
  }
}

/** The id of the node that the part `code` is about; null where it found none. */
function idOf(part: Part | undefined): string | null {
  if (part === undefined || !('body' in part)) return null;
  const { node } = part.body;
  return typeof node === 'object' && node !== null && 'id' in node && typeof node.id === 'string'
    ? node.id
    : null;
}

function revisionOf({ state }: Readonly<Record<string, unknown>>): number[] {
  const revision = typeof state === 'object' && state !== null && 'revision' in state ? state.revision : null;
  return typeof revision === 'number' ? [revision] : [];
}

/** Parts that together are no larger than an answer may be: the largest ones are left out, and say so; the first goes last. */
function smallEnough(parts: Record<string, Part>): Record<string, Part> {
  const sizes = Object.entries(parts).map(([name, part]) => ({
    name,
    bytes: Buffer.byteLength(JSON.stringify(part)),
  }));
  let left = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const small = { ...parts };
  const [first, ...others] = sizes;
  for (const { name, bytes } of [...others.sort((a, b) => b.bytes - a.bytes), ...(first ? [first] : [])]) {
    if (left <= MOST_BYTES) break;
    const error = new CodewalkError(
      'INVALID_INPUT',
      `the answer has ${bytes} bytes, more than a page may get`,
      { suggestion: 'Ask for less: a narrower question, or a smaller limit.' },
    );
    small[name] = { error: error.toBody() };
    left -= bytes;
  }
  return small;
}

function never(walker: string): Part {
  return { error: new CodewalkError('INTERNAL', `${walker} gave no answer`).toBody() };
}
