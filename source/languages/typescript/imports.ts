import type { ImportedName } from '../../facts.js';
import type { Findings, Visitor } from './findings.js';
import { stringOf, unwrapped } from './literals.js';
import { namesOf } from './patterns.js';
import type { Place } from './place.js';
import type { SyntaxNode } from './syntax.js';

/** What is imported where nothing is bound. */
export const UNBOUND: readonly ImportedName[] = [{ imported: '*', local: null }];

/** `import D, { a as b } from 'm'`, `import 'm'`, `import x = require('m')` */
const statement: Visitor = (node, at, found) => {
  const required = node.child('import_require_clause');
  const type_only = /^import\s+type\s(?!\s*from\b)/.test(node.text.slice(0, 40));
  if (required !== null) {
    const [local, source] = [required.first, required.last];
    const module = stringOf(source);
    if (local !== null && module !== null)
      found.import(
        { module, kind: 'require', type_only, names: [{ imported: '*', local: local.text }] },
        node,
        at,
      );
    return;
  }
  const module = stringOf(node.child('string'));
  if (module === null) return found.visitChildren(node, at);
  const clause = node.child('import_clause');
  const names = clause === null ? [...UNBOUND] : clause.children.flatMap(namesOfClause);
  const inline = clause !== null && clause.child('named_imports') !== null && clause.children.length === 1;
  const allTypes =
    inline && names.length > 0 && specifiersOf(clause).every((one) => one.text.startsWith('type '));
  found.import({ module, kind: 'import', type_only: type_only || allTypes, names }, node, at);
};

function specifiersOf(clause: SyntaxNode): readonly SyntaxNode[] {
  return clause.child('named_imports')?.children ?? [];
}

function namesOfClause(part: SyntaxNode): ImportedName[] {
  if (part.type === 'identifier') return [{ imported: 'default', local: part.text }];
  if (part.type === 'namespace_import') return [{ imported: '*', local: part.first?.text ?? null }];
  return part.children
    .filter((one) => one.type === 'import_specifier')
    .map((one) => {
      const [name, local] = [one.first?.text ?? '', one.last?.text ?? ''];
      return { imported: stringOf(one.first) ?? name, local };
    });
}

/** `import x = A.B` gives a name of this file to something else. */
const alias: Visitor = (node, at, found) => {
  const [name, target] = [node.first, node.last];
  if (name === null || target === null || name === target) return;
  at.scope.declare(name.text, true);
  found.use('read', target, target, at);
};

/** The module that `require('m')` or `import('m')` names; null for any other node. */
export function importedBy(node: SyntaxNode): { module: string; kind: 'require' | 'dynamic' } | null {
  if (node.type !== 'call_expression') return null;
  const { first, last } = node;
  const isImport = first?.type === 'import';
  if (
    !isImport &&
    (first?.type !== 'identifier' || first.end - first.start !== 7 || first.text !== 'require')
  )
    return null;
  const module = last?.type === 'arguments' ? stringOf(last.first) : null;
  return module === null ? null : { module, kind: isImport ? 'dynamic' : 'require' };
}

/** `require('m')` or `import('m')` whose result nobody names. */
export function bindDynamic(node: SyntaxNode, at: Place, found: Findings): void {
  const imported = importedBy(node);
  if (imported !== null)
    found.import({ ...imported, type_only: isInType(node), names: [...UNBOUND] }, node, at);
}

/** `import('m').Name` written as a type loads nothing. */
function isInType(node: SyntaxNode): boolean {
  let one = node.parent;
  while (one?.type === 'member_expression') one = one.parent;
  return one !== null && TYPE_PARENT.test(one.type);
}

const TYPE_PARENT =
  /_type$|^(type_annotation|type_arguments|type_alias_declaration|type_query|default_type|constraint|nested_type_identifier)$/;

/**
 * `const m = require('m')`, `const { a: b } = await import('m')`, `const a = require('m').a`: binds the names as
 * imports. False when the value is something else.
 */
export function bindRequired(target: SyntaxNode, given: SyntaxNode, at: Place, found: Findings): boolean {
  let value = unwrapped(given);
  let member: string | null = null;
  if (value.type === 'member_expression' && value.first !== null && value.last !== null) {
    member = value.last.text;
    value = unwrapped(value.first);
  }
  if (value.type === 'await_expression' && value.first !== null) value = unwrapped(value.first);
  else if (value.first?.type === 'import') return false;
  const imported = importedBy(value);
  if (imported === null) return false;
  const bound = namesOf(target, at, found);
  const names = bound.map(({ name, key }) => ({
    imported: member ?? (target.type === 'identifier' ? '*' : (key ?? '*')),
    local: name,
  }));
  found.import(
    { ...imported, type_only: false, names: names.length === 0 ? [...UNBOUND] : names },
    value,
    at,
  );
  return true;
}

/** Visitors of imports. */
export const importVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['import_statement', statement],
  ['import_alias', alias],
]);
