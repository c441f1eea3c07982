import { z } from 'zod';
import { changeHistory, indexProgress, unfinishedState } from '../../graphs/code/index.js';
import {
  didYouMean,
  draftBy,
  limitField,
  pageFields,
  plural,
  presented,
  quotedName,
  suggestedPaths,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodewalkError,
  Directory,
  directoryId,
  File,
  FileContainsSymbol,
  FileDependsOnFile,
  fileId,
  LIMITS,
  Memory,
  MemoryAbout,
  parseId,
  StepHasError,
  StepInvokesTool,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  TraceError,
} from '../../schema/index.js';
import { insideRoot, isTestPath } from '../../source/index.js';
import { stepsAt } from '../query/calls.js';
import { strongComponents } from '../query/query-cycles.js';
import { byLatest, failureKey } from '../trace/find-traced.js';
import { usedAs } from '../trace/touches.js';
import { lastOf, once } from './once.js';

const { exploreBoxes, exploreTokens, pathText } = LIMITS;
/** Arrows of one picture: the thickest. */
const MOST_ARROWS = 300;
/** Errors whose tasks are followed: the latest. */
const MOST_ERRORS = 5000;

const text = z.string();
const count = z.number().int();

/** A file, or a folder with all that is in it. */
const Box = z.object({
  ...{ id: text, path: text, kind: z.enum(['folder', 'file']), name: text },
  /** Files of code, and their symbols. */
  ...{ files: count, symbols: count },
  /** Whether there is a picture of what is in it. */
  opens: z.boolean(),
  /** Commits that touched it; failures of tasks that changed it; memories about it. */
  ...{ changes: count, failures: count, memories: count },
  /** Its place in `cycles`: what it needs, needs it. */
  cycle: count.nullable(),
});
type Box = z.infer<typeof Box>;

/** What one box needs of another: how many of its files import files of it, and calls that lead there. */
const Arrow = z.object({ from: text, to: text, imports: count, calls: count });
type Arrow = z.infer<typeof Arrow>;

/** What `explore_map` answers. */
export const ExploreMapOutput = z.object({
  /** Empty: the root. */
  folder: text,
  /** The folders around it, the root first. */
  parents: z.array(z.object({ path: text, name: text })),
  /** By path, folders first. */
  boxes: z.array(Box),
  boxes_total: count,
  arrows: z.array(Arrow),
  /** Between the boxes that are shown. */
  arrows_total: count,
  /** Ids of boxes that need each other. */
  cycles: z.array(z.array(text)),
  /** Boxes that are not shown: those that are least connected. */
  left_out: count,
  /** Files of the folder that are no code, which have no boxes. */
  other_files: count,
});
export type ExploreMapOutput = z.infer<typeof ExploreMapOutput>;

