import type { Definition } from '../../facts.js';
import type { FlowFact } from '../../flow-facts.js';
import { exportedMeaning } from '../exported-name.js';
import type { Meaning } from '../meaning.js';
import {
  append,
  definitionAt,
  definitionsNamed,
  Grouping,
  isNamespace,
  type ModuleTable,
  scopeOf,
  TOP,
} from '../module-table.js';
import type { DefinitionTarget, ResolutionKind } from '../resolution.js';
import { receiverOfMethod } from '../scope.js';
import { type Asking, deeper, once } from './asking.js';
import { namesOf, typeOfText } from './read-type.js';
import { foundAt, siteAround, siteInside } from './scopes.js';
import { MOST_ASKED, oneOfEach, type Type } from './type.js';
import { typeOfFlow } from './values.js';

/** What the thing that a name means is as a value. */
export function typeOfMeaning(ask: Asking, meaning: Meaning): Type | null {
  switch (meaning.kind) {
    case 'definition': {
      const at = { file: meaning.file, definition: meaning.definition };
      const type = typeOfDefinition(ask, at, null);
      return type && withVia(type, meaning.via);
    }
    case 'instance':
      return {
        kind: 'instance',
        at: { file: meaning.file, definition: meaning.definition },
        args: [],
        isOpen: false,
        via: meaning.via,
      };
    case 'exported': {
      const table = ask.program.tables.get(meaning.file);
      const flows = table?.flows.get(`exports.${meaning.name}`) ?? [];
      return oneOfEach(flows, (flow) => typeOfFlow(ask, meaning.file, flow));
    }
    default:
      return { kind: 'module', meaning };
  }
}

/** What has a name is found as the name is; an instance as its type. */
function withVia(type: Type, via: ResolutionKind): Type {
  switch (type.kind) {
    case 'class':
    case 'object':
      return { kind: type.kind, at: type.at, via };
    case 'function':
      return { kind: 'function', at: type.at, self: type.self, receiver: type.receiver, via };
    default:
      return type;
  }
}

/** What a definition is as a value; `self` is what it is a member of. */
export function typeOfDefinition(ask: Asking, at: DefinitionTarget, self: Type | null): Type | null {
  const found = foundAt(ask.program, at);
  if (!found) return null;
  const { definition, table } = found;
  const { form } = definition;
  if (form === 'class') return { kind: 'class', at, via: 'exact' };
  if (form === 'function' || form === 'method')
    return { kind: 'function', at, self, receiver: null, via: 'exact' };
  if (form === 'type') return null;
  const isPlain = self?.kind !== 'instance' || self.args.length === 0;
  const find = () => deeper(ask, () => variable(ask, table, at, definition, self));
  const isOpen = self?.kind === 'instance' && self.isOpen === true;
  const { caches } = ask.program;
  return isPlain ? once(ask, isOpen ? caches.openVariables : caches.variables, definition, find) : find();
}

function variable(
  ask: Asking,
  table: ModuleTable,
  at: DefinitionTarget,
  definition: Definition,
  self: Type | null,
): Type | null {
  if (isNamespace(definition)) return { kind: 'class', at, via: 'exact' };
  const { value_type: written, scope, parent, span } = definition;
  const own = table.flows.get(definition.name);
  const all =
    scope === 'class' ? flowsToField(table, definition.name, parent) : inWholeScope.in(own, parent ?? TOP);
  if (all.length > MOST_ASKED) return null;
  const flows = scope === 'class' ? all.filter((flow) => !isRebound(flow)) : all;
  const isInferred = flows.some(({ line }) => line >= span.start_line && line <= span.end_line);
  if (written !== null && !isInferred) {
    const around = siteAround(at, definition);
    return typeOfText(ask, written, { site: around, names: namesOf(ask, self), self });
  }
  // Functions that stand in a call's arguments are no members of what the call gives.
  const isLiteral = flows.some(({ value }) => typeof value === 'object' && value !== null && 'dict' in value);
  if (table.members.has(at.definition) && (isLiteral || flows.length === 0))
    return { kind: 'object', at, via: 'exact' };
  if (flows.length > 0) {
    const type = oneOfEach(flows, (flow) => typeOfFlow(ask, at.file, flow));
    // An empty object that is filled later has its members beside it.
    return type ?? { kind: 'object', at, via: 'exact' };
  }
  return { kind: 'object', at, via: 'exact' };
}

