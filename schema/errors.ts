import { shortened, shortenedText } from './shortened.js';

/** Characters of an error's sentence in an answer: it may name a value that is long. */
const LONGEST_MESSAGE = 4000;

/**
 * Every way Codewalk can refuse something, by its stable code. The text says when the code is used;
 * `docs/reference/errors.md` is generated from this table.
 */
export const ERROR_CODES = {
  INVALID_INPUT: 'The input does not fit the schema of the walker, tool or command.',
  INVALID_ARCHETYPE: 'A node, edge or walker definition contradicts itself or another one.',
  INVALID_ROOT: 'The project root does not exist, is not a directory, or is not absolute where it must be.',
  ROOT_REFUSED: 'The root is `/`, a drive root or a home directory; `--force` indexes it all the same.',
  PATH_OUTSIDE_ROOT: 'A path leaves the project root.',
  PROJECT_NOT_INDEXED: 'There is no graph for this root yet.',
  NODE_NOT_FOUND: 'No node has this id or name.',
  REVISION_NOT_FOUND: 'Git does not know a revision of a range, or a shallow clone does not hold it.',
  GIT_FAILED: 'There is no git, the root is in no repository that git may read, or git took too long.',
  NO_HOME:
    'The environment names no home folder: `HOME` is empty or relative, or is not set and the system knows none.',
  WALKER_NOT_FOUND: 'No walker has this name.',
  WALKER_INVALID: 'A walker file could not be loaded: it does not parse, throws, or exports no walker.',
  WALKER_FAILED:
    'A walker threw an error of its own, gave what its schemas refuse, or used its context after its run.',
  CYPHER_SYNTAX: 'A Cypher query does not parse, or contradicts itself; the message shows where.',
  CYPHER_UNSUPPORTED:
    'A Cypher query uses what this engine does not do: it writes, or the message names the construct.',
  CYPHER_RUNTIME: 'A Cypher query met a value that it cannot work with, or a parameter that was not given.',
  QUERY_TIMEOUT: 'A query ran past its deadline, or would need more memory than it may have.',
  READ_ONLY:
    'A walker did what its `access` does not allow: one that reads changed the graph, one that writes committed.',
  CONFLICT: 'Other writers kept changing what this run had read; it was replayed and gave up.',
  DEADLINE: 'A run that cannot end early with what it has ran past its deadline.',
  CANCELLED: 'The caller cancelled the run.',
  WALKER_KILLED:
    'A walker that neither ended nor yielded was ended from outside, or ended its thread; the graph was opened again.',
  RECORDING_PAUSED: 'Nothing is recorded of this project, or of any, until `codewalk resume`.',
  BUSY: 'Too much is waiting already, or another request holds up the project; `retry_after` says in how many milliseconds to try again.',
  DAEMON_FAILED: 'The daemon that owns the open graphs could not be started or reached.',
  DAEMON_NEWER: 'The daemon that runs is of a newer version that does not speak with this one.',
  CONFIG_INVALID: 'The configuration file is not what it may be; it is never overwritten then.',
  HISTORY_REFUSED:
    'A history cannot be moved or removed as asked: another root shares it, has one of its own, or is still there.',
  INSTALL_REFUSED:
    'A settings file of an agent cannot take our entries, or give them back, as it is; nothing was written.',
  PORT_IN_USE: 'Another program listens on the port that was asked for.',
  EMBEDDINGS_FAILED:
    'There is no embeddings endpoint, or the one that is configured did not answer as it should; the message says why.',
  GRAMMAR_FAILED: 'The grammar of a language failed to load.',
  PARSE_FAILED: 'A file could not be parsed or extracted; it is in the graph without symbols.',
  STORE_LOCKED: 'Another process holds the store.',
  STORE_CORRUPT: 'The store cannot be read.',
  STORE_NEWER: 'The store was written by a newer version of Codewalk.',
  BACKUP_INVALID: 'A backup is damaged, cut short, or no backup; nothing was changed.',
  STORE_FULL: 'The disk is full or the store cannot be written.',
  STORE_CLOSED: 'The store is closed, or the transaction is over.',
  KEY_COLLISION: 'Two ids share one key; the store chooses another salt and goes on.',
  INTERNAL: 'A fault of Codewalk itself.',
} as const;