/** The folders and files of a folder as boxes, with what each needs of the others. */
export const ExploreMap = defineWalker('explore_map', {
  description:
    'The folders and files of a folder as boxes with what needs what, cycles, and how often each changed, failed and is remembered: for the page of codewalk explore.',
  input: {
    folder: z.string().max(pathText.max).optional().describe('Default: the smallest that holds all code'),
    most: limitField(exploreBoxes).describe('Boxes to show'),
    ...pageFields(exploreTokens),
  },
  output: ExploreMapOutput,
  examples: [{ title: 'What a folder is made of', input: { folder: 'src' } }],
  run: async (_here, context) => {
    const { folder: asked, most } = context.state;
    const progress = unfinishedState(await indexProgress(context));
    const { files, others, links } = await fileGraph(context);
    const folder = asked === undefined ? commonFolder([...files.keys()]) : await folderNamed(context, asked);
    const boxOf = (path: string) => boxIn(folder, path);
    const inside = new Map<string, string[]>();
    for (const path of files.keys()) {
      const box = boxOf(path);
      if (box !== null) append(inside, box, path);
    }
    const arrows = arrowsOf(links, boxOf);
    const cycles = strongComponents(linksOf(arrows)).filter((cycle) => cycle.length > 1);
    const cycleOf = new Map(cycles.flatMap((cycle, at) => cycle.map((id) => [id, at])));
    const shown = mostConnected([...inside.keys()], arrows, most);
    const records = await recordsOf(context);
    const history = await changeHistory(context);
    const sizeOf = <T>(paths: readonly string[], of: (path: string) => Iterable<T>) =>
      new Set(paths.flatMap((path) => [...of(path)])).size;
    const boxes = [...inside]
      .filter(([id]) => shown.has(id))
      .map(([id, paths]): Box => {
        const path = parseId(id)?.path ?? '';
        const kind = id === fileId(path) ? 'file' : 'folder';
        return {
          ...{ id, path, kind, name: path.slice(path.lastIndexOf('/') + 1), files: paths.length },
          symbols: paths.reduce((sum, one) => sum + (files.get(one) ?? 0), 0),
          opens: kind === 'folder',
          changes: sizeOf(paths, (one) => history.changesOf(one)),
          failures: sizeOf(paths, (one) => records.failures.get(one) ?? []),
          memories: sizeOf([path, ...paths], (one) => records.memories.get(one) ?? []),
          cycle: cycleOf.get(id) ?? null,
        };
      })
      .sort((a, b) => compareText(b.kind, a.kind) || compareText(a.path, b.path));
    const between = arrows.filter(({ from, to }) => shown.has(from) && shown.has(to));
    return presented(
      draftBy(
        {
          ...{ folder, parents: parentsOf(folder), boxes, boxes_total: inside.size },
          ...{ arrows: between.slice(0, MOST_ARROWS), arrows_total: between.length },
          cycles: cycles.map((cycle) => cycle.filter((id) => shown.has(id))),
          left_out: inside.size - boxes.length,
          other_files: others.filter((path) => boxOf(path) !== null).length,
          state: { ...progress, cut: [...progress.cut, ...arrowsText(between.length), ...records.cut] },
        },
        {
          limit: exploreTokens,
          revision: context.codeRevision,
          lists: ['boxes', 'arrows'].map((at) => ({ at, what: at })),
        },
      ),
    );
  },
  markdown: ({ folder, boxes, boxes_total, arrows, cycles }) => {
    const nameOf = (id: string) => quotedName(parseId(id)?.path ?? id);
    const head = `Map of ${quotedName(folder || '.')}: ${plural(boxes_total, 'box', 'boxes')}, ${plural(cycles.length, 'cycle')}`;
    return [
      head,
      '',
      ...boxes.map(
        ({ path, files, symbols }) =>
          `- ${quotedName(path)}: ${plural(files, 'file')}, ${plural(symbols, 'symbol')}`,
      ),
      ...arrows.map(({ from, to, imports, calls }) => {
        return `- ${nameOf(from)} needs ${nameOf(to)}: ${plural(imports, 'import')}, ${plural(calls, 'call')}`;
      }),
      ...cycles.map((cycle) => `- in a cycle: ${cycle.map(nameOf).join(', ')}`),
      '',
    ].join('\n');
  },
});

function arrowsText(total: number): string[] {
  if (total <= MOST_ARROWS) return [];
  return [`The ${MOST_ARROWS} thickest of ${total} arrows are shown: a folder's own map has the others.`];
}

/** The files of code and what they need of each other. */
interface FileGraph {
  /** How many symbols each has, by path. */
  readonly files: ReadonlyMap<string, number>;
  /** Paths of all other files. */
  readonly others: readonly string[];
  readonly links: readonly Arrow[];
}

const FILES = lastOf<FileGraph>('files of the map');
const RECORDS = lastOf<Records>('records of the map');

function fileGraph(context: ReadContext): Promise<FileGraph> {
  return once(context, FILES, context.codeRevision, async () => {
    const all = await context.find(File);
    const code = all.filter(({ is_module }) => is_module);
    const ids = code.map(({ id }) => id);
    const symbols = await context.entries(ids, 'out', FileContainsSymbol);
    const edges = await context.entryEdges(await stepsAt(context, ids, 'out', FileDependsOnFile));
    const links = edges.flatMap((edge): Arrow[] => {
      if (!edge) return [];
      const { imports, calls } = DependsProps.parse(edge);
      const [from, to] = [pathOf(edge.from), pathOf(edge.to)];
      // Tests use whatever they like: with them nearly all of a project needs all of it.
      return isTestPath(from) && !isTestPath(to) ? [] : [{ from, to, imports: Number(imports), calls }];
    });
    return {
      files: new Map(code.map(({ path }, at) => [path, symbols[at]?.length ?? 0])),
      others: all.flatMap(({ is_module, path }) => (is_module ? [] : [path])),
      links,
    };
  });
}

const DependsProps = z.object({ imports: z.boolean(), calls: count });

/** By path: failures of tasks that changed the file, and memories about it or what is in it. */
interface Records {
  readonly failures: ReadonlyMap<string, ReadonlySet<string>>;
  readonly memories: ReadonlyMap<string, ReadonlySet<string>>;
  /** What is not counted in them: sentences. */
  readonly cut: readonly string[];
}

function recordsOf(context: ReadContext): Promise<Records> {
  return once(context, RECORDS, context.version, async () => {
    const { q } = context;
    const memories = new Map<string, Set<string>>();
    const known = await context.findIds(Memory);
    for (const { from, to } of await q(known).out(MemoryAbout).edges()) add(memories, pathOf(to), from);
    const all = (await context.find(TraceError)).sort(byLatest);
    const errors = all.slice(0, MOST_ERRORS);
    const cut =
      all.length === errors.length
        ? []
        : [`Boxes count the failures of the latest ${errors.length} of ${all.length} errors.`];
    return { memories, failures: await failuresByPath(context, errors), cut };
  });
}

