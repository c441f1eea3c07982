import { defineClass } from './classes.js';
import { define } from './define.js';
import { defineDefault, exportValue } from './exports.js';
import type { Findings } from './findings.js';
import { flowTo } from './flows.js';
import { defineFunction } from './functions.js';
import { importedBy } from './imports.js';
import { isFunction, keyOf, unwrapped } from './literals.js';
import { visitObjectAs } from './objects.js';
import { inside, type Place, under } from './place.js';
import type { SyntaxNode } from './syntax.js';

/**
 * `module.exports = …`, `exports.x = …` and `X.prototype.m = function () {}`: what CommonJS and classes before
 * there were classes define and export. False for any other assignment.
 */
export function visitCommonJsExport(
  node: SyntaxNode,
  target: SyntaxNode,
  value: SyntaxNode,
  at: Place,
  found: Findings,
): boolean {
  if (target.type !== 'member_expression' || target.first === null || target.last === null) return false;
  if (target.first.type === 'member_expression' || target.first.type === 'identifier') {
    const path = target.text.replace(/\s+/g, '');
    if (path === 'module.exports') return exportModule(node, value, at, found);
    const exported = /^(?:module\.)?exports\.([\p{ID_Continue}$]+)$/u.exec(path)?.[1];
    if (exported !== undefined) return exportNamed(exported, node, target.last, value, at, found);
    const owner = /^([\p{ID_Continue}$]+)\.prototype\.[\p{ID_Continue}$]+$/u.exec(path)?.[1];
    if (owner !== undefined) return defineOnPrototype(owner, node, target.last, value, at, found);
  }
  return false;
}

/** What `exports = value` assigns: in `module.exports = exports = value` both are the value. */
function chainedValue(value: SyntaxNode): SyntaxNode | null {
  const held = unwrapped(value);
  const isExports =
    held.type === 'assignment_expression' && /^(?:module\.)?exports\s*=/.test(held.text.slice(0, 40));
  return isExports ? held.last : null;
}

function exportModule(node: SyntaxNode, given: SyntaxNode, at: Place, found: Findings): boolean {
  let value = given;
  for (let chained = chainedValue(value); chained !== null; chained = chainedValue(value)) value = chained;
  const held = unwrapped(value);
  const required = importedBy(held);
  if (required !== null) {
    found.export('*', null, required.module, value);
    found.export('default', '*', required.module, value);
  }
  if (held.type === 'object') {
    found.export('default', null, null, value);
    for (const member of held.children) {
      const name = member.type === 'shorthand_property_identifier' ? member.text : keyOf(member.first);
      if (name === null || member.type === 'spread_element') continue;
      const own = member.type === 'pair' && member.last !== null ? unwrapped(member.last) : null;
      const local =
        own === null ? name : own.type === 'identifier' ? own.text : isFunction(own) ? name : null;
      found.export(name, local, null, member);
    }
    if (at.definition === null) flowTo('exports.default', { node: value }, value, at, found);
    visitObjectAs(value, at, found);
  } else if (required !== null) found.visit(value, at);
  else if (!defineDefault(held, node, at, found)) exportValue(value, 'default', at, found);
  return true;
}

function exportNamed(
  name: string,
  node: SyntaxNode,
  nameNode: SyntaxNode,
  value: SyntaxNode,
  at: Place,
  found: Findings,
): boolean {
  const held = unwrapped(value);
  const span = { start: node.start, end: node.end, head: node.start };
  const required = importedBy(held);
  if (required !== null) {
    found.export(name, '*', required.module, nameNode);
    found.visit(value, at);
  } else if (isFunction(held)) {
    found.export(name, name, null, nameNode);
    defineFunction(held, { form: 'function', name, nameNode, ...span }, at, found, { exported: true });
  } else if (held.type === 'class') {
    found.export(name, name, null, nameNode);
    defineClass(held, { name, nameNode, ...span, exported: true, decorators: [] }, at, found);
  } else if (held.type === 'identifier' || at.definition !== null || at.scope.parent !== null)
    exportValue(value, name, at, found);
  else {
    found.export(name, name, null, nameNode);
    const definition = define(found, at, {
      form: 'variable',
      name,
      nameNode,
      ...span,
      head: [node.start, nameNode.end],
      exported: true,
      scope: 'module',
    });
    visitObjectAs(value, inside(at, definition, name, at.scope), found);
  }
  return true;
}

function defineOnPrototype(
  owner: string,
  node: SyntaxNode,
  nameNode: SyntaxNode,
  value: SyntaxNode,
  at: Place,
  found: Findings,
): boolean {
  const held = unwrapped(value);
  if (!isFunction(held)) return false;
  const parent = found.definitionOf(at.path + owner) ?? at.definition;
  const name = nameNode.text;
  const place = under(at, `${at.path}${owner}.`, parent);
  const span = { start: node.start, end: node.end, head: node.start };
  defineFunction(held, { form: 'method', name, nameNode, ...span }, place, found, { is_property: true });
  return true;
}
