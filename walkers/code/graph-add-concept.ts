import { z } from 'zod';
import { findNamed, pathField } from '../../graphs/code/index.js';
import { NamedConcepts } from '../../graphs/trace/index.js';
import { didYouMean, suggestedPaths } from '../../present/index.js';
import { defineWalker, isA, type NodeRef, type WriteContext } from '../../runtime/index.js';
import {
  ADDED_CONCEPT_SOURCES,
  AddedConcept,
  CodeSymbol,
  CodewalkError,
  conceptId,
  File,
  FileMentionsAddedConcept,
  fileId,
  LIMITS,
  SymbolImplementsAddedConcept,
  Task,
  TaskRelatedToConcept,
} from '../../schema/index.js';
import { insideRoot, storedText } from '../../source/index.js';

const ConceptOutput = z.object({
  concept_id: z.string(),
  /** False: it was there, and what is new was added to it. */
  created: z.boolean(),
  /** Ids of what carries it now by this call. */
  symbols: z.array(z.string()),
  /** Paths of files that mention it now by this call. */
  files: z.array(z.string()),
  /** Tasks whose prompts name it. */
  tasks: z.number().int(),
});

/** Candidates that an error names. */
const MOST_CANDIDATES = 5;

/** States a concept that no indexing could find: of an issue, a person or a model. It stays when code is indexed again. */
export const GraphAddConcept = defineWalker('graph_add_concept', {
  description:
    'Name an idea that the code carries, and where: of an issue, a person or a model. The same label again adds to it. Kept when the code is indexed anew.',
  access: 'write',
  input: {
    label: z.string().trim().min(1).max(LIMITS.traceName.max),
    description: z.string().optional(),
    source: z.enum(ADDED_CONCEPT_SOURCES).optional().describe('Default: as before, else manual'),
    symbols: z.array(z.string().min(1)).max(100).default([]).describe('Names or ids of what carries it'),
    files: z.array(pathField()).max(100).default([]).describe('Paths of files about it'),
  },
  output: ConceptOutput,
  examples: [
    {
      title: 'What an issue is about',
      input: { label: 'session expiry', source: 'issue', symbols: ['Auth.login'], files: ['src/auth.ts'] },
    },
  ],
  run: async (_here, context) => {
    const { state } = context;
    const stated = storedText(state.label, LIMITS.traceName.max).text.replace(/\s+/gu, ' ');
    // The same label in other case is no other concept.
    const own = conceptId('added', stated);
    const ids = await context.findIds(AddedConcept);
    const id = ids.find((one) => one.toLowerCase() === own.toLowerCase()) ?? own;
    const symbols: NodeRef<typeof CodeSymbol>[] = [];
    for (const name of state.symbols) symbols.push(await symbolNamed(context, name));
    const files = await filesNamed(context, state.files);
    const [known] = await context.nodesOf(AddedConcept, [id]);
    const before = known === undefined || known.gone ? null : known;
    const description =
      state.description === undefined
        ? (before?.description ?? '')
        : storedText(state.description, LIMITS.tracePrompt.max).text;
    const created_at = before?.created_at ?? new Date(context.now()).toISOString();
    const label = before?.label ?? stated;
    const source = state.source ?? before?.source ?? 'manual';
    const concept = await context.create(AddedConcept({ label, description, source, created_at }, { id }));
    context.connectAll([
      ...symbols.map((from) => ({ from, to: concept, edge: SymbolImplementsAddedConcept() })),
      ...files.map((from) => ({ from, to: concept, edge: FileMentionsAddedConcept() })),
    ]);
    const tasks = (await context.find(Task)).filter((task) =>
      new NamedConcepts(task.user_prompt).names(label),
    );
    context.connectAll(tasks.map((from) => ({ from, to: concept, edge: TaskRelatedToConcept() })));
    return {
      concept_id: id,
      created: before === null,
      symbols: symbols.map((symbol) => symbol.id),
      files: files.map((file) => file.id.slice(fileId('').length)),
      tasks: tasks.length,
    };
  },
  markdown: ({ concept_id, created, symbols, files, tasks }) =>
    `${created ? 'Added' : 'Added to'} ${concept_id}: ${symbols.length} symbols, ${files.length} files, ${tasks} tasks.\n`,
});

/** @throws CodewalkError `NODE_NOT_FOUND`; `INVALID_INPUT` with the candidates of an ambiguous name. */
async function symbolNamed(context: WriteContext, name: string): Promise<NodeRef<typeof CodeSymbol>> {
  const { nodes } = await findNamed(context, name);
  const found = nodes.filter(({ archetype }) => isA(archetype, CodeSymbol));
  const [first] = found;
  if (first === undefined)
    throw new CodewalkError('NODE_NOT_FOUND', `symbols: '${name}' is no symbol of the project`, {
      input: name,
      suggestion: 'Files go into files.',
    });
  if (found.length > 1)
    throw new CodewalkError('INVALID_INPUT', `symbols: '${name}' may be ${found.length} symbols`, {
      input: name,
      suggestion: `Give one of their ids: ${found
        .slice(0, MOST_CANDIDATES)
        .map(({ id }) => id)
        .join(', ')}.`,
    });
  const [symbol] = await context.nodesOf(CodeSymbol, [first.id]);
  if (symbol) return symbol;
  throw new CodewalkError('NODE_NOT_FOUND', `symbols: '${name}' is gone`, { input: name });
}

/** The files of paths; what is on disk and not in the graph is named all the same. */
async function filesNamed(context: WriteContext, given: readonly string[]): Promise<NodeRef<typeof File>[]> {
  const root = context.projectRoot;
  const places = given.map((path) => (root === null ? { path, exists: true } : insideRoot(root, path)));
  const files = await context.nodesOf(File, [...new Set(places.map(({ path }) => fileId(path)))]);
  const missing = files.find(
    ({ id, gone }) => gone && places.some((one) => fileId(one.path) === id && !one.exists),
  );
  if (missing === undefined) return files;
  const path = missing.id.slice(fileId('').length);
  const known = (await context.findIds(File)).map((id) => id.slice(fileId('').length));
  throw new CodewalkError('NODE_NOT_FOUND', `files: there is no file '${path}'`, {
    input: path,
    suggestion: `${didYouMean(suggestedPaths(path, known))}Paths are relative to the project root.`,
  });
}
