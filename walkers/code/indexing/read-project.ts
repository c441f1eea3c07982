import type { StepsContext } from '../../../runtime/index.js';
import { CodewalkError, toCodewalkError } from '../../../schema/index.js';
import {
  createParser,
  type Discovery,
  type FileFacts,
  type Language,
  languageOf,
  readText,
  type SourceParser,
} from '../../../source/index.js';
import type { ProjectFile } from './project-files.js';

/** Something that went wrong with one file; the run went on. */
export interface FileProblem {
  readonly path: string;
  /** A skip reason of discovery (`not-utf8`, `vanished`…), `syntax-error`, or an error code. */
  readonly reason: string;
  readonly detail: string;
}

/**
 * A parser for the languages that the files have. A grammar that fails to load is a problem of its language,
 * not of the run: its files are in the graph without symbols.
 */
export async function parserFor(discovery: Discovery, problems: FileProblem[]): Promise<SourceParser> {
  const wanted = new Map<string, Language>();
  for (const { path, extracted } of discovery.files) {
    const language = extracted ? languageOf(path) : null;
    if (language) wanted.set(language.name, language);
  }
  const sorted = [...wanted.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  try {
    return await createParser(sorted);
  } catch (thrown) {
    if (toCodewalkError(thrown).code !== 'GRAMMAR_FAILED') throw thrown;
    const loadable: Language[] = [];
    for (const language of sorted) if (await loads(language, problems)) loadable.push(language);
    return createParser(loadable);
  }
}

async function loads(language: Language, problems: FileProblem[]): Promise<boolean> {
  try {
    (await createParser([language])).delete();
    return true;
  } catch (thrown) {
    const { code, message } = toCodewalkError(thrown);
    problems.push({ path: `*.${language.name}`, reason: code, detail: message });
    return false;
  }
}

/** The facts of one file as it is now, with the hash of what was extracted; a failure is a problem, and null. */
export function extractFacts(
  parser: SourceParser,
  { file }: ProjectFile,
  problems: FileProblem[],
): { facts: FileFacts; hash: string } | null {
  const read = readText(file);
  if (!read.ok) {
    problems.push({ path: file.path, reason: read.reason, detail: read.detail });
    return null;
  }
  try {
    return { facts: parser.extractFile(file.path, read.text), hash: read.hash };
  } catch (thrown) {
    const { code, message } = toCodewalkError(thrown);
    problems.push({ path: file.path, reason: code, detail: message });
    return null;
  }
}

/** The project root of a context. */
export function rootOf({ projectRoot }: Pick<StepsContext, 'projectRoot'>): string {
  if (projectRoot !== null) return projectRoot;
  throw new CodewalkError('INVALID_ROOT', 'a graph in memory has no project to index', {
    suggestion: 'Open the graph of a folder.',
  });
}