/** From errors up to their tasks, and from these down to the files that their tools changed. */
async function failuresByPath(
  { q, nodesOf }: ReadContext,
  errors: readonly NodeRef<typeof TraceError>[],
): Promise<Map<string, Set<string>>> {
  const failures = new Map<string, Set<string>>();
  const keys = new Map(errors.map((error) => [error.id, failureKey(error)]));
  const met = q(errors).in(StepHasError);
  const owners = new Map((await met.in(TaskHasStep).edges()).map(({ from, to }) => [to, from]));
  const byTask = new Map<string, Set<string>>();
  for (const { from, to } of await met.edges()) add(byTask, owners.get(from) ?? '', keys.get(to) ?? '');
  const steps = q([...byTask.keys()]).out(TaskHasStep);
  const taskOf = new Map((await steps.edges()).map(({ from, to }) => [to, from]));
  const tools = steps.out(StepInvokesTool);
  const stepOf = new Map((await tools.edges()).map(({ from, to }) => [to, from]));
  const touches = await tools.out(ToolTouchesFile).edges();
  const unknown = touches.flatMap(({ from, use }) => (use === null ? [from] : []));
  const known = new Map((await nodesOf(ToolInvocation, unknown)).map((tool) => [tool.id, usedAs(tool)]));
  for (const { from, to, use } of touches)
    if ((use ?? known.get(from)) === 'write')
      for (const key of byTask.get(taskOf.get(stepOf.get(from) ?? '') ?? '') ?? [])
        add(failures, pathOf(to), key);
  return failures;
}

function add(sets: Map<string, Set<string>>, key: string, one: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(one));
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}

/** The folder that all paths are in: the longest. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let parts = first.split('/').slice(0, -1);
  for (const path of rest) {
    const own = path.split('/').slice(0, -1);
    const differ = parts.findIndex((part, at) => part !== own[at]);
    if (differ >= 0) parts = parts.slice(0, differ);
  }
  return parts.join('/');
}

/** @throws CodewalkError `NODE_NOT_FOUND` for what is no folder of the project. */
async function folderNamed({ find, projectRoot: root }: ReadContext, asked: string): Promise<string> {
  const path = (root === null || asked === '' ? asked : insideRoot(root, asked).path).replace(/^\.$/u, '');
  if (path === '' || (await find(Directory, { path })).length > 0) return path;
  const near = suggestedPaths(
    path,
    (await find(Directory)).map((one) => one.path),
  );
  throw new CodewalkError('NODE_NOT_FOUND', `there is no folder '${asked}' in the graph`, {
    input: asked,
    suggestion: `${didYouMean(near)}Folders are relative to the project's root.`,
  });
}

function parentsOf(folder: string): { path: string; name: string }[] {
  if (folder === '') return [];
  const parts = folder.split('/');
  return parts.map((_, at) => ({ path: parts.slice(0, at).join('/'), name: parts[at - 1] ?? '.' }));
}

/** The id of the box that a file is in: its own, or that of the folder below; null: it is not in the folder. */
function boxIn(folder: string, path: string): string | null {
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(prefix)) return null;
  const end = path.indexOf('/', prefix.length);
  return end < 0 ? fileId(path) : directoryId(path.slice(0, end));
}

/** What boxes need of each other, the thickest first. */
function arrowsOf(links: readonly Arrow[], boxOf: (path: string) => string | null): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const link of links) {
    const [from, to] = [boxOf(link.from), boxOf(link.to)];
    if (from === null || to === null || from === to) continue;
    const key = `${from}\n${to}`;
    const known = arrows.get(key) ?? { from, to, imports: 0, calls: 0 };
    arrows.set(key, { ...known, imports: known.imports + link.imports, calls: known.calls + link.calls });
  }
  const weight = ({ imports, calls }: Arrow) => imports + calls;
  return [...arrows.values()].sort(
    (a, b) => weight(b) - weight(a) || compareText(a.from, b.from) || compareText(a.to, b.to),
  );
}

function linksOf(arrows: readonly Arrow[]): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const { from, to } of arrows) append(links, from, to);
  return links;
}

/** The boxes with the most arrows, and of equal ones the first by id. */
function mostConnected(ids: readonly string[], arrows: readonly Arrow[], most: number): Set<string> {
  const degrees = new Map<string, number>();
  for (const { from, to } of arrows) for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const degree = (id: string) => degrees.get(id) ?? 0;
  return new Set([...ids].sort((a, b) => degree(b) - degree(a) || compareText(a, b)).slice(0, most));
}
