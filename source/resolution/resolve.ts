import { LIMITS } from '../../schema/index.js';
import type { FileFacts, ImportFact } from '../facts.js';
import { documentNames } from '../languages/index.js';
import { linkedView, linkFile } from '../link/index.js';
import { baseMeaning } from './class-members.js';
import { documentResolution, namesInDocuments } from './documents.js';
import { exportedMeaning } from './exported-name.js';
import { byText } from './file-path.js';
import { foundTarget } from './found-target.js';
import { importTarget } from './import-target.js';
import type { LookupKey } from './lookups.js';
import { definitionMeaning } from './meaning.js';
import { overridesOf } from './overrides.js';
import { passedOn } from './passed-on.js';
import type { Program } from './program.js';
import { resolvedReferences } from './references.js';
import type {
  DefinitionTarget,
  ImportTarget,
  PassedOn,
  Resolution,
  ResolvedBase,
  ResolvedImport,
  ResolvedReceiver,
} from './resolution.js';

/** One file's resolution, and what it rests on. */
export interface ResolvedPath {
  readonly resolution: Resolution;
  /** Why some or all of it is missing; null where it is whole. */
  readonly problem: ResolutionProblem | null;
  /**
   * Everything outside the file that was looked at, sorted. While none of it changes (of a `file:` its interface),
   * the file resolves to the same.
   */
  readonly looked: readonly LookupKey[];
}

/** Why a file is not resolved, or not as a whole. */
export interface ResolutionProblem {
  /** `too-many-steps`: calls that values would tell are unresolved; `RESOLVE_FAILED`: nothing is resolved. */
  readonly reason: 'too-many-steps' | 'RESOLVE_FAILED';
  readonly detail: string;
}

/**
 * The imports, references and bases of one file of a program, empty for a path without facts: pure and deterministic.
 * What cannot be told for sure is unresolved, never guessed (spec S2-06). Never throws: a file that cannot be resolved
 * is told as that.
 */
export function resolvePath(program: Program, path: string): ResolvedPath {
  const { lookups } = program;
  const references = program.tables.get(path)?.facts.references.length ?? 0;
  const steps = LIMITS.fileSteps.max + references * LIMITS.referenceSteps.max;
  const budget = { steps };
  let problem: ResolutionProblem | null = null;
  const { value, looked } = lookups.recorded(() => {
    try {
      return resolutionOf(program, path, budget);
    } catch (thrown) {
      problem = { reason: 'RESOLVE_FAILED', detail: `${messageOf(thrown)}; its names are left unresolved` };
      return NOTHING;
    }
  });
  if (budget.steps <= 0) problem ??= tooManySteps(steps);
  const { names, looked: documents } = namesInDocuments(program, path, value);
  const others = new Set([...lookups.keysOf(looked), ...documents]);
  others.delete(`file:${path}`);
  const resolution = names.length > 0 ? { ...value, names } : value;
  return { resolution, problem, looked: [...others].sort(byText) };
}

const NOTHING: Resolution = { imports: [], references: [], receivers: [], inheritance: [], overrides: [] };

function tooManySteps(steps: number): ResolutionProblem {
  const detail = `more than ${steps} steps to find what its calls reach; the rest of them is unresolved`;
  return { reason: 'too-many-steps', detail };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function resolutionOf(program: Program, path: string, budget: { steps: number }): Resolution {
  const facts = program.tables.get(path)?.facts;
  if (!facts) return NOTHING;
  if (documentNames(facts.language)) return inOrder(documentResolution(program, path, facts));
  const view = linkedView(path, facts);
  if (view) return inOrder(linkFile(program, view, budget));
  const passed = passedOn(program, path);
  const receivers: ResolvedReceiver[] = [];
  return {
    imports: facts.imports
      .map((fact, index) => resolvedImport(program, path, fact, index, passed.get(index)))
      .sort(byPlace),
    references: resolvedReferences(program, path, facts, receivers).sort(byPlace),
    receivers,
    inheritance: bases(program, path, facts).sort(byPlace),
    overrides: overridesOf(program, path, facts).sort(byPlace),
  };
}

/** Each list by place. */
function inOrder({ imports, references, receivers, inheritance, overrides }: Resolution): Resolution {
  return {
    imports: imports.sort(byPlace),
    references: references.sort(byPlace),
    receivers,
    inheritance: inheritance.sort(byPlace),
    overrides: overrides.sort(byPlace),
  };
}

function resolvedImport(
  program: Program,
  path: string,
  fact: ImportFact,
  index: number,
  passed_on: readonly PassedOn[] = [],
): ResolvedImport {
  const target = importTarget(program, path, fact.module);
  return {
    file: path,
    import: index,
    target,
    submodules: [],
    definitions: importedDefinitions(program, fact, target),
    passed_on,
    evidence: { line: fact.line, column: fact.column, expression: fact.module },
  };
}

/** What the named imports lead to: definitions of the program, re-exports followed; each once, in the order of the names. */
function importedDefinitions(program: Program, fact: ImportFact, target: ImportTarget): DefinitionTarget[] {
  if (!('file' in target)) return [];
  const found = new Map<string, DefinitionTarget>();
  for (const { imported } of fact.names) {
    if (imported === '*') continue;
    for (const space of ['value', 'type'] as const) {
      const meaning = exportedMeaning(program, target.file, imported, space);
      if (meaning?.kind !== 'definition') continue;
      const { file, definition } = meaning;
      found.set(`${file}\0${definition}`, { file, definition });
    }
  }
  return [...found.values()];
}

/** What a literal is written for is told by what its functions override: the interface's name there is a type like any. */
function bases(program: Program, path: string, facts: FileFacts): ResolvedBase[] {
  return facts.definitions.flatMap(({ form, bases }, index) =>
    (form === 'variable' ? [] : bases).map((base, at) => {
      const meaning = baseMeaning(program, definitionMeaning(path, index, 'exact'), at);
      return {
        file: path,
        definition: index,
        base: at,
        ...foundTarget(meaning, base.name),
        relation: base.relation,
        evidence: { line: base.line, column: null, expression: base.name },
      };
    }),
  );
}

function byPlace(
  a: { evidence: { line: number; column: number | null } },
  b: { evidence: { line: number; column: number | null } },
): number {
  return a.evidence.line - b.evidence.line || (a.evidence.column ?? 0) - (b.evidence.column ?? 0);
}