/** A stable error code: one of the keys of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What an error answer carries on every face (spec S0-57). */
export interface ErrorBody {
  /** A sentence that names the offending value. */
  error: string;
  error_code: ErrorCode;
  /** What to do about it; empty when there is nothing to suggest. */
  suggestion: string;
  /** The input that was given, as {@link shortened} shows it; null when there was none. */
  provided_input: unknown;
  /** Milliseconds until another try may succeed; absent where another try does not help by itself. */
  retry_after?: number;
}

/** What a {@link CodewalkError} may carry beside its code and message. */
export interface ErrorDetails {
  /** What to do about it. */
  suggestion?: string;
  /** The input that was given, as it was given. */
  input?: unknown;
  /** Milliseconds until another try may succeed. */
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * The one error class. `code` is stable and is what programs and tests look at; `message` names the
 * offending value; `suggestion` says what to do.
 */
export class CodewalkError extends Error {
  readonly code: ErrorCode;
  readonly suggestion: string;
  readonly providedInput: unknown;
  /** Milliseconds until another try may succeed; null: trying again does not help by itself. */
  readonly retryAfterMs: number | null;

  /**
   * The clients and the engine are bundles of their own, each with its copy of this class: they mean the same. A class
   * that extends this one needs its own.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'CodewalkError';
  }

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CodewalkError';
    this.code = code;
    this.suggestion = details.suggestion ?? '';
    this.providedInput = details.input ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }

  /** The same error as the body that every face answers with. */
  toBody(): ErrorBody {
    return {
      error: shortenedText(this.message, LONGEST_MESSAGE),
      error_code: this.code,
      suggestion: this.suggestion,
      provided_input: shortened(this.providedInput),
      ...(this.retryAfterMs === null ? {} : { retry_after: this.retryAfterMs }),
    };
  }
}

/**
 * Any thrown value as a {@link CodewalkError}: one of ours as it is, anything else under `fallback`.
 */
export function toCodewalkError(thrown: unknown, fallback: ErrorCode = 'INTERNAL'): CodewalkError {
  if (thrown instanceof CodewalkError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  // What a signal throws that says it is over.
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return new CodewalkError('DEADLINE', 'the run took longer than it may', { cause: thrown });
  if (thrown instanceof DOMException && thrown.name === 'AbortError')
    return new CodewalkError('CANCELLED', 'the run was cancelled', { cause: thrown });
  return new CodewalkError(fallback, message, { cause: thrown });
}

/** The error that a body tells of: what crossed a thread or a process as plain data. */
export function errorFromBody(body: ErrorBody): CodewalkError {
  return new CodewalkError(body.error_code, body.error, {
    suggestion: body.suggestion,
    input: body.provided_input,
    ...(body.retry_after === undefined ? {} : { retryAfterMs: body.retry_after }),
  });
}

/** The environment names no folder for what is to be kept or changed in the user's home. */
export function noHome(): CodewalkError {
  return new CodewalkError('NO_HOME', 'HOME names no absolute folder', {
    input: process.env.HOME ?? null,
    suggestion: 'Set HOME; for graphs alone --home or GRAPHS_HOME will do.',
  });
}

/**
 * There is no graph of a root yet, with what to do about it.
 *
 * @param root Absolute; null for a graph in memory.
 * @param above The nearest root above it that has a graph; null when there is none.
 */
export function projectNotIndexed(root: string | null, above: string | null = null): CodewalkError {
  const parent = above === null ? '' : ` Its parent ${above} is indexed.`;
  return new CodewalkError('PROJECT_NOT_INDEXED', `there is no graph of ${root ?? 'this graph'} yet`, {
    input: root,
    suggestion: `Index it first: codewalk index${root === null ? '' : ` ${root}`} (or the tool graph_index_project).${parent}`,
  });
}
