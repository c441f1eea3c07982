import { define, isExported, statementOf } from './define.js';
import type { Visitor } from './findings.js';
import { keyOf } from './literals.js';
import { inside, partOf } from './place.js';
import { Scope } from './scopes.js';

/** An enum is a class whose members are constants. */
const enumeration: Visitor = (node, at, found) => {
  const nameNode = node.child('identifier');
  if (nameNode === null) return;
  const name = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name, true);
  const body = node.child('enum_body');
  const definition = define(found, at, {
    form: 'class',
    subkind: 'enum',
    name,
    nameNode,
    start: whole.start,
    end: whole.end,
    head: [node.start, body?.start ?? node.end],
    exported: isExported(node),
  });
  const within = inside(at, definition, name, new Scope(at.scope, 'block'));
  for (const member of body?.children ?? []) {
    const key = member.type === 'enum_assignment' ? member.first : member;
    const memberName = keyOf(key);
    if (key === null || memberName === null) continue;
    within.scope.bind(memberName, 'definition');
    const own = define(found, within, {
      form: 'variable',
      name: memberName,
      nameNode: key,
      start: member.start,
      end: member.end,
      head: [member.start, member.end],
      scope: 'class',
      is_constant: true,
    });
    if (member !== key && member.last) found.visit(member.last, partOf(within, own));
  }
};

/** Visitors of enums. */
export const enumVisitors: ReadonlyMap<string, Visitor> = new Map([['enum_declaration', enumeration]]);
