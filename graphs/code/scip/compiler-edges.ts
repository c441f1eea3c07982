import { z } from 'zod';
import type {
  Definition,
  DefinitionTarget,
  FileFacts,
  Resolution,
  ResolvedReference,
  Target,
} from '../../../source/index.js';
import { definitionIds } from '../symbols.js';

/** What the names begin with under which it is stored what compilers say of files. */
export const COMPILER_EDGES = 'compiler/';
/** The name under which it is stored what a compiler says of a file. */
export const compilerEdgesName = (path: string): string => `${COMPILER_EDGES}${path}`;

const count = z.number().int().nonnegative();

/** What a compiler says of one file, by an index that was imported. It holds as long as the file's content is the same. */
export const CompilerEdges = z.object({
  /** The name of the tool that made the index. */
  tool: z.string(),
  /** SHA-256 of the file's content, lower-case hex. */
  hash: z.string(),
  /** Definitions of the project, each as the path of its file and its id; then ids of more that it is declared by: overloads. */
  targets: z.array(z.tuple([z.string(), z.string()], z.string())),
  /** Which of the targets the name at a line (from 1) and a column (from 0, UTF-16) means. */
  places: z.array(z.tuple([count, count, count])),
  /** Which of the targets a definition of the file, by its id, overrides or implements. */
  behind: z.array(z.tuple([z.string(), count])),
});
export type CompilerEdges = z.infer<typeof CompilerEdges>;

/** The facts of any file of the program. */
type FactsOf = (path: string) => FileFacts | undefined;

/** What constructors are called that do not have their class's name. */
const CONSTRUCTORS = new Set(['constructor', '__init__', '__construct', 'initialize', 'init', 'new']);

/**
 * What a file's names mean with the word of a compiler: where it names a definition that there still is, its word stands in
 * the place of what was found.
 */
export function withCompilerEdges(
  path: string,
  found: Resolution,
  edges: CompilerEdges,
  factsOf: FactsOf,
): Resolution {
  const facts = factsOf(path);
  return facts ? new CompilerResolution(path, facts, edges, factsOf).in(found) : found;
}

/** A definition of the project, where it stands. */
interface KnownTarget {
  readonly target: DefinitionTarget;
  readonly definition: Definition;
  /** All that it is declared by, by index. */
  readonly declared: readonly number[];
}

/** What a compiler says of one file, as definitions and references of now. */
class CompilerResolution {
  readonly #targets: readonly (KnownTarget | null)[];
  /** By the index of the reference. */
  readonly #resolved = new Map<number, KnownTarget>();

  constructor(
    private readonly path: string,
    private readonly facts: FileFacts,
    private readonly edges: CompilerEdges,
    private readonly factsOf: FactsOf,
  ) {
    const indexes = new Map<string, number>();
    for (const file of new Set(edges.targets.map(([file]) => file))) {
      const there = factsOf(file);
      for (const [at, id] of (there ? definitionIds(file, there) : []).entries()) indexes.set(id, at);
    }
    this.#targets = edges.targets.map(([file, ...ids]) => {
      const declared = ids.flatMap((id) => indexes.get(id) ?? []);
      const definition = factsOf(file)?.definitions[declared[0] ?? -1];
      return definition ? { target: { file, definition: declared[0] ?? -1 }, definition, declared } : null;
    });
    const places = new Map(edges.places.map(([line, column, target]) => [`${line}:${column}`, target]));
    const locals = facts.imports.flatMap(({ names }) => names.flatMap(({ local }) => local ?? []));
    const renamed = new Set(locals);
    for (const [index, { line, column, name }] of facts.references.entries()) {
      const known = this.#targets[places.get(`${line}:${column}`) ?? -1];
      if (!known) continue;
      // A name that is another one was counted to another place.
      if (known.definition.name === name || renamed.has(name) || this.#constructed(known))
        this.#resolved.set(index, known);
    }
  }

  in(found: Resolution): Resolution {
    const names = found.names?.filter(({ reference }) => !this.#resolved.has(reference ?? -1));
    return { ...found, references: this.#references(found), ...this.#behind(found), names };
  }

  /** The class that a constructor makes; null for other definitions. */
  #constructed({
    target: { file },
    definition: { form, parent, name },
  }: KnownTarget): DefinitionTarget | null {
    if (form !== 'method' || parent === null) return null;
    const around = this.factsOf(file)?.definitions[parent];
    const isOne = around?.form === 'class' && (name === around.name || CONSTRUCTORS.has(name));
    return isOne ? { file, definition: parent } : null;
  }

  #references({ references: found }: Resolution): ResolvedReference[] {
    const before = new Map(found.map((one) => [one.reference, one]));
    // That a name means a variable says nothing against what was found to be in it.
    for (const [index, { definition }] of this.#resolved)
      if (definition.form === 'variable' && isFound(before.get(index))) this.#resolved.delete(index);
    const made = [...this.#resolved].map(([index, known]) =>
      this.#reference(index, known, before.get(index)),
    );
    const others = found.filter(({ reference }) => !this.#resolved.has(reference));
    const column = ({ evidence }: ResolvedReference) => evidence.column ?? 0;
    return [...others, ...made].sort(
      (a, b) => a.evidence.line - b.evidence.line || column(a) - column(b) || a.reference - b.reference,
    );
  }

  #reference(index: number, known: KnownTarget, before: ResolvedReference | undefined): ResolvedReference {
    const { line = 1, column = 0, expression = '' } = this.facts.references[index] ?? {};
    const ofClass = this.#constructed(known);
    const { target: main, declared } = known;
    // Which of several declarations is called is known here alone.
    const one = declared
      .map((definition) => ({ ...main, definition }))
      .find((other) => before && isTarget(before.target, other));
    const target = ofClass ?? one ?? main;
    const isSame = before !== undefined && isTarget(before.target, target);
    return {
      file: this.path,
      reference: index,
      target,
      constructor_method: ofClass ? known.target : isSame ? before.constructor_method : null,
      ...EXACT,
      evidence: { line, column, expression },
    };
  }

  /** What is behind the definitions of the file, with what the compiler adds. */
  #behind(found: Resolution): Pick<Resolution, 'inheritance' | 'overrides'> {
    const [inheritance, overrides] = [[...found.inheritance], [...found.overrides]];
    const ids = definitionIds(this.path, this.facts);
    for (const [id, index] of this.edges.behind) {
      const definition = ids.indexOf(id);
      const [own, known] = [this.facts.definitions[definition], this.#targets[index]];
      if (!own || !known || own.form !== known.definition.form) continue;
      const { target } = known;
      const evidence = { line: own.name_line, column: null, expression: own.name };
      const made = { file: this.path, definition, target, evidence, ...EXACT };
      const isKnown = (one: { definition: number; target: Target }) =>
        one.definition === definition && isTarget(one.target, target);
      if (own.form === 'class' && !inheritance.some(isKnown))
        inheritance.push({ ...made, base: -1, relation: 'implements' });
      if (own.form === 'method' && !overrides.some(isKnown)) overrides.push(made);
    }
    return { inheritance, overrides };
  }
}

const EXACT = { resolution: 'exact', confidence: 1 } as const;

function isFound(one: ResolvedReference | undefined): boolean {
  return one !== undefined && 'definition' in one.target;
}

function isTarget(target: Target, other: DefinitionTarget): boolean {
  return 'definition' in target && target.file === other.file && target.definition === other.definition;
}
