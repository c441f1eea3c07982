import { z } from 'zod';
import { UNFINISHED } from '../graphs/code/index.js';
import { askedOf, draftOf, type Extent, fitted, harmless, tokensOf } from '../present/index.js';
import {
  checkDeclared,
  limitText,
  type RunFigures,
  type RunOptions,
  type Truncation,
  type WalkerType,
} from '../runtime/index.js';
import { CodewalkError, isRecord, type Layer, LIMITS, shortenedText } from '../schema/index.js';
import { withDefaults } from './config.js';
import { FilesState, FRESH, type FreshState, filesState, freshNotes } from './freshness/fresh-state.js';
import type { Freshness } from './freshness/freshness.js';
import type { OpenGraph } from './open-graph.js';
import { isRecorded } from './project-root.js';
import { movedFrom } from './projects/project-list.js';

/** What every answer says of itself (spec P-01). */
export const AnswerState = z.object({
  /** The root that the answer is about; null for a graph in memory. */
  root: z.string().nullable(),
  /** The deepest indexed root above it; absent where there is none. */
  enclosing_root: z.string().optional(),
  /** The revision of the graph that the answer speaks of. */
  revision: z.number().int(),
  ...FilesState.shape,
  /** Unresolved candidates behind what was asked; null where the question has none. */
  unresolved: z.number().int().nullable(),
  /** What was left out, and how to get it. */
  cut: z.array(z.string()),
  /** Gives the next rows as the input `cursor` of the same question; absent where these are the last. */
  cursor: z.string().optional(),
});

export type AnswerState = z.infer<typeof AnswerState>;

/** The walker's output, or its reports, with `state`. */
export type AnswerBody = Record<string, unknown> & { readonly state: AnswerState };

/** The forms of an answer: each has the whole budget, and is cut by its own size (P-02). */
export const ANSWER_FORMS = ['json', 'markdown'] as const;
/** See {@link ANSWER_FORMS}. */
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** The answer of a walker as faces give it: as JSON and as Markdown, so far as each was asked for. */
export interface Answer {
  /** What the Markdown shows where no JSON was asked for. */
  readonly body: AnswerBody;
  /** For people and models; empty where it was not asked for. */
  readonly markdown: string;
  readonly truncated: Truncation | null;
  readonly figures: RunFigures;
}

/** The schema of a walker's answer: its output (or its reports) with `state`; open where the output has no schema. */
export function answerSchema(walker: WalkerType): z.ZodObject {
  const { output, finish } = walker;
  if (output instanceof z.ZodObject) return output.extend({ state: AnswerState }) as z.ZodObject;
  if (finish) return z.looseObject({ state: AnswerState });
  return z.object({ reports: z.array(walker.reportSchema ?? z.unknown()), state: AnswerState });
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
  freshness: Pick<Freshness, 'before' | 'run' | 'found'> | null = null,
  forms: readonly AnswerForm[] = ANSWER_FORMS,
): Promise<Answer> {
  const walker = typeof named === 'string' ? graph.walkers.get(named) : named;
  const { root, home } = graph;
  const given = home === null ? input : withDefaults(walker.name, input, root, { home });
  const fresh = freshness ? await freshness.before(walker, options) : FRESH;
  const running =
    freshness?.run(walker, given, options) ?? graph.spawn(walker, null, given as never, options);
  const run = await running.catch((thrown) => {
    throw withNotes(thrown, [...freshNotes(filesState(fresh)), ...damageNotes(graph)]);
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
  const markdownOf = (output: unknown, extent: Extent): string => {
    const shown =
      walker.markdown && isRecord(output)
        ? walker.markdown(output as never)
        : plainMarkdown(walker.name, bodyOf(output, extent));
    return withState(shown, stateOf(extent), movedNotes);
  };
  // The run checked its output; left is a walker that declares one and answers with reports.
  if (!isRecord(whole)) checkDeclared(walker, answerSchema(walker), bodyOf(whole, NOTHING_CUT), 'answer');
  const sized = (cost: (output: unknown, extent: Extent) => number) =>
    draft ? fitted(draft, askedOf(walker, root, given), cost) : { output: whole as object, ...NOTHING_CUT };
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

/** A refusal rests on the graph, too: what is not found may be in a file that is still to be indexed. */
function withNotes(thrown: unknown, notes: readonly string[]): unknown {
  if (!(thrown instanceof CodewalkError) || notes.length === 0) return thrown;
  const { code, message, suggestion, providedInput: input, retryAfterMs } = thrown;
  const retry = retryAfterMs === null ? {} : { retryAfterMs };
  const more = [...notes, suggestion].join(' ').trimEnd();
  return new CodewalkError(code, message, { suggestion: more, input, ...retry, cause: thrown });
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
