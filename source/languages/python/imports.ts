import type { ImportedName, ImportFact } from '../../facts.js';
import { stringValue } from './docstring.js';
import { dottedPath, firstName } from './expressions.js';
import { isTypeChecking } from './names.js';
import type { Scope, Scopes } from './scopes.js';
import { compound } from './statements.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** The imports of a file. */
export interface Imports {
  readonly list: readonly ImportFact[];
  /** Names that the module level imports as themselves, `import x as x`: by PEP 484 they are passed on. */
  readonly redundant: ReadonlySet<string>;
}

/** Every import, in the order of the text, those in functions and the dynamic ones with a literal name too. */
export function importsOf(root: Syntax, text: SourceText, scopes: Scopes): Imports {
  const reader = new ImportReader(text, scopes);
  for (const one of root.children) reader.visit(one, scopes.module, false);
  return reader;
}

/** Calls that load a module by a name. */
const loaders = new Set(['importlib.import_module', 'import_module', '__import__', 'importlib.__import__']);

class ImportReader implements Imports {
  readonly list: ImportFact[] = [];
  readonly redundant = new Set<string>();
  /** Most files load nothing dynamically: then expressions need no visit. */
  readonly #dynamic: boolean;

  constructor(
    private readonly text: SourceText,
    private readonly scopes: Scopes,
  ) {
    this.#dynamic = /import_module|__import__/.test(text.text);
  }

  visit(node: Syntax, outer: Scope, typeOnly: boolean): void {
    const scope = this.scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case 'import_statement':
        this.#import(node, scope, typeOnly);
        return;
      case 'import_from_statement':
      case 'future_import_statement':
        this.#importFrom(node, scope, typeOnly);
        return;
      case 'assignment': {
        const [target, value] = node.children;
        if (value?.kind === 'call' && target?.kind === 'identifier') {
          this.#dynamicImport(value, scope, this.text.of(target));
          for (const one of value.children) this.visit(one, scope, typeOnly);
          return;
        }
        break;
      }
      case 'call':
        this.#dynamicImport(node, scope, null);
        break;
      case 'if_statement': {
        const checked = isTypeChecking(node, this.text);
        for (const one of node.children)
          this.visit(one, scope, typeOnly || (checked && one.kind === 'block'));
        return;
      }
    }
    for (const one of node.children)
      if (this.#dynamic || statements.has(one.kind)) this.visit(one, scope, typeOnly);
  }

  #import(node: Syntax, scope: Scope, typeOnly: boolean): void {
    for (const one of node.children) {
      const [path, alias] = one.kind === 'aliased_import' ? one.children : [one];
      if (path?.kind !== 'dotted_name') continue;
      const module = dottedPath(path, this.text) ?? '';
      // `import a.b` binds `a`; `import a.b as c` binds the module itself.
      const local = alias ? this.text.of(alias) : firstName(module);
      if (alias && local === module && scope.kind === 'module') this.redundant.add(local);
      this.#add(module, 'import', typeOnly, [{ imported: '*', local }], scope, node);
    }
  }

  #importFrom(node: Syntax, scope: Scope, typeOnly: boolean): void {
    const future = node.kind === 'future_import_statement';
    const [first, ...rest] = node.children;
    if (!first) return;
    const names: ImportedName[] = [];
    for (const one of future ? node.children : rest) {
      if (one.kind === 'wildcard_import') names.push({ imported: '*', local: null });
      else if (one.kind === 'dotted_name') {
        const name = this.text.of(one);
        names.push({ imported: name, local: name });
      } else if (one.kind === 'aliased_import') {
        const [name, alias] = one.children;
        if (!name || !alias) continue;
        const [imported, local] = [this.text.of(name), this.text.of(alias)];
        if (imported === local && scope.kind === 'module') this.redundant.add(local);
        names.push({ imported, local });
      }
    }
    const module = future ? '__future__' : this.text.of(first).replace(/\s+/g, '');
    this.#add(module, 'import', typeOnly, names, scope, node);
  }

  #dynamicImport(call: Syntax, scope: Scope, local: string | null): void {
    const [callee, list] = call.children;
    const path = callee && dottedPath(callee, this.text);
    if (!path || !loaders.has(path)) return;
    const [first] = list?.children ?? [];
    const module = first?.kind === 'string' ? stringValue(this.text.of(first)) : null;
    if (module) this.#add(module, 'dynamic', false, [{ imported: '*', local }], scope, call);
  }

  #add(
    module: string,
    kind: ImportFact['kind'],
    type_only: boolean,
    names: ImportedName[],
    scope: Scope,
    node: Syntax,
  ): void {
    const line = this.text.line(node.start);
    const column = this.text.column(node.start, line);
    this.list.push({ module, kind, type_only, names, from: scope.owner, line, column });
  }
}

/** Kinds of node that are or hold import statements. */
const statements = new Set([
  ...compound,
  'import_statement',
  'import_from_statement',
  'future_import_statement',
  'decorated_definition',
  'function_definition',
  'class_definition',
]);