/** Flows by the definition whose variable they go to; those of its blocks are left aside. */
const inWholeScope = new Grouping((flow: FlowFact) => (flow.block ? null : scopeOf(flow)));

const flowsOfOwners = new WeakMap<readonly FlowFact[], ReadonlyMap<number, readonly FlowFact[]>>();

/** What goes to a field of a class or object, in its methods and right inside of it. */
export function flowsToField(table: ModuleTable, name: string, owner: number | null): readonly FlowFact[] {
  const all = table.flows.get(`this.${name}`);
  if (all === undefined || owner === null) return [];
  let byOwner = flowsOfOwners.get(all);
  if (!byOwner) {
    const made = new Map<number, FlowFact[]>();
    for (const flow of all) {
      const receiver = receiverOfMethod(table, flow.from);
      if (receiver !== null) append(made, receiver, flow);
      if (flow.from !== null && flow.from !== receiver) append(made, flow.from, flow);
    }
    byOwner = made;
    flowsOfOwners.set(all, made);
  }
  return byOwner.get(owner) ?? [];
}

/** `this.send = this.send.bind(this)`: the field stays what it was. */
function isRebound({ target, value }: FlowFact): boolean {
  return typeof value === 'object' && value !== null && 'call' in value && value.call === `${target}.bind`;
}

/** What `this` is inside a definition: an instance of its class, or the literal that it is a method of. */
export function selfAt(ask: Asking, file: string, from: number | null): Type | null {
  const table = ask.program.tables.get(file);
  if (!table) return null;
  for (let scope = from; scope !== null; scope = definitionAt(table, scope).parent) {
    const { form, parent, is_static, is_property, qualname, name } = definitionAt(table, scope);
    if (form === 'class')
      return { kind: 'instance', at: { file, definition: scope }, args: [], isOpen: true, via: 'exact' };
    if (form === 'method' && parent !== null) {
      const at = { file, definition: parent };
      const { form: owner, subkind } = definitionAt(table, parent);
      if (owner === 'variable') return { kind: 'object', at, via: 'exact' };
      return is_static && subkind === null
        ? { kind: 'class', at, via: 'exact' }
        : { kind: 'instance', at, args: [], isOpen: true, via: 'exact' };
    }
    if (is_property && form === 'function') {
      const owner = ownerOf(table, parent, qualname.slice(0, -name.length - 1));
      if (owner !== null) return { kind: 'object', at: { file, definition: owner }, via: 'exact' };
    }
  }
  return null;
}

/** The variable whose literal a function stands in, or that it is assigned to a property of. */
function ownerOf(table: ModuleTable, parent: number | null, qualname: string): number | null {
  if (parent !== null && definitionAt(table, parent).form === 'variable') return parent;
  const named = definitionsNamed(table, parent ?? TOP, qualname.slice(qualname.lastIndexOf('.') + 1));
  return variables.in(named, qualname, table)[0] ?? null;
}

/** Variables by their whole names; others under ''. */
const variables = new Grouping((index: number, table: ModuleTable) => {
  const { form, qualname } = definitionAt(table, index);
  return form === 'variable' ? qualname : '';
});

/** The place inside a function, and what its `this` is. */
export function insideOf(ask: Asking, at: DefinitionTarget, definition: Definition, self: Type | null) {
  return { site: siteInside(at, definition), self: self ?? selfAt(ask, at.file, at.definition) };
}

/** What a module that is required gives: what it sets its exports to, when that is one thing. */
export function requiredType(ask: Asking, type: Type): Type | null {
  if (type.kind !== 'module' || type.meaning.kind !== 'file') return null;
  const { file } = type.meaning;
  return once(ask, ask.program.caches.required, file, () => {
    const meaning = exportedMeaning(ask.program, file, 'default', 'value');
    const given = meaning && typeOfMeaning(ask, meaning);
    return given?.kind === 'module' ? (requiredType(ask, given) ?? given) : given;
  });
}
