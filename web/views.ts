import { CodewalkError } from '../schema/index.js';

/** One walker that a view asks, by the name of its part. */
export interface Question {
  readonly walker: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a view asks: `first` at once; `then` of the node that `code` found. Keys are names of parts. */
export interface View {
  readonly name: ViewName;
  readonly first: Readonly<Record<string, Question>>;
  readonly then?: (id: string) => Readonly<Record<string, Question>>;
  /** Whether the server adds the state of the daemon, the journal and the project's sizes as `status`. */
  readonly status?: true;
}

type Query = Readonly<Record<string, string>>;
type Maker = (names: readonly string[], query: Query) => Omit<View, 'name'>;

/** Rows and tokens of what a page shows whole; the walkers' own limits are for models. */
const ROWS = 200;
const WHOLE = { max_tokens: 20_000 };
/** Tokens of the parts of one view, which together are no larger than an answer may be. */
const within = (max_tokens: number) => ({ max_tokens });

/** The views by the first part of their path. */
const VIEWS = {
  '': () => ({
    first: {
      stats: { walker: 'graph_stats', input: {} },
      tasks: { walker: 'tasks', input: { limit: 10, ...WHOLE } },
      errors: { walker: 'errors', input: { limit: 10, ...WHOLE } },
      memories: { walker: 'memory_search', input: { limit: 10, ...WHOLE } },
    },
  }),
  symbol: (names) => ({
    first: { code: { walker: 'explore_code', input: { name: names.join('/'), ...within(50_000) } } },
    then: (id) => ({
      callers: { walker: 'query_callers', input: { function_name: id, ...within(15_000) } },
      tests: { walker: 'query_tests', input: { name: id, ...within(10_000) } },
      references: { walker: 'query_references', input: { name: id, ...within(10_000) } },
      history: { walker: 'explore_history', input: { id, ...within(20_000) } },
    }),
  }),
  file: (names, { from }) => ({
    first: {
      code: {
        walker: 'explore_code',
        input: { name: `file:${names.join('/')}`, ...within(90_000), ...number('from_line', from) },
      },
    },
    then: (id) => ({ history: { walker: 'explore_history', input: { id, ...within(20_000) } } }),
  }),
  path: ([from = '', to = '']) => ({ first: { path: { walker: 'explain', input: { from, to } } } }),
  map: (names) => ({
    first: { map: { walker: 'explore_map', input: names.length === 0 ? {} : { folder: names.join('/') } } },
  }),
  tasks: (_names, query) => ({
    first: {
      tasks: {
        walker: 'tasks',
        input: { limit: ROWS, ...WHOLE, ...given(query, 'status', 'client', 'session') },
      },
    },
  }),
  task: ([task, other]) => ({
    first: {
      task: taskQuestion(task),
      ...(other === undefined ? {} : { other: taskQuestion(other) }),
    },
  }),
  errors: (_names, query) => ({
    first: { errors: { walker: 'errors', input: { limit: ROWS, ...WHOLE, ...given(query, 'type') } } },
  }),
  error: (names) => ({
    first: {
      error: { walker: 'errors', input: { failure: names.join('/'), ...WHOLE } },
      impact: { walker: 'trace_impact', input: { from: names.join('/'), ...WHOLE } },
    },
  }),
  memories: (_names, { query = '', type, tag }) => ({
    first: {
      memories: {
        walker: 'memory_search',
        input: {
          query,
          limit: ROWS,
          ...WHOLE,
          ...(type === undefined ? {} : { memory_types: [type] }),
          ...(tag === undefined ? {} : { tags: [tag] }),
        },
      },
    },
  }),
  memory: ([id = '']) => ({
    first: {
      memory: { walker: 'memory_get', input: { memory_id: id, ...WHOLE } },
      related: { walker: 'memory_related', input: { memory_id: id, ...WHOLE } },
      history: { walker: 'memory_history', input: { memory_id: id, ...WHOLE } },
    },
  }),
  query: () => ({ first: {} }),
  search: (names) => ({
    first: { search: { walker: 'search_code', input: { query: names.join('/'), limit: 50, ...WHOLE } } },
  }),
  health: () => ({
    first: {
      health: { walker: 'explore_health', input: {} },
      stats: { walker: 'graph_stats', input: {} },
    },
    status: true,
  }),
} satisfies Record<string, Maker>;

/** The first part of a view's path; empty: the start. */
export type ViewName = keyof typeof VIEWS;

function taskQuestion(task: string | undefined): Question {
  return { walker: 'show', input: { edits: true, ...(task === undefined ? {} : { task }) } };
}

/** The fields of a query that a view hands on. */
function given(query: Query, ...names: readonly string[]): Query {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** A field that is a number; what is none is refused by the walker, which says what it takes. */
function number(name: string, text: string | undefined): Readonly<Record<string, number | string>> {
  if (text === undefined) return {};
  return { [name]: Number.isNaN(Number(text)) ? text : Number(text) };
}

/**
 * What a view asks.
 *
 * @param path Of a view as addresses have it behind `#/`: names percent-encoded, a query behind `?`.
 * @throws CodewalkError `INVALID_INPUT` for a path that is none, or names no view.
 */
export function viewOf(path: string): View {
  const [, place = '', query = ''] = /^\/?([^?]*)\??(.*)$/su.exec(path) ?? [];
  const [name = '', ...names] = place
    .split('/')
    .filter((part, at) => at === 0 || part !== '')
    .map(decoded);
  if (!Object.hasOwn(VIEWS, name)) {
    const views = Object.keys(VIEWS).filter((one) => one !== '');
    throw new CodewalkError('INVALID_INPUT', `there is no view '${name}'`, {
      input: path,
      suggestion: `Views are ${views.join(', ')}.`,
    });
  }
  const known = name as ViewName;
  const maker: Maker = VIEWS[known];
  return { name: known, ...maker(names, Object.fromEntries(new URLSearchParams(query))) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new CodewalkError('INVALID_INPUT', `'${part}' is not percent-encoded text`, {
      input: part,
      suggestion: "A '%' itself is written %25.",
    });
  }
}
