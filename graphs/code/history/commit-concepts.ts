import type { EdgeDraft, EdgeRef, NodeRef, StepsContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  Concept,
  conceptId,
  FileContainsSymbol,
  FileMentionsConcept,
  fileId,
  isCommitConcept,
  lastNamePart,
  SymbolImplementsConcept,
} from '../../../schema/index.js';
import type { CommitFact, GitAnswer } from '../../../source/index.js';
import { type CommitTopic, commitTopics } from './commit-topic.js';
import { HISTORY_MARK, HISTORY_TOPICS, markBytes, readTopics, topicBytes } from './kept-history.js';

/** Of a name that so many symbols of the touched files have, the message does not say which it means. */
const MOST_NAMESAKES = 4;
/** As many files as an edit touches, with those that resolve anew for it. */
const FEW_FILES = 50;

/** What history came to in one run. */
export interface HistoryWritten {
  /** Concepts that are new or another than before. */
  readonly concepts: number;
  /** Whether there is something to commit. */
  readonly wrote: boolean;
}

const NOTHING: HistoryWritten = { concepts: 0, wrote: false };

/**
 * Makes the Concepts of source `commit` (S3-21), and their edges, what the history says: each topic of the last commits
 * is mentioned by the files that it touched and that are there, and implemented by their symbols that it names.
 *
 * Every index run calls it once, after the files are written; it commits nothing itself. Nothing else may write or remove
 * these nodes and edges: a part of the graph is made of files alone, and an export leaves them out.
 *
 * @param asked Where HEAD is, and what git tells of the last commits; null where that is what was told last time.
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
  if (context.projectRoot === null || (log === null && paths.size === 0)) return NOTHING;
  const [bytes] = await context.blobs([HISTORY_TOPICS]);
  const before = readTopics(bytes);
  const topics = log === null ? before : await topicsNow(context, await log, before);
  if (topics === null) return NOTHING;
  const change = topicChange(before, topics);
  for (const path of change.paths) paths.add(path);
  const touching = topics.filter((topic) => topic.paths.some((path) => paths.has(path)));
  // All reading comes before all writing: what is not committed yet slows down what is read.
  const ends = await endsOf(context, touching, paths);
  const stored = before.length === 0 ? [] : await storedEdges(context, ends.files);
  if (log !== null) {
    context.putBlob(HISTORY_MARK, markBytes(head));
    context.putBlob(HISTORY_TOPICS, topicBytes(topics));
    await writeTopics(context, change);
  }
  await writeEdges(context, ends.links, stored);
  return { concepts: change.changed.length, wrote: true };
}

/** What the history says now; null when git could not be asked: the next run tries again. */
async function topicsNow(
  context: StepsContext,
  log: GitAnswer<readonly CommitFact[]>,
  before: readonly CommitTopic[],
): Promise<readonly CommitTopic[] | null> {
  if (log.kind === 'read') return commitTopics(log.value, context);
  if (log.kind === 'missing') return null;
  return log.kind === 'late' ? before : [];
}

/** How topics differ from what they were. */
interface TopicChange {
  readonly changed: readonly CommitTopic[];
  readonly gone: readonly CommitTopic[];
  /** What either touches: the files whose edges may differ by it. */
  readonly paths: ReadonlySet<string>;
}

function topicChange(before: readonly CommitTopic[], topics: readonly CommitTopic[]): TopicChange {
  const known = new Map(before.map((topic) => [topic.label, topic]));
  const now = new Set(topics.map(({ label }) => label));
  const changed = topics.filter(
    (topic) => JSON.stringify(topic) !== JSON.stringify(known.get(topic.label) ?? null),
  );
  const gone = before.filter(({ label }) => !now.has(label));
  const old = changed.flatMap(({ label }) => known.get(label) ?? []);
  return { changed, gone, paths: new Set([...changed, ...gone, ...old].flatMap(({ paths }) => paths)) };
}

const idOf = ({ label }: CommitTopic): string => conceptId('commit', label);

