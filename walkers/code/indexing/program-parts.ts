import type { StepsContext } from '../../../runtime/index.js';
import { type FileFacts, type Resolution, resolveProgram } from '../../../source/index.js';
import type { GraphPart } from './code-graph.js';
import { type FilePart, filePart, type IndexedFile } from './file-part.js';
import { factsName, readFacts } from './file-state.js';
import type { Content, ProjectFiles } from './project-files.js';
import { sharedPart } from './shared-part.js';

/** The whole code graph of a project as it should be, in parts. */
export interface ProgramParts {
  readonly shared: GraphPart;
  /** In path order. */
  readonly files: readonly { readonly indexed: IndexedFile; readonly part: FilePart }[];
}

/** Resolves the program from the facts of this run and those kept from earlier ones, and says what the graph should hold. */
export async function programParts(
  context: StepsContext,
  project: ProjectFiles,
  fresh: ReadonlyMap<string, FileFacts>,
  contents: ReadonlyMap<string, Content>,
): Promise<ProgramParts> {
  const facts = await allFacts(context, project, fresh, contents);
  context.progress({ phase: 'resolve', done: 0, total: facts.size });
  const resolution = resolveProgram({
    files: facts,
    allPaths: project.files.map(({ file }) => file.path),
    manifests: project.manifests,
  });
  const byFile = groupByFile(resolution);
  const times = { indexed_at: new Date(context.now()).toISOString() };
  const files = project.files.map(({ file, hash }) => {
    const indexed: IndexedFile = {
      file: { ...file, size: contents.get(file.path)?.size ?? file.size },
      hash: contents.get(file.path)?.hash ?? hash,
      facts: facts.get(file.path) ?? null,
      module: project.modules.get(file.path) ?? '',
    };
    const own = byFile.get(file.path) ?? { imports: [], references: [], inheritance: [] };
    return { indexed, part: filePart(indexed, own, (path) => facts.get(path), times) };
  });
  const root = project.manifests.find(({ directory, name }) => directory === '' && name !== null);
  const shared = sharedPart(
    { name: root?.name ?? '', root: context.projectRoot },
    new Map(files.map(({ indexed }) => [indexed.file.path, indexed.module])),
    files.map(({ part }) => part),
  );
  return { shared, files };
}

/** Facts of every extracted file: fresh ones, and for unchanged files those that were kept. */
async function allFacts(
  context: StepsContext,
  project: ProjectFiles,
  fresh: ReadonlyMap<string, FileFacts>,
  contents: ReadonlyMap<string, Content>,
): Promise<Map<string, FileFacts>> {
  const kept = project.files.filter(({ file, language }) => language !== null && !contents.has(file.path));
  const bytes = await context.blobs(kept.map(({ file }) => factsName(file.path)));
  const facts = new Map<string, FileFacts>();
  for (const { file } of project.files) {
    const known = fresh.get(file.path);
    if (known) facts.set(file.path, known);
  }
  for (const [i, { file }] of kept.entries()) {
    const read = readFacts(bytes[i]);
    if (read) facts.set(file.path, read);
  }
  return facts;
}

function groupByFile({ imports, references, inheritance }: Resolution): Map<string, Resolution> {
  const groups = new Map<string, Resolution>();
  const group = (file: string): Resolution => {
    const known = groups.get(file);
    if (known) return known;
    const made: Resolution = { imports: [], references: [], inheritance: [] };
    groups.set(file, made);
    return made;
  };
  for (const one of imports) group(one.file).imports.push(one);
  for (const one of references) group(one.file).references.push(one);
  for (const one of inheritance) group(one.file).inheritance.push(one);
  return groups;
}
