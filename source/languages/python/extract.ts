import { LIMITS } from '../../../schema/index.js';
import type {
  Base,
  ClassSubkind,
  Definition,
  ExportFact,
  FileFacts,
  ImportFact,
  TestFact,
} from '../../facts.js';
import { isFixture } from '../../pytest.js';
import type { ParsedFile } from '../language.js';
import { commentTags } from './comments.js';
import { definitionsOf } from './definitions.js';
import { docstringOf } from './docstring.js';
import { lastName } from './expressions.js';
import { flowsOf } from './flows.js';
import { importsOf } from './imports.js';
import { type PublicNames, publicNames } from './names.js';
import { referencesOf } from './references.js';
import { routesOf } from './routes/index.js';
import { scopesOf } from './scopes.js';
import { readSyntax } from './syntax.js';
import { isTestPath } from './test-path.js';
import { SourceText } from './text.js';
import { typesOf } from './types.js';
import { ValueReader } from './values.js';

/** What of a module a base is: `Protocol` of `typing`. */
interface Origin {
  /** Null where a star may bring it, or nothing says whence it comes. */
  readonly module: string | null;
  readonly name: string;
}

const ENUMS: ReadonlySet<string> = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']);

const CHOICES: ReadonlySet<string> = new Set(['Choices', 'TextChoices', 'IntegerChoices']);

/** Where typing's own names come from; a module of the project passes them on to older versions of the language. */
const TYPING = /^(?:typing|typing_extensions|\..*)$/;

const ENUM = /^(?:enum|aenum|strenum|backports\.strenum|\..*)$/;

/** The facts of one Python file: the tree is read once, what follows are passes over plain data. */
export function extractPython(file: ParsedFile): FileFacts {
  const { root, comments, errors } = readSyntax(file);
  const text = new SourceText(file.text, comments);
  const listed = publicNames(root, text);
  const definitions = definitionsOf(root, text, listed, file.path.endsWith('.pyi'));
  const scopes = scopesOf(root, text, definitions);
  const { list: imports, redundant } = importsOf(root, text, scopes);
  tellSubkinds(definitions.list, imports);
  const importsAll = imports.some(
    (one) => one.kind === 'import' && one.names.some((name) => name.local === null),
  );
  const values = new ValueReader(text, definitions, scopes, importsAll);
  const flows = flowsOf(root, text, scopes, values);
  return {
    language: 'python',
    docstring: docstringOf(root, text),
    lines: text.lines,
    definitions: [...definitions.list],
    references: referencesOf(root, text, definitions, scopes, values, importsAll),
    imports: [...imports],
    exports: exportsOf(file.path, definitions.list, imports, redundant, listed),
    types: typesOf(root, text, scopes, classNames(definitions.list)),
    flows,
    comments: commentTags(comments, text, definitions.list),
    tests: testsOf(file.path, definitions.list),
    routes: routesOf({
      path: file.path,
      isTest: isTestPath(file.path),
      root,
      text,
      definitions,
      scopes,
      imports,
    }),
    keys: [],
    syntax_errors: [...new Set(errors.map((offset) => text.line(offset)))].slice(0, LIMITS.syntaxErrors.max),
  };
}

function classNames(definitions: readonly Definition[]): ReadonlySet<string> {
  return new Set(definitions.filter((one) => one.form === 'class').map((one) => one.name));
}

/**
 * What a module offers: its public definitions; imported names that it passes on, that is those in `__all__`, those
 * that an `__init__.py` imports from its own package, and `import x as x` (PEP 484); `*` for `from m import *`,
 * where no `__all__` says which of its names are meant.
 */
function exportsOf(
  path: string,
  definitions: readonly Definition[],
  imports: readonly ImportFact[],
  redundant: ReadonlySet<string>,
  listed: PublicNames,
): ExportFact[] {
  const found = new Map<string, ExportFact>();
  for (const { name, exported, name_line } of definitions)
    if (exported && !found.has(name)) found.set(name, { name, local: name, module: null, line: name_line });
  const stars: ExportFact[] = [];
  const isPackage = /(^|\/)__init__\.pyi?$/.test(path);
  for (const one of imports) {
    if (one.from !== null || one.kind !== 'import') continue;
    for (const { imported, local } of one.names) {
      if (local === null) {
        if (!listed) stars.push({ name: '*', local: null, module: one.module, line: one.line });
        continue;
      }
      const isOwn = isPackage && imported !== '*' && !one.type_only && isWithin(path, one.module);
      const given = isOwn || redundant.has(local);
      const passedOn = listed ? listed.has(local) : given && !local.startsWith('_');
      if (passedOn && one.module !== '__future__' && !found.has(local))
        found.set(local, { name: local, local, module: one.module, line: one.line });
    }
  }
  // A submodule, or a name that another way puts into the module: offered all the same.
  for (const [name, line] of listed ?? [])
    if (!found.has(name)) found.set(name, { name, local: name, module: null, line });
  return [...found.values(), ...stars].sort((a, b) => a.line - b.line);
}

