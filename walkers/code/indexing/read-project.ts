import { compareText, type StepsContext } from '../../../runtime/index.js';
import { CodewalkError, toCodewalkError } from '../../../schema/index.js';
import {
  createParser,
  type Discovery,
  type FileFacts,
  type Language,
  languageOf,
  type ParserOptions,
  readText,
  type SourceParser,
} from '../../../source/index.js';
import type { Content, ProjectFile } from './project-files.js';

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
export async function parserFor(
  discovery: Pick<Discovery, 'files'>,
  problems: FileProblem[],
  options: ParserOptions = {},
): Promise<SourceParser> {
  const wanted = new Map<string, Language>();
  for (const { path, extracted } of discovery.files) {
    const language = extracted ? languageOf(path) : null;
    if (language) wanted.set(language.name, language);
  }
  const sorted = [...wanted.values()].sort((a, b) => compareText(a.name, b.name));
  try {
    return await createParser(sorted, options);
  } catch (thrown) {
    if (toCodewalkError(thrown).code !== 'GRAMMAR_FAILED') throw thrown;
    const loadable: Language[] = [];
    for (const language of sorted) if (await loads(language, problems, options)) loadable.push(language);
    return createParser(loadable, options);
  }
}

async function loads(language: Language, problems: FileProblem[], options: ParserOptions): Promise<boolean> {
  try {
    (await createParser([language], options)).delete();
    return true;
  } catch (thrown) {
    const { code, message } = toCodewalkError(thrown);
    problems.push({ path: `*.${language.name}`, reason: code, detail: message });
    return false;
  }
}

/** What extraction made of one file as it is now. */
export interface Extracted {
  /** Null when it failed, which is a problem of the run. */
  readonly facts: FileFacts | null;
  /** Null when it could not be read any more: as if discovery had not found it. */
  readonly content: Content | null;
}

/** Extracts one file as it is now; a failure is a problem and not an error. */
export function extractFacts(
  parser: SourceParser,
  { file }: ProjectFile,
  problems: FileProblem[],
): Extracted {
  const read = readText(file);
  if (!read.ok) {
    problems.push({ path: file.path, reason: read.reason, detail: read.detail });
    return { facts: null, content: null };
  }
  try {
    return { facts: parser.extractFile(file.path, read.text), content: read };
  } catch (thrown) {
    const { code, message } = toCodewalkError(thrown);
    problems.push({ path: file.path, reason: code, detail: message });
    return { facts: null, content: read };
  }
}

/** The project root of a context. */
export function rootOf({ projectRoot }: Pick<StepsContext, 'projectRoot'>): string {
  if (projectRoot !== null) return projectRoot;
  throw new CodewalkError('INVALID_ROOT', 'a graph in memory has no project to index', {
    suggestion: 'Open the graph of a folder.',
  });
}
