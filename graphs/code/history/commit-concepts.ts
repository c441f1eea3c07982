import { z } from 'zod';
import { shownLine } from '../../../present/index.js';
import type { EdgeDraft, NodeRef, ReadContext, StepsContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  Concept,
  conceptId,
  FileContainsSymbol,
  FileMentionsConcept,
  fileId,
  isCommitConcept,
  LIMITS,
  lastNamePart,
  SymbolImplementsConcept,
} from '../../../schema/index.js';
import { type CommitFact, type GitAnswer, masked } from '../../../source/index.js';

/** Raised when the same commits give other concepts: git history is read again. */
const VERSION = 1;
/** The blob that says which HEAD the stored topics are of. */
export const TOPICS_MARK = 'history';
const TOPICS = 'history/topics';
/** A name that more symbols of the touched files have does not say which one the message means. */
const MOST_NAMESAKES = 4;
/** Of at most so many files all symbols are read; of more, looking up names is faster. */
const FEW_FILES = 50;

const texts = z.array(z.string()).readonly();
const Topic = z.object({
  /** The subject as written, without the number of its pull request: `fix(router): match empty paths`. */
  label: z.string(),
  /** That number, and the first paragraph of the body, on one line; empty without either. */
  description: z.string(),
  /** Relative to the root; sorted. */
  paths: texts,
  /** Names of code in the message, dotted as they were written: `Router.match`; sorted. */
  names: texts,
});
type Topic = z.infer<typeof Topic>;

