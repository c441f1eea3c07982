import { z } from 'zod';
import {
  Counter,
  indexProgress,
  readState,
  stateName,
  storedProject,
  unfinishedState,
} from '../../graphs/code/index.js';
import { draftBy, pageFields, plural, presented, quotedName } from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { File, LIMITS, SymbolCallsSymbol, SymbolMayCallSymbol, Unresolved } from '../../schema/index.js';
import {
  discover,
  languageOf,
  SKIP_REASONS,
  type SkipReason,
  TIERS,
  type Tier,
  tierOf,
} from '../../source/index.js';
import { CANDIDATE_CAUSES } from '../query/calls.js';
import { UNRESOLVED_CAUSES } from './code-calls.js';
import { lastOf, once } from './once.js';

/** Files that a list names, and names of one cause. */
const MOST_FILES = 100;
const MOST_NAMES = 10;
/** Records that are looked at for what was masked. */
const MOST_RECORDS = 5000;

const text = z.string();
const count = z.number().int();
const [OF_SEVERAL] = CANDIDATE_CAUSES;

/** What `explore_health` answers. */
export const ExploreHealthOutput = z.object({
  /** When a file was indexed last (ISO 8601), and how many index runs wrote. */
  ...{ indexed_at: text.nullable(), generation: count },
  /** False while an index run is not finished: nodes and edges are missing. */
  complete: z.boolean(),
  /** How well each language is read, most files first. */
  languages: z.array(
    z.object({
      ...{ language: text, files: count, extracted: count },
      ...{ tier: z.enum(Object.keys(TIERS) as [Tier, ...Tier[]]), means: text },
    }),
  ),
  /** Calls that lead to nothing in the project, and those that may lead to several: by cause, with the names that are most called. */
  unresolved: z.array(
    z.object({
      cause: z.enum([...UNRESOLVED_CAUSES, OF_SEVERAL]),
      calls: count,
      names: z.array(z.object({ name: text, calls: count })),
    }),
  ),
  /** Files that are not read in full. */
  syntax_errors: z.array(z.object({ path: text, lines: z.array(count) })),
  syntax_errors_total: count,
  /** Files of a language that is extracted whose symbols are missing. */
  not_extracted: z.array(z.object({ path: text, reason: text })),
  not_extracted_total: count,
  /** Files and folders that are left out, by reason. */
  skipped: z.array(z.object({ reason: text, means: text, count })),
  /** Secrets in what was recorded of agents and memories, by kind, which were never stored; of the first records. */
  masked: z.array(z.object({ kind: text, times: count })),
});
export type ExploreHealthOutput = z.infer<typeof ExploreHealthOutput>;

/** How well a project is known: what is not resolved and why, how its languages are read, what was left out and masked. */
export const ExploreHealth = defineWalker('explore_health', {
  description:
    'How well the project is known: languages and how they are read, unresolved calls by cause, files with errors, what is left out and masked: for the page of codewalk explore.',
  input: { ...pageFields(LIMITS.exploreTokens) },
  output: ExploreHealthOutput,
  examples: [{ title: 'How well the project is known', input: {} }],
  run: async (_here, context) => {
    const progress = await indexProgress(context);
    const { generation, complete } = progress;
    const code = await once(context, CODE, context.codeRevision, () => codeHealth(context));
    const masked = await once(context, MASKED, context.version, () => maskedSecrets(context));
    const whole = { ...code, masked, generation, complete, state: unfinishedState(progress) };
    const lists = ['unresolved', 'languages', 'skipped', 'masked', 'syntax_errors', 'not_extracted'];
    return presented(
      draftBy(whole, {
        limit: LIMITS.exploreTokens,
        revision: context.codeRevision,
        lists: lists.map((at) => ({ at, what: at.replace('_', ' ') })),
      }),
    );
  },
  markdown: ({ languages, unresolved, syntax_errors_total, not_extracted_total, skipped, masked }) =>
    [
      '## Health',
      '',
      ...languages.map(
        ({ language, files, tier }) => `- ${quotedName(language)}: ${plural(files, 'file')}, ${tier}`,
      ),
      ...unresolved.map(({ cause, calls, names }) => {
        const first = names.map(({ name }) => quotedName(name)).join(', ');
        return `- ${plural(calls, 'call')}: ${cause}${first === '' ? '' : ` (${first})`}`;
      }),
      `- ${plural(syntax_errors_total, 'file')} with syntax errors, ${not_extracted_total} without symbols`,
      ...skipped.map(({ reason, count: times }) => `- ${times} left out: ${reason}`),
      ...masked.map(({ kind, times }) => `- ${times} masked: ${quotedName(kind)}`),
      '',
    ].join('\n'),
});

type CodeHealth = Omit<ExploreHealthOutput, 'masked' | 'generation' | 'complete'>;
const CODE = lastOf<CodeHealth>('health of the code');
const MASKED = lastOf<ExploreHealthOutput['masked']>('what was masked');

