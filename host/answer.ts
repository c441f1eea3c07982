import { join } from 'node:path';
import { z } from 'zod';
import { UNFINISHED } from '../graphs/code/index.js';
import { askedOf, draftOf, type Extent, fitted, harmless, tokensOf } from '../present/index.js';
import {
  checkDeclared,
  type FollowUp,
  type Limits,
  limitText,
  type RunOptions,
  TooLongHere,
  type WalkerType,
} from '../runtime/index.js';
import {
  CodewalkError,
  isRecord,
  type Layer,
  LIMITS,
  shortenedText,
  toCodewalkError,
  toolEntry,
  wrongInput,
} from '../schema/index.js';
import { pausedBy, withDefaults } from './config.js';
import { FRESH, type FreshState, filesState, freshNotes, indexingText } from './freshness/fresh-state.js';
import type { Freshness } from './freshness/freshness.js';
import {
  type Answer,
  type AnswerBody,
  type AnswerForm,
  AnswerState,
  type Spawned,
  type SpawnOptions,
  type SpawnRequest,
  type WalkerSignature,
} from './host.js';
import type { OpenGraph } from './open-graph.js';
import { isRecorded, ROOT_FIELD } from './project-root.js';
import { movedFrom } from './projects/project-list.js';
import type { WalkerRegistry } from './registry.js';
import { spoolInto } from './spool.js';

/** What brings a graph up to date before an answer about code. */
export type Refresher = Pick<Freshness, 'before' | 'run' | 'found'>;

/** The schema of a walker's answer: its output (or its reports) with `state`; open where the output has no schema. */
export function answerSchema(walker: WalkerType): z.ZodObject {
  const { output, finish } = walker;
  if (output instanceof z.ZodObject) return output.extend({ state: AnswerState }) as z.ZodObject;
  if (finish) return z.looseObject({ state: AnswerState });
  return z.object({ reports: z.array(walker.reportSchema ?? z.unknown()), state: AnswerState });
}

/** The signature of a walker. What JSON Schema cannot say of a field is left open. */
export function signatureOf(walker: WalkerType): WalkerSignature {
  const { name, description, access, examples } = walker;
  const input = z.toJSONSchema(walker.input, { io: 'input', unrepresentable: 'any' });
  const output = z.toJSONSchema(answerSchema(walker), { io: 'output', unrepresentable: 'any' });
  return { name, description, access, input, output, examples };
}

/** What a request runs in. */
export interface SpawnPlace {
  readonly walkers: WalkerRegistry;
  /** Opens the graph of the request; called once its input has been checked. */
  readonly open: () => Promise<{ readonly graph: OpenGraph; readonly freshness: Refresher }>;
  readonly home: string;
  /** Runs what an answer leaves to be written down: nobody waits for it, and it may fail. */
  readonly afterwards: (due: FollowUp, graph: OpenGraph) => void;
}

/**
 * The input of a request, with its root where the walker takes one.
 *
 * @throws CodewalkError `INVALID_INPUT` naming the field, with the fields that there are.
 */
export function checkedInput(walker: WalkerType, request: SpawnRequest): Record<string, unknown> {
  const ownRoot = ROOT_FIELD in walker.input.shape ? { [ROOT_FIELD]: request.root } : {};
  const input = { ...request.input, ...ownRoot };
  const { success, error } = walker.input.safeParse(input);
  if (success) return input;
  const fields = [...Object.keys(walker.input.shape), ...(request.faceFields ?? [])];
  throw wrongInput(walker.name, error, fields, input, request.given ?? input);
}

/**
 * Runs a request on a graph. Its input is checked before the graph is opened: a wrong call costs nothing and makes
 * nothing.
 *
 * @throws CodewalkError as {@link Host.spawn}.
 */
export async function spawnOn(
  place: SpawnPlace,
  request: SpawnRequest,
  options: SpawnOptions = {},
): Promise<Spawned> {
  const walker = place.walkers.get(request.walker);
  const input = checkedInput(walker, request);
  if (walker.name === 'etg_log_event') refuseWhilePaused(request, place.home);
  const spool = request.spool ? spoolInto(join(place.home, 'spool')) : null;
  try {
    const { graph, freshness } = await place.open();
    const { limits = {}, caller, requestId } = request;
    const bounds = Object.entries(limits).map(([name, value]) => [name, value ?? Number.POSITIVE_INFINITY]);
    // A report on a line of its own: a text as it is, anything else as JSON.
    const onReport = (report: unknown) =>
      spool?.write(typeof report === 'string' ? report : JSON.stringify(report));
    const run: RunOptions = {
      ...options,
      limits: Object.fromEntries(bounds) as Partial<Limits>,
      ...(caller ? { caller } : {}),
      ...(requestId ? { requestId } : {}),
      ...(spool ? { onReport, keepReports: false } : {}),
    };
    const answered = await answer(graph, walker, input, run, freshness, request.forms);
    const due = request.browsing ? null : walker.afterwards?.(answered.body as never);
    if (due) place.afterwards(due, graph);
    return { ...answered, spool: spool?.finish() ?? null };
  } catch (thrown) {
    spool?.abandon();
    throw thrown instanceof TooLongHere ? thrown : failureOf(thrown, walker, input);
  }
}