async function writeTopics(context: StepsContext, { changed, gone }: TopicChange): Promise<void> {
  await context.createAll(
    changed.map((topic) =>
      Concept({ label: topic.label, description: topic.description, source: 'commit' }, { id: idOf(topic) }),
    ),
  );
  const nodes = await context.nodes(gone.map(idOf));
  await context.del(nodes.filter((node) => node !== undefined));
}

/** An edge that should be there, from a File or a Symbol. */
interface TopicLink {
  readonly from: NodeRef;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** The files among the paths that are there, and the edges that they and their symbols should have. */
async function endsOf(
  context: StepsContext,
  touching: readonly CommitTopic[],
  paths: ReadonlySet<string>,
): Promise<{ files: readonly NodeRef[]; links: Map<string, TopicLink> }> {
  const files = (await context.nodes([...paths].map(fileId))).filter((node) => node !== undefined);
  const byId = new Map(files.map((node) => [node.id, node]));
  const named = await symbolsNamed(context, touching, await namesOf(context, files));
  const links = new Map<string, TopicLink>();
  const add = (from: NodeRef, to: string, edge: EdgeDraft) =>
    links.set(`${from.id}\0${to}`, { from, to, edge });
  for (const topic of touching) {
    for (const path of topic.paths) {
      const file = paths.has(path) ? byId.get(fileId(path)) : undefined;
      if (file) add(file, idOf(topic), FileMentionsConcept());
    }
    for (const symbol of named(topic))
      if (paths.has(symbol.path)) add(symbol, idOf(topic), SymbolImplementsConcept());
  }
  return { files, links };
}

async function storedEdges({ q }: StepsContext, files: readonly NodeRef[]): Promise<EdgeRef[]> {
  const mentions = await q(files).out(FileMentionsConcept).edges();
  const implementing = await q(files).out(FileContainsSymbol).out(SymbolImplementsConcept).edges();
  return [...mentions, ...implementing].filter(({ to }) => isCommitConcept(to));
}

async function writeEdges(
  context: StepsContext,
  links: Map<string, TopicLink>,
  stored: readonly EdgeRef[],
): Promise<void> {
  for (const edge of stored) if (!links.delete(`${edge.from}\0${edge.to}`)) await context.del(edge);
  const missing = [...links.values()];
  const concepts = await context.nodes([...new Set(missing.map(({ to }) => to))]);
  const byId = new Map(concepts.flatMap((node) => (node === undefined ? [] : [[node.id, node] as const])));
  context.connectAll(
    missing.flatMap(({ from, to: id, edge }) => {
      const to = byId.get(id);
      return to ? [{ from, to, edge }] : [];
    }),
  );
}

/** The names of the symbols of few files; null for many, of which reading all takes longer than looking names up. */
async function namesOf({ q }: StepsContext, files: readonly NodeRef[]): Promise<Set<string> | null> {
  if (files.length > FEW_FILES) return null;
  const symbols = await q(files).out(FileContainsSymbol).of(CodeSymbol);
  return new Set(symbols.map(({ name }) => name));
}

/**
 * The symbols of the files that a topic touched which its message names, where it is told which are meant.
 *
 * @param known The names that matter; null: all.
 */
async function symbolsNamed(
  context: StepsContext,
  topics: readonly CommitTopic[],
  known: ReadonlySet<string> | null,
): Promise<(topic: CommitTopic) => readonly NodeRef<typeof CodeSymbol>[]> {
  const found = new Map<string, NodeRef<typeof CodeSymbol>[]>();
  for (const name of topics.flatMap(({ names }) => names)) {
    const short = lastNamePart(name);
    if (!found.has(short) && (known?.has(short) ?? true))
      found.set(short, await context.find(CodeSymbol, { name: short }));
  }
  return ({ names, paths }) =>
    names.flatMap((name) => {
      const intended = (found.get(lastNamePart(name)) ?? []).filter(
        ({ path, scope, qualified_name }) =>
          paths.includes(path) && scope !== 'function' && `.${qualified_name}`.endsWith(`.${name}`),
      );
      return intended.length <= MOST_NAMESAKES ? intended : [];
    });
}
