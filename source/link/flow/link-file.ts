import type { ImportFact } from '../../facts.js';
import { type FileModules, moduleSystem } from '../../modules/index.js';
import { byText } from '../../resolution/file-path.js';
import { CONFIDENCE } from '../../resolution/found-target.js';
import type { Program } from '../../resolution/program.js';
import type {
  DefinitionTarget,
  ImportTarget,
  Resolution,
  ResolutionKind,
  ResolvedBase,
  ResolvedImport,
  ResolvedOverride,
} from '../../resolution/resolution.js';
import type { Sym, UnitView } from '../unit-view.js';
import { typeNamed } from './annotations.js';
import { ancestorsOf, isClass, ownMember } from './classes.js';
import type { FlowContext } from './context.js';
import type { FlowEvaluator } from './evaluator.js';
import { exportedName } from './modules.js';
import { reexports, targetOfName } from './reexports.js';
import { resolvedByFlow } from './references.js';

/**
 * The imports, references, bases and overrides of one file of a language whose values are followed by assignments. What
 * cannot be told for sure is unresolved.
 */
export function linkByFlow(program: Program, view: UnitView, budget: { steps: number }): Resolution {
  const { references, receivers, evaluator } = resolvedByFlow(program, view, budget);
  return {
    imports: new Imports(evaluator, view).all(),
    references,
    receivers,
    inheritance: basesOf(evaluator, view),
    overrides: overriddenByFlow(evaluator, view),
  };
}

class Imports {
  readonly #modules: FileModules;

  constructor(
    private readonly evaluator: FlowEvaluator,
    private readonly view: UnitView,
  ) {
    this.#modules = moduleSystem(view.rules.modules).files;
  }

  all(): ResolvedImport[] {
    const passed = reexports(this.evaluator, this.view, (module) => this.#target(module));
    return this.view.facts.imports.map((fact, index) => {
      const target = this.#target(fact.module);
      return {
        file: this.view.path,
        import: index,
        target,
        submodules: this.#submodules(fact),
        definitions: this.#definitions(fact, target),
        passed_on: passed.get(index) ?? [],
        evidence: { line: fact.line, column: fact.column, expression: fact.module },
      };
    });
  }

  #target(module: string): ImportTarget {
    return this.#modules.target(this.evaluator.program.units.modules, this.view.path, module);
  }

  /** What the named imports lead to: definitions of the program, re-exports followed; each once, in the order of the names. */
  #definitions({ names }: ImportFact, target: ImportTarget): DefinitionTarget[] {
    if (!('file' in target)) return [];
    const found = new Map<string, DefinitionTarget>();
    for (const { imported } of names) {
      const named = imported === '*' ? null : exportedName(this.evaluator, target.file, imported);
      if (named?.kind !== 'symbol') continue;
      const { view, row } = named.symbol;
      found.set(`${view.path}\0${row}`, { file: view.path, definition: row });
    }
    return [...found.values()];
  }

  /** `from package import name`: names that the package does not define itself and that are files in it. */
  #submodules({ module, names }: ImportFact): string[] {
    const { modules } = this.evaluator.program.units;
    const found = this.#modules.find(modules, this.view.path, module);
    if (!found) return [];
    const files = names.flatMap(({ imported }) => {
      if (imported === '*') return [];
      if ('folder' in found) {
        const below = this.#modules.below(modules, found.folder, imported);
        return below && 'file' in below ? [below.file] : [];
      }
      const named = exportedName(this.evaluator, found.file, imported);
      return named?.kind === 'module' ? [named.path] : [];
    });
    return [...new Set(files)].sort(byText);
  }
}

function basesOf(evaluator: FlowEvaluator, view: UnitView): ResolvedBase[] {
  const found: ResolvedBase[] = [];
  let row = 0;
  for (const [index, definition] of view.facts.definitions.entries())
    for (const [at, base] of definition.bases.entries()) {
      const named = typeNamed(evaluator, view, view.unit.bases.type[row] ?? -1);
      row += 1;
      const isItself = named?.kind === 'symbol' && named.symbol === view.symbol(index);
      const target = named && !isItself ? targetOfName(named) : null;
      const via = target && named ? named.via : 'name';
      found.push({
        file: view.path,
        definition: index,
        base: at,
        target: target ?? { unresolved: base.name },
        resolution: via,
        confidence: CONFIDENCE[via],
        relation: base.relation,
        evidence: { line: base.line, column: null, expression: base.name },
      });
    }
  return found;
}

/**
 * What the methods of a file's classes override: of each the nearest method of its name behind the class by its method
 * resolution order. A class that is not known ends the search: what lies behind it is not known.
 */
function overriddenByFlow(ctx: FlowContext, view: UnitView): ResolvedOverride[] {
  const found: ResolvedOverride[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const owner = view.symbol(row);
    if (!isClass(owner) || view.basesOf(row).length === 0) continue;
    for (const name of view.scopeNames(view.unit.symbols.body[row] ?? -1).keys()) {
      const method = ownMember(owner, name);
      const override = method && canOverride(method) ? overridden(ctx, owner, method, name) : null;
      if (override) found.push(override);
    }
  }
  return found;
}

function overridden(ctx: FlowContext, owner: Sym, method: Sym, name: string): ResolvedOverride | null {
  let via: ResolutionKind = 'exact';
  for (const ancestor of ancestorsOf(ctx, owner)) {
    if (!ancestor) return null;
    // As sure as the least sure step of the way: it lies behind those before it.
    if (ancestor.view !== owner.view) via = 'import';
    const target = ownMember(ancestor, name);
    if (!target) continue;
    if (!canOverride(target)) return null;
    const definition = method.view.facts.definitions[method.row];
    return {
      file: method.view.path,
      definition: method.row,
      target: { file: target.view.path, definition: target.row },
      resolution: via,
      confidence: CONFIDENCE[via],
      evidence: { line: definition?.name_line ?? 0, column: null, expression: name },
    };
  }
  return null;
}

/** Names that are mangled are their class's alone. */
function canOverride({ view, row }: Sym): boolean {
  const definition = view.facts.definitions[row];
  return definition?.form === 'method' && !view.rules.flow?.ownMethods.test(definition.name);
}
