import { z } from 'zod';
import { jsonWithComments } from './json-comments.js';

/** What a `tsconfig.json` or `jsconfig.json` says of where modules are; only what it writes itself. */
export interface CompilerConfig {
  /** Configurations that it goes on from, as written; later ones win. */
  extends: string[];
  /** Configurations of the same project in parts, as written. */
  references: string[];
  baseUrl: string | null;
  /** Null when it has none, which takes those it extends. */
  paths: PathPattern[] | null;
  outDir: string | null;
  rootDir: string | null;
}

/** One entry of `paths`: `@/*` and what it stands for, in the order they are tried. */
export interface PathPattern {
  pattern: string;
  targets: string[];
}

const word = z.string().min(1).nullable().catch(null);
const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]);

const options = z.object({
  baseUrl: word,
  paths: z.record(z.string(), z.array(z.string()).catch([])).nullable().catch(null),
  outDir: word,
  rootDir: word,
});

const file = z.object({
  extends: list,
  references: z
    .array(z.object({ path: z.string() }))
    .transform((references) => references.map(({ path }) => path))
    .catch([]),
  compilerOptions: options.catch({ baseUrl: null, paths: null, outDir: null, rootDir: null }),
});

/** Reads a configuration; what is missing or of another form is as if it were not there. */
export function readCompilerConfig(text: string): CompilerConfig {
  const read = file.safeParse(jsonWithComments(text));
  if (!read.success)
    return { extends: [], references: [], baseUrl: null, paths: null, outDir: null, rootDir: null };
  const { compilerOptions, ...rest } = read.data;
  const { paths, ...places } = compilerOptions;
  return {
    ...rest,
    ...places,
    paths: paths && Object.entries(paths).map(([pattern, targets]) => ({ pattern, targets })),
  };
}