async function codeHealth(context: ReadContext): Promise<CodeHealth> {
  const files = await context.find(File);
  const broken = files.filter(({ syntax_errors }) => syntax_errors.length > 0);
  const bare = files.filter(({ extracted, path }) => !extracted && languageOf(path) !== null);
  const times = files.flatMap(({ indexed_at }) => indexed_at ?? []);
  return {
    indexed_at: times.reduce<string | null>(
      (last, time) => (last === null || time > last ? time : last),
      null,
    ),
    languages: languageRows(files),
    unresolved: await unresolvedCalls(context),
    syntax_errors: broken
      .slice(0, MOST_FILES)
      .map(({ path, syntax_errors }) => ({ path, lines: [...syntax_errors] })),
    syntax_errors_total: broken.length,
    not_extracted: await withReasons(context, bare.slice(0, MOST_FILES)),
    not_extracted_total: bare.length,
    skipped: await skippedFiles(context),
  };
}

function languageRows(files: readonly NodeRef<typeof File>[]): CodeHealth['languages'] {
  const figures = new Map<string, { files: number; extracted: number }>();
  for (const { language, extracted } of files) {
    const known = figures.get(language) ?? { files: 0, extracted: 0 };
    figures.set(language, { files: known.files + 1, extracted: known.extracted + Number(extracted) });
  }
  return [...figures]
    .map(([language, figure]) => {
      const tier = tierOf(language);
      return { language, ...figure, tier, means: TIERS[tier] };
    })
    .sort((a, b) => b.files - a.files || compareText(a.language, b.language));
}

/** Calls by cause, the most frequent first: what one symbol calls by one name counts once. */
async function unresolvedCalls(context: ReadContext): Promise<CodeHealth['unresolved']> {
  const [receiver, name, foreign] = UNRESOLVED_CAUSES;
  const counts = new Map<CodeHealth['unresolved'][number]['cause'], Counter>();
  const add = (cause: CodeHealth['unresolved'][number]['cause'], called: string) => {
    const counter = counts.get(cause) ?? new Counter();
    counts.set(cause, counter);
    counter.add(called);
  };
  const stubs = await context.find(Unresolved);
  const calls = await context.entries(
    stubs.map(({ id }) => id),
    'in',
    SymbolCallsSymbol,
  );
  for (const [at, stub] of stubs.entries())
    for (const { props } of calls[at] ?? [])
      add(
        stub.package !== null ? foreign : props.call_type === 'method' ? receiver : name,
        stub.qualified_name,
      );
  const rows = [...counts].map(([cause, counter]) => {
    const names = Object.entries(counter.sorted()).slice(0, MOST_NAMES);
    return { cause, calls: counter.total, names: names.map(([one, calls]) => ({ name: one, calls })) };
  });
  const several = (await context.counts()).edges.get(SymbolMayCallSymbol.name) ?? 0;
  if (several > 0) rows.push({ cause: OF_SEVERAL, calls: several, names: [] });
  return rows.sort((a, b) => b.calls - a.calls || compareText(a.cause, b.cause));
}

async function withReasons({ blobs }: ReadContext, files: readonly NodeRef<typeof File>[]) {
  const states = await blobs(files.map(({ path }) => stateName(path)));
  return files.map(({ path }, at) => {
    const { problem = null, plain = null } = readState(states[at]) ?? {};
    return { path, reason: problem?.reason ?? plain ?? 'unknown' };
  });
}

/** What the rules of the last index leave out of what is on disk now. */
async function skippedFiles(context: ReadContext): Promise<CodeHealth['skipped']> {
  const { projectRoot: root, signal } = context;
  const project = await storedProject(context);
  if (root === null || project === undefined) return [];
  const { include, exclude, max_file_bytes: maxFileBytes } = project;
  const { skipped } = await discover(root, {
    languageOf,
    include,
    exclude,
    limits: { maxFileBytes },
    signal,
  });
  const counter = new Counter();
  for (const { reason } of skipped) counter.add(reason);
  return Object.entries(counter.sorted()).map(([reason, times]) => {
    return { reason, means: SKIP_REASONS[reason as SkipReason], count: times };
  });
}

/** What was masked in the first records of what is stored for good. */
async function maskedSecrets({ storedNodes }: ReadContext): Promise<ExploreHealthOutput['masked']> {
  const counter = new Counter();
  let left = MOST_RECORDS;
  for await (const page of storedNodes('durable')) {
    for (const { props } of page)
      for (const [, kind = ''] of JSON.stringify(props).matchAll(/\[masked:([\w-]{1,60})\]/gu))
        counter.add(kind);
    left -= page.length;
    if (left <= 0) break;
  }
  return Object.entries(counter.sorted()).map(([kind, times]) => ({ kind, times }));
}
