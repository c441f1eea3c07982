import type { Definition, FileFacts } from '../../facts.js';
import type { ParsedFile } from '../language.js';
import { commentTags } from './comments.js';
import { definitionsOf } from './definitions.js';
import { docstringOf } from './docstring.js';
import { exportsOf } from './exports.js';
import { flowsOf } from './flows.js';
import { importsOf } from './imports.js';
import { publicNames } from './names.js';
import { referencesOf } from './references.js';
import { routesOf } from './routes/index.js';
import { scopesOf } from './scopes.js';
import { tellSubkinds } from './subkinds.js';
import { readSyntax } from './syntax.js';
import { isTestPath } from './test-path.js';
import { testsOf } from './tests.js';
import { SourceText } from './text.js';
import { typesOf } from './types.js';
import { ValueReader } from './values.js';

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
    syntax_errors: [...new Set(errors.map((offset) => text.line(offset)))].slice(0, 20),
  };
}

function classNames(definitions: readonly Definition[]): ReadonlySet<string> {
  return new Set(definitions.filter((one) => one.form === 'class').map((one) => one.name));
}
