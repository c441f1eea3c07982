import { compareText, type NodeDraft } from '../../runtime/index.js';
import {
  ClassSymbol,
  ComponentSymbol,
  FunctionSymbol,
  knownNode,
  type LocalForm,
  localId,
  MethodSymbol,
  OtherSymbol,
  TestSymbol,
} from '../../schema/index.js';
import { type Definition, type FileFacts, symbolName } from '../../source/index.js';

/** What the id of a definition begins with, by its form (S2-05). */
const ID_FORM: Readonly<Record<Definition['form'], LocalForm>> = {
  function: 'fn',
  method: 'm',
  class: 'cls',
  variable: 'var',
  type: 'type',
};

/** Where the definitions of one file belong. */
export interface DefinitionSite {
  readonly path: string;
  readonly language: string;
  /** The qualified name of the file's module. */
  readonly module: string;
  readonly facts: FileFacts;
}

const idsOf = new WeakMap<FileFacts, readonly string[]>();

/** The ids of a file's definitions, by index: the same on every machine. Made once for its facts. */
export function definitionIds(path: string, facts: FileFacts): readonly string[] {
  const known = idsOf.get(facts);
  if (known) return known;
  const ids = facts.definitions.map(({ form, qualname, ordinal }) =>
    localId(ID_FORM[form], path, qualname, ordinal),
  );
  idsOf.set(facts, ids);
  return ids;
}

/** What the other definitions and the tests of its file say of a definition. */
export interface DefinitionRole {
  readonly id: string;
  /** Whether a test framework runs it. */
  readonly isTest: boolean;
  /** Whether nothing but the file encloses it. */
  readonly isTop: boolean;
}

/** The Symbol node of a definition. */
export function symbolNode(site: DefinitionSite, definition: Definition, role: DefinitionRole): NodeDraft {
  const { path, language, module, facts } = site;
  const { span } = definition;
  const parent = definition.parent === null ? undefined : facts.definitions[definition.parent];
  const props = {
    name: definition.name,
    qualified_name: symbolName(module, definition.qualname),
    path,
    language,
    start_line: span.start_line,
    end_line: span.end_line,
    start_column: span.start_column,
    name_line: definition.name_line,
    signature: definition.signature,
    docstring: definition.docstring,
    decorators: definition.decorators,
    is_async: definition.is_async,
    visibility: definition.visibility,
    exported: definition.exported,
    exported_as: outsideNames(facts, definition),
    top_level: role.isTop,
    class_name: parent?.form === 'class' ? symbolName(module, parent.qualname) : null,
    base_classes: definition.bases.map((base) => base.name),
    value_type: definition.value_type,
    scope: definition.scope,
    is_constant: definition.is_constant,
    return_type: definition.return_type,
    parameters: definition.parameters.map(({ name, type }) => ({ name, type })),
    ordinal: definition.ordinal,
    line_count: span.end_line - span.start_line + 1,
  };
  const { id } = role;
  if (role.isTest) {
    const callable_kind = definition.form === 'method' ? 'method' : 'function';
    return knownNode(TestSymbol, { ...props, callable_kind }, id);
  }
  if (definition.is_component) {
    const callable_kind = definition.form === 'class' ? 'class' : 'function';
    return knownNode(ComponentSymbol, { ...props, callable_kind }, id);
  }
  switch (definition.form) {
    case 'function':
      return knownNode(FunctionSymbol, { ...props, callable_kind: 'function' }, id);
    case 'method':
      return knownNode(MethodSymbol, { ...props, callable_kind: 'method' }, id);
    case 'class': {
      const { subkind } = definition;
      return knownNode(ClassSymbol, { ...props, callable_kind: 'class', subkind }, id);
    }
    case 'type':
      return knownNode(OtherSymbol, { ...props, subkind: 'type_alias' }, id);
    case 'variable': {
      const subkind = definition.is_constant ? 'constant' : 'variable';
      return knownNode(OtherSymbol, { ...props, subkind }, id);
    }
  }
}

const outsideOf = new WeakMap<FileFacts, ReadonlyMap<string, readonly string[]>>();

/** The names under which a file offers a definition, where that is not its own name alone. */
function outsideNames(facts: FileFacts, { parent, exported, name }: Definition): string[] {
  if (parent !== null || !exported) return [];
  const names = namesByLocal(facts).get(name) ?? [];
  return names.length === 1 && names[0] === name ? [] : [...names];
}

/** The outside names of what a file defines itself, by the inside names. Made once for its facts. */
function namesByLocal(facts: FileFacts): ReadonlyMap<string, readonly string[]> {
  const known = outsideOf.get(facts);
  if (known) return known;
  const names = new Map<string, Set<string>>();
  for (const { name, local: named, module, definition } of facts.exports) {
    const local = definition === undefined ? named : (facts.definitions[definition]?.name ?? null);
    if (module === null && local !== null) names.set(local, (names.get(local) ?? new Set()).add(name));
  }
  const made = new Map([...names].map(([local, outside]) => [local, [...outside].sort(compareText)]));
  outsideOf.set(facts, made);
  return made;
}