const BOT = /\[bot\]|^(?:dependabot|renovate|github-actions|greenkeeper|snyk)\b/i;
/** Commits that say nothing of the code: reverts, versions, dependencies, merges that git does not know as such. */
const NOISE = [
  /^(?:merge|revert)\b/i,
  /^(?:fixup|squash|amend)!/i,
  /^(?:chore|build|ci)\((?:deps|deps-dev|release)\)/i,
  /^(?:(?:chore|build|release)(?:\([^)]*\))?!?:)?(?: *(?:release|publish|bump|start|prepare|tag))?[ :]*(?:(?:version|release) *)?v?\d+\.\d[\w.+-]*$/i,
  /^(?:[\w()!-]+: *)?(?:bump|update|upgrade) (?:\w+ )*(?:deps|dependenc(?:y|ies)|lock ?file|requirements)\b/i,
];
const PULL_REQUEST = /(?<!\s)\s*\((#\d+)\)\s*$/;
/** A line for tools: `Co-authored-by: …`, `Signed-off-by: …`, `close #1`. */
const TRAILER = /^[A-Za-z-]+: |^(?:close|fix|resolve|refs?)[sd]?:? +[\w/-]*#\d/i;
/** Fewer words name nothing that could be found again: `wip`, `fix typo`. */
const FEWEST_WORDS = 3;

/** The mark of topics that were read at a HEAD. */
export function topicsMark(head: string | null): Uint8Array {
  return Buffer.from(`${VERSION} ${head ?? ''}`);
}

/**
 * Concepts in the order of answers, and how many are of commits: what people and comments say as found, then the latest
 * few commits, the newest first: a file that is edited every day is mentioned by hundreds.
 */
export async function latestConcepts<T extends { readonly label: string; readonly source: string }>(
  context: Pick<ReadContext, 'blobs'>,
  found: readonly T[],
): Promise<{ concepts: T[]; commitCount: number }> {
  const commits = found.filter(({ source }) => source === 'commit');
  const stated = found.filter(({ source }) => source !== 'commit');
  if (commits.length === 0) return { concepts: stated, commitCount: 0 };
  const ages = new Map((await storedTopics(context)).map(({ label }, age) => [label, age]));
  const age = ({ label }: T) => ages.get(label) ?? Number.MAX_SAFE_INTEGER;
  const latest = commits.sort((a, b) => age(a) - age(b)).slice(0, LIMITS.contextCommits.max);
  return { concepts: [...stated, ...latest], commitCount: commits.length };
}

/** Whether any topics are stored. */
export async function hasTopics(context: Pick<ReadContext, 'blobs'>): Promise<boolean> {
  return (await storedTopics(context)).length > 0;
}

/** The topics of the last commits, the newest first; empty where none are readable. */
async function storedTopics({ blobs }: Pick<ReadContext, 'blobs'>): Promise<readonly Topic[]> {
  const [bytes] = await blobs([TOPICS]);
  if (!bytes) return [];
  try {
    return Topic.array().parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return [];
  }
}

/**
 * What commits say was done, one topic per label, the newest first. Left out: commits of bots, reverts, changes of
 * versions and dependencies, and those that touch too many files (`LIMITS.historyFiles`). Secrets are masked (P-04).
 */
export async function commitTopics(
  commits: readonly CommitFact[],
  { pause }: Pick<StepsContext, 'pause'>,
): Promise<Topic[]> {
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();
  const topics = new Map<string, Topic>();
  for (const commit of commits) {
    const topic = topicOf(commit);
    const newer = topic && topics.get(topic.label);
    const paths = both(newer?.paths ?? [], topic?.paths ?? []);
    const names = both(newer?.names ?? [], topic?.names ?? []);
    if (topic) topics.set(topic.label, newer ? { ...newer, paths, names } : topic);
    await pause();
  }
  return [...topics.values()];
}

function topicOf({ author, subject, body, paths }: CommitFact): Topic | null {
  if (paths.length === 0 || paths.length > LIMITS.historyFiles.max || BOT.test(author)) return null;
  const line = shownLine(masked(subject), LIMITS.commitLabel.max);
  const label = line.replace(PULL_REQUEST, '');
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < FEWEST_WORDS || NOISE.some((noise) => noise.test(label))) return null;
  const paragraph = body.trim().split(/\n\s*\n/, 1)[0] ?? '';
  const isTrailer = paragraph.split('\n').every((one) => TRAILER.test(one));
  const text = isTrailer ? '' : shownLine(masked(paragraph), LIMITS.commitText.max);
  const number = PULL_REQUEST.exec(line)?.[1] ?? '';
  const description = [number, text].filter((part) => part !== '').join(' ');
  return { label, description, paths, names: namesIn(`${label}\n${text}`) };
}

/** Names of code: what stands in backticks or before `()`, and words with an underscore or a capital inside. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside);
  const called = [...text.matchAll(/(?<![\w$.])([\w$.]+)\(\)/g)].map(([, name = '']) => name);
  const shaped =
    text.match(/(?<![\w$./-])[A-Za-z_$][\w$]*(?:[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d])[\w$]*/g) ?? [];
  const names = [...quoted, ...called, ...shaped].flatMap((each) => {
    const name = /^([A-Za-z_$][\w$]*(?:[.#][A-Za-z_$][\w$]*)*)(?:\(.*\))?$/.exec(each.trim())?.[1];
    return name === undefined || name.length < 3 ? [] : [name.replaceAll('#', '.')];
  });
  return [...new Set(names)].sort();
}

/** What one run did to the concepts of commits. */
export interface HistoryWritten {
  /** Concepts that are new or changed. */
  readonly concepts: number;
  /** Whether there is something to commit. */
  readonly wrote: boolean;
}

const idOf = ({ label }: Topic): string => conceptId('commit', label);

/**
 * Writes the Concepts of source `commit` (S3-21) and their edges: files that a topic touched mention it, symbols of theirs
 * that its message names implement it. Every index run calls this once, after the files are written; it commits
 * nothing itself. Nothing else may write or remove these nodes and edges.
 *
 * @param log What git says of the last commits at `head`; null where the stored topics are of that HEAD.
 * @param touched Paths whose File or Symbols this run wrote.
 */
export async function commitConcepts(
  context: StepsContext,
  {
    head,
    log,
  }: { readonly head: string | null; readonly log: Promise<GitAnswer<readonly CommitFact[]>> | null },
  touched: Iterable<string>,
): Promise<HistoryWritten> {
  const paths = new Set(touched);
  const nothing = { concepts: 0, wrote: false };
  if (context.projectRoot === null || (log === null && paths.size === 0)) return nothing;
  const before = await storedTopics(context);
  const answer = await log;
  // Without an answer from git the next run tries again.
  if (answer?.kind === 'missing') return nothing;
  let topics = before;
  if (answer?.kind === 'read') topics = await commitTopics(answer.value, context);
  else if (answer !== null && answer.kind !== 'late') topics = [];
  const known = new Map(before.map((topic) => [topic.label, topic]));
  const now = new Set(topics.map(({ label }) => label));
  const changed = topics.filter(
    (topic) => JSON.stringify(topic) !== JSON.stringify(known.get(topic.label) ?? null),
  );
  const gone = before.filter(({ label }) => !now.has(label));
  for (const topic of [...changed, ...gone, ...changed.flatMap(({ label }) => known.get(label) ?? [])])
    for (const path of topic.paths) paths.add(path);
  // All reading comes before all writing: what is not committed yet slows down what is read.
  const files = (await context.nodes([...paths].map(fileId))).filter((node) => node !== undefined);
  const links = await wantedLinks(context, topics, files, paths);
  const stored =
    before.length === 0
      ? []
      : [
          ...(await context.q(files).out(FileMentionsConcept).edges()),
          ...(await context.q(files).out(FileContainsSymbol).out(SymbolImplementsConcept).edges()),
        ].filter(({ to }) => isCommitConcept(to));
  if (log !== null) {
    context.putBlob(TOPICS_MARK, topicsMark(head));
    context.putBlob(TOPICS, Buffer.from(JSON.stringify(topics)));
    await context.createAll(
      changed.map((topic) =>
        Concept(
          { label: topic.label, description: topic.description, source: 'commit' },
          { id: idOf(topic) },
        ),
      ),
    );
    await context.del((await context.nodes(gone.map(idOf))).filter((node) => node !== undefined));
  }
  for (const edge of stored) if (!links.delete(`${edge.from}\0${edge.to}`)) await context.del(edge);
  const missing = [...links.values()];
  const concepts = await context.nodes([...new Set(missing.map(({ to }) => to))]);
  const byId = new Map(concepts.map((node) => [node?.id, node]));
  context.connectAll(
    missing.flatMap(({ from, to: id, edge }) => {
      const to = byId.get(id);
      return to ? [{ from, to, edge }] : [];
    }),
  );
  return { concepts: changed.length, wrote: true };
}

interface TopicLink {
  readonly from: NodeRef;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** The edges that files and their symbols should have, by both ends. @param paths Of the files that are looked at. */
async function wantedLinks(
  context: StepsContext,
  topics: readonly Topic[],
  files: readonly NodeRef[],
  paths: ReadonlySet<string>,
): Promise<Map<string, TopicLink>> {
  const touching = topics.filter((topic) => topic.paths.some((path) => paths.has(path)));
  const few = files.length <= FEW_FILES;
  const inFiles = few ? await context.q(files).out(FileContainsSymbol).of(CodeSymbol) : [];
  const relevant = new Set(inFiles.map(({ name }) => name));
  const named = new Map<string, NodeRef<typeof CodeSymbol>[]>();
  for (const name of new Set(touching.flatMap(({ names }) => names.map(lastNamePart))))
    if (!few || relevant.has(name)) named.set(name, await context.find(CodeSymbol, { name }));
  const byId = new Map(files.map((node) => [node.id, node]));
  const links = new Map<string, TopicLink>();
  const add = (from: NodeRef, to: string, edge: EdgeDraft) =>
    links.set(`${from.id}\0${to}`, { from, to, edge });
  for (const topic of touching) {
    for (const path of topic.paths) {
      const file = paths.has(path) ? byId.get(fileId(path)) : undefined;
      if (file) add(file, idOf(topic), FileMentionsConcept());
    }
    for (const name of topic.names) {
      const symbols = (named.get(lastNamePart(name)) ?? []).filter(
        ({ path, scope, qualified_name }) =>
          topic.paths.includes(path) && scope !== 'function' && `.${qualified_name}`.endsWith(`.${name}`),
      );
      if (symbols.length > MOST_NAMESAKES) continue;
      for (const symbol of symbols)
        if (paths.has(symbol.path)) add(symbol, idOf(topic), SymbolImplementsConcept());
    }
  }
  return links;
}