/** @throws CodewalkError `RECORDING_PAUSED` */
function refuseWhilePaused({ root, given, input }: SpawnRequest, home: string): void {
  const by = root === ':memory:' ? null : pausedBy(root, { home });
  if (by === null) return;
  const what = by === 'all' ? 'Recording is paused' : `Recording is paused in ${root}`;
  throw new CodewalkError('RECORDING_PAUSED', `${what}: the event was not stored`, {
    input: given ?? input,
    suggestion: by === 'all' ? "'codewalk resume --all' goes on." : `'codewalk resume ${root}' goes on.`,
  });
}

/**
 * The error of a run: our own errors as they are; what the code of a user's walker threw as `WALKER_FAILED` that names the
 * walker; what ours threw as `INTERNAL`.
 */
function failureOf(thrown: unknown, walker: WalkerType, input: unknown): CodewalkError {
  if (thrown instanceof CodewalkError || toolEntry(walker.name)) return toCodewalkError(thrown);
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new CodewalkError('WALKER_FAILED', `The walker '${walker.name}' threw ${message}`, {
    input,
    suggestion: "The error is the walker's own. CODEWALK_DEBUG=1 shows where it was thrown.",
    cause: thrown,
  });
}

/**
 * Runs a walker, or the one of that name, and makes its answer. What the input leaves open comes from the configuration.
 *
 * @param freshness Brings the graph up to date before an answer about code. Null: nobody looks at the files.
 * @param forms What is asked for.
 * @throws CodewalkError `WALKER_NOT_FOUND`, `WALKER_FAILED` when the answer does not fit the walker's schemas,
 * `CONFIG_INVALID`, `INVALID_INPUT` for a cursor of another question or an older graph, or as the run does.
 */
export async function answer(
  graph: OpenGraph,
  named: string | WalkerType,
  input: Record<string, unknown>,
  options: RunOptions = {},
  freshness: Refresher | null = null,
  forms: readonly AnswerForm[] = ['json', 'markdown'],
): Promise<Answer> {
  const walker = typeof named === 'string' ? graph.walkers.get(named) : named;
  const { root, home } = graph;
  const given = home === null ? input : withDefaults(walker.name, input, root, { home });
  const fresh = freshness ? await freshness.before(walker, options) : FRESH;
  const running =
    freshness?.run(walker, given, options) ?? graph.spawn(walker, null, given as never, options);
  const run = await running.catch((thrown) => {
    throw withNotes(thrown, fresh, damageNotes(graph));
  });
  const moved = await movedFrom(graph, walker.name, run);
  const draft = draftOf(run);
  const whole: unknown = draft ? draft.whole : run.output;
  const known = isRecord(whole) && isRecord(whole.state) ? whole.state : {};
  const changed = Array.isArray(known.changed) ? known.changed.map(String) : [];
  freshness?.found(changed);
  const ended = run.truncated ? [`The run ended early at its limit of ${limitText(run.truncated)}.`] : [];
  const left = cutOf(known.cut, fresh);
  const notes = [...damageNotes(graph), ...projectNotes(graph, walker)];
  const stateOf = ({ cut, cursor }: Extent): AnswerState => ({
    root: graph.root,
    ...(graph.enclosingRoot === null ? {} : { enclosing_root: graph.enclosingRoot }),
    revision: run.revision,
    ...filesState(fresh, changed, typeof known.pending === 'number' ? known.pending : 0),
    unresolved: typeof known.unresolved === 'number' ? known.unresolved : null,
    cut: [...left, ...cut, ...ended, ...notes, ...fresh.notes],
    ...(cursor === null ? {} : { cursor }),
  });
  const bodyOf = (output: unknown, extent: Extent): AnswerBody => ({
    ...(isRecord(output) ? output : { reports: run.reports }),
    ...(moved === null ? {} : { moved_from: moved }),
    state: stateOf(extent),
  });
  const movedNotes =
    moved === null
      ? []
      : [`This may be ${moved}, which is gone: 'codewalk adopt ${moved} ${root}' brings its history here.`];
  /** The text that was made last: it is asked for again, once it is known to fit. */
  let last: { readonly output: unknown; readonly cut: Extent['cut']; readonly text: string } | null = null;
  const markdownOf = (output: unknown, extent: Extent): string => {
    if (last !== null && last.output === output && last.cut === extent.cut) return last.text;
    const shown =
      walker.markdown && isRecord(output)
        ? walker.markdown(output as never)
        : plainMarkdown(walker.name, bodyOf(output, extent));
    const text = withState(shown, stateOf(extent), movedNotes);
    last = { output, cut: extent.cut, text };
    return text;
  };
  // The run checked its output; left is a walker that declares one and answers with reports.
  if (!isRecord(whole)) checkDeclared(walker, answerSchema(walker), bodyOf(whole, NOTHING_CUT), 'answer');
  const asked = draft && askedOf(walker, root, given);
  const sized = (cost: (output: unknown, extent: Extent) => number) =>
    draft && asked ? fitted(draft, asked, cost) : { output: whole as object, ...NOTHING_CUT };
  const markdown = forms.includes('markdown') ? sized((...made) => tokensOf(markdownOf(...made))) : null;
  const json = forms.includes('json') ? sized((...made) => tokensOf(bodyOf(...made))) : null;
  const { output, ...extent } = json ?? markdown ?? { output: whole, ...NOTHING_CUT };
  return {
    body: bodyOf(output, extent),
    markdown: markdown ? harmless(markdownOf(markdown.output, markdown)) : '',
    truncated: run.truncated,
    figures: run.figures,
  };
}

