import type { FileFacts } from '../../../source/facts.js';
import { c } from '../../../source/languages/c/index.js';
import { cpp } from '../../../source/languages/cpp/index.js';
import { go } from '../../../source/languages/go/index.js';
import { java } from '../../../source/languages/java/index.js';
import { python } from '../../../source/languages/python/index.js';
import { swift } from '../../../source/languages/swift/index.js';
import { javascript, jsx, tsx, typescript } from '../../../source/languages/typescript/index.js';
import { createParser } from '../../../source/parser.js';
import {
  createPlaces,
  createProgram,
  interfaceOf,
  moduleTable,
  type Resolution,
  type ResolvedReference,
  readManifests,
  resolvePath,
  type Target,
} from '../../../source/resolution/index.js';

const languages = [typescript, tsx, javascript, jsx, python, go, java, c, cpp, swift];
const parser = await createParser(languages);

/** A tiny program, resolved, with its results told in words. */
export interface ResolvedSources {
  resolution: Resolution;
  /**
   * What the references written as `expression` in a file refer to, each once, in order: `file qualname (how)`,
   * `package:name`, `file` for a module, or `?name` when unresolved; behind `maybe` what it may call besides.
   */
  uses(file: string, expression: string): string[];
  facts(file: string): FileFacts;
  /** What the bases of the classes of a file are, in the same words with the relation in front. */
  bases(file: string): string[];
  /** What the imports of a file name: a file, `package:name`, `stdlib:name` or `?specifier`. */
  imports(file: string): string[];
}

/** Extracts and resolves files given as text; every one is a File, those with facts are resolved. */
export function resolved(sources: Record<string, string>): ResolvedSources {
  const texts = Object.entries(sources);
  const files = new Map(
    texts
      .filter(([path]) => parser.languageOf(path) !== null)
      .map(([path, text]) => [path, parser.extractFile(path, text)]),
  );
  const offers = new Map([...files].map(([path, facts]) => [path, interfaceOf(facts)]));
  const manifests = readManifests(texts.map(([path, text]) => ({ path, text })));
  const places = createPlaces(
    texts.map(([path]) => path),
    manifests,
    (path) => offers.get(path) ?? '',
  );
  const tables = new Map([...files].map(([path, facts]) => [path, moduleTable(facts)]));
  const program = createProgram(tables, places);
  const parts = [...files.keys()].sort().map((path) => resolvePath(program, path).resolution);
  const resolution: Resolution = {
    imports: parts.flatMap(({ imports }) => imports),
    references: parts.flatMap(({ references }) => references),
    receivers: parts.flatMap(({ receivers }) => receivers),
    inheritance: parts.flatMap(({ inheritance }) => inheritance),
    overrides: parts.flatMap(({ overrides }) => overrides),
  };

  const told = ({ target, resolution: how }: { target: Target; resolution: string }): string => {
    if ('unresolved' in target) return `?${target.unresolved}`;
    if ('module' in target) return target.module;
    if ('external' in target) return `${target.external.package}:${target.external.name}`;
    return `${target.file} ${files.get(target.file)?.definitions[target.definition]?.qualname} (${how})`;
  };
  const withCandidates = (one: ResolvedReference): string => {
    const names = (one.candidates ?? []).map(
      ({ file, definition }) => `${file} ${files.get(file)?.definitions[definition]?.qualname}`,
    );
    return names.length === 0 ? told(one) : `${told(one)} maybe ${names.join(', ')}`;
  };
  return {
    resolution,
    facts: (file) => {
      const facts = files.get(file);
      if (!facts) throw new Error(`no facts of ${file}`);
      return facts;
    },
    uses: (file, expression) => [
      ...new Set(
        resolution.references
          .filter((one) => one.file === file && one.evidence.expression === expression)
          .map(withCandidates),
      ),
    ],
    bases: (file) =>
      resolution.inheritance.filter((one) => one.file === file).map((one) => `${one.relation} ${told(one)}`),
    imports: (file) =>
      resolution.imports
        .filter((one) => one.file === file)
        .flatMap(({ target, submodules }) => [
          'file' in target
            ? target.file
            : 'files' in target
              ? target.files.join(' ')
              : 'package' in target
                ? `${target.stdlib ? 'stdlib' : 'package'}:${target.package}`
                : `?${target.unresolved}`,
          ...submodules,
        ]),
  };
}