/** Whether a module is within the package of an `__init__.py`: `.core`, or `shop.core` where the folder is `src/shop`. */
function isWithin(path: string, module: string): boolean {
  if (module.startsWith('.')) return !module.startsWith('..');
  const folders = path.split('/').slice(0, -1);
  const parts = module.split('.');
  return parts.some((_, at) => parts.slice(0, at + 1).join('/') === folders.slice(-at - 1).join('/'));
}

/**
 * Says of classes that they are enums or protocols: by what their bases are imported as, since `asyncio.Protocol` and
 * SQLAlchemy's `Enum` are neither. What extends an enum of the file is one; what extends a protocol is a class, unless
 * it says `Protocol` again. TypedDict, NamedTuple and abstract classes stay classes.
 */
function tellSubkinds(definitions: readonly Definition[], imports: readonly ImportFact[]): void {
  const enums = new Set<string>();
  for (const one of definitions) {
    if (one.form !== 'class') continue;
    one.subkind = subkindOf(one.bases, imports, enums);
    if (one.subkind === 'enum' && one.parent === null) enums.add(one.name);
  }
}

function subkindOf(
  bases: readonly Base[],
  imports: readonly ImportFact[],
  enums: ReadonlySet<string>,
): ClassSubkind | null {
  const origins = bases.flatMap(({ name }) => originOf(name, imports) ?? []);
  const isFrom = (names: (name: string) => boolean, modules: RegExp) =>
    origins.some(({ module, name }) => names(name) && (module === null || modules.test(module)));
  if (isFrom((name) => name === 'Protocol', TYPING)) return 'protocol';
  if (isFrom((name) => ENUMS.has(name), ENUM)) return 'enum';
  if (isFrom((name) => CHOICES.has(name), /^django\.db\.models$/)) return 'enum';
  return bases.some(({ name }) => enums.has(name)) ? 'enum' : null;
}

function originOf(written: string, imports: readonly ImportFact[]): Origin | null {
  const parts = written.split('.');
  const name = parts.pop() ?? '';
  const root = parts[0] ?? name;
  for (const { module, names } of imports) {
    const bound = names.find(({ local }) => local === root);
    if (bound === undefined) continue;
    if (parts.length === 0) return bound.imported === '*' ? null : { module, name: bound.imported };
    // `import a.b` binds `a`; `from django.db import models` binds a module.
    const start =
      bound.imported === '*'
        ? root === module.split('.')[0]
          ? root
          : module
        : `${module}.${bound.imported}`;
    return { module: [start, ...parts.slice(1)].join('.'), name };
  }
  const hasStar = imports.some(({ names }) => names.some(({ local }) => local === null));
  return parts.length === 0 && hasStar ? { module: null, name } : null;
}

/**
 * What pytest and unittest would run: in `test_*.py` and `*_test.py` the functions `test*` and the methods `test*` of
 * classes `Test*` without a constructor (pytest's defaults for `python_files`, `python_functions` and
 * `python_classes`); in any file the methods `test*` of a `TestCase`.
 */
function testsOf(path: string, definitions: readonly Definition[]): TestFact[] {
  const collected = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
  return definitions.flatMap((one, definition) => {
    const suites = suitesOf(one, definitions);
    if (!suites || !isTest(one, suites, definitions, collected)) return [];
    const { name: title, qualname, ordinal, signature, is_async, span } = one;
    const titles = suites.map((suite) => suite.name);
    return [{ title, definition, suites: titles, qualname, ordinal, signature, is_async, span, body: span }];
  });
}

/** The enclosing classes, outermost first; null inside a function, where nothing is collected. */
function suitesOf(one: Definition, definitions: readonly Definition[]): Definition[] | null {
  const suites: Definition[] = [];
  for (let at = one.parent; at !== null; ) {
    const outer = definitions[at];
    if (outer?.form !== 'class') return null;
    suites.unshift(outer);
    at = outer.parent;
  }
  return suites;
}

function isTest(
  one: Definition,
  suites: readonly Definition[],
  definitions: readonly Definition[],
  collected: boolean,
): boolean {
  if (one.form !== 'function' && one.form !== 'method') return false;
  // A fixture may be called test_client.
  if (!one.name.startsWith('test') || isFixture(one)) return false;
  const suite = suites[suites.length - 1];
  if (suite && isTestCase(suite, definitions)) return true;
  return (
    collected && suites.every((each) => each.name.startsWith('Test') && !hasConstructor(each, definitions))
  );
}

/** Whether a class derives from a `TestCase`, by its own bases or by those of classes of the file. */
function isTestCase(suite: Definition, definitions: readonly Definition[], depth = 0): boolean {
  return suite.bases.some((base) => {
    if (lastName(base.name).endsWith('TestCase')) return true;
    const own = definitions.find((each) => each.form === 'class' && each.qualname === base.name);
    return own !== undefined && own !== suite && depth < 8 && isTestCase(own, definitions, depth + 1);
  });
}

/** pytest passes over a class with a constructor. */
function hasConstructor(suite: Definition, definitions: readonly Definition[]): boolean {
  return definitions.some(
    ({ name, parent }) => name === '__init__' && parent !== null && definitions[parent] === suite,
  );
}