const NOTHING_CUT: Extent = { cut: [], cursor: null };

/**
 * A refusal rests on the graph, too: what is not found may be in a file that is still to be indexed. While the project is
 * being indexed, that is what it says first.
 */
function withNotes(thrown: unknown, fresh: FreshState, damage: readonly string[]): unknown {
  const notes = [...freshNotes(filesState(fresh)), ...damage];
  if (!(thrown instanceof CodewalkError) || notes.length === 0) return thrown;
  const { code, message, suggestion, providedInput: input, retryAfterMs } = thrown;
  const { indexed } = fresh;
  const isMissing = code === 'NODE_NOT_FOUND' || code === 'PROJECT_NOT_INDEXED';
  const retry = retryAfterMs === null ? {} : { retryAfterMs };
  return new CodewalkError(code, indexed && isMissing ? `${indexingText(indexed)}: ${message}` : message, {
    suggestion: [...notes, suggestion].join(' ').trimEnd(),
    ...{ input, ...retry, cause: thrown },
  });
}

/** What makes the records of a layer again. */
const MADE_AGAIN: Readonly<Record<Layer, string>> = {
  derived: 'codewalk index --mode full',
  durable: 'codewalk rebuild --durable',
};

/** What damage was met since the graph was opened: the rest is answered. */
function damageNotes({ damaged }: OpenGraph): string[] {
  return (['derived', 'durable'] as const).flatMap((layer) => {
    const [first, ...others] = damaged[layer];
    if (first === undefined) return [];
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const what = `${shortenedText(first, LIMITS.traceName.max)}${more}`;
    return [`Left out, because its stored record is damaged: ${what}. ${MADE_AGAIN[layer]} makes it again.`];
  });
}

/** What is written of a folder that is no project is found there alone. */
function projectNotes({ root, home }: OpenGraph, { access }: WalkerType): string[] {
  if (access !== 'write' || root === null || home === null || isRecorded(root, { home })) return [];
  return [
    `${root} is no project (no git work tree, no manifest, not indexed): what is stored here is for this folder alone, and agents are not recorded in it.`,
  ];
}

/** What a walker says was cut. A run that is at work says itself how far it is. */
function cutOf(said: unknown, { indexed }: FreshState): string[] {
  if (!Array.isArray(said)) return [];
  return said.map(String).filter((one) => indexed === null || one !== UNFINISHED);
}

/** What was cut and what is not up to date is one line at the end; where all is well there is none. */
function withState(markdown: string, state: AnswerState, more: readonly string[]): string {
  const page = state.cursor === undefined ? [] : [`Next page: \`cursor\` \`${state.cursor}\``];
  const notes = [...state.cut, ...freshNotes(state), ...more, ...page];
  return notes.length > 0
    ? `${markdown.trimEnd()}\n\n_${notes.join(' ').replace(/\s+/gu, ' ')}_\n`
    : markdown;
}

function plainMarkdown(title: string, body: Record<string, unknown>): string {
  const { state: _, ...rest } = body;
  const reports = Array.isArray(rest.reports) ? rest.reports : null;
  if (!reports) return `## ${title}\n\n\`\`\`json\n${JSON.stringify(rest, null, 2)}\n\`\`\`\n`;
  const lines = reports.map((report) => `- ${typeof report === 'string' ? report : JSON.stringify(report)}`);
  return `## ${title}\n\n${lines.join('\n') || 'Nothing was reported.'}\n`;
}
