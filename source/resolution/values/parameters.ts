import type { Definition } from '../../facts.js';
import type { ValueFact } from '../../flow-facts.js';
import { isFixture, takesFixtures } from '../../pytest.js';
import { directoryOf } from '../file-path.js';
import {
  definitionAt,
  definitionsNamed,
  flowsByOwner,
  Grouping,
  type ModuleTable,
  parameterNamed,
  TOP,
} from '../module-table.js';
import type { Program } from '../program.js';
import type { DefinitionTarget } from '../resolution.js';
import { siteOf } from '../value-type.js';
import { annotatedValues } from './annotated.js';
import type { Evaluation } from './evaluation.js';
import { itemOf } from './items.js';
import { nearest } from './names.js';
import {
  type Activation,
  eachOf,
  type Given,
  NOTHING,
  oneOf,
  only,
  type Scene,
  together,
  UNKNOWN,
  type Value,
  type Values,
} from './value.js';

/** Definitions of one name by whether they are fixtures. */
const fixtures = new Grouping((index: number, table: ModuleTable) => isFixture(definitionAt(table, index)));

/** What a parameter stands for: by the call that is looked at, else by its annotation, or by every known call. */
export function parameterValues(
  run: Evaluation,
  table: ModuleTable,
  scope: number,
  name: string,
  { site: { file }, activation }: Scene,
): Values {
  const own = nearest(activation, file, table, scope);
  const handed = own?.definition === scope ? own : null;
  const given = handed?.bound.get(name);
  if (given) return given();
  if (handed?.isWhole) return unhanded(run, table, scope, name, file, activation, true);
  const work = () => unhanded(run, table, scope, name, file, activation, false);
  return activation ? work() : run.kept(`${file}\0${scope}\0${name}`, work);
}

/** What a parameter stands for that the call which is looked at does not fill, or that no call is looked at for. */
function unhanded(
  run: Evaluation,
  table: ModuleTable,
  scope: number,
  name: string,
  file: string,
  activation: Activation | null,
  isLeftOut: boolean,
): Values {
  const definition = definitionAt(table, scope);
  const at = parameterNamed(definition, name);
  const parameter = definition.parameters[at];
  if (!parameter) return UNKNOWN;
  if (parameter.type !== null && !parameter.rest) {
    const annotated = annotatedValues(run, parameter.type, siteOf({ file }, definition));
    if (annotated) return annotated;
  }
  const self = at === 0 ? instanceOf(table, file, definition) : null;
  if (self) return only(self);
  const initial = byDefault(run, table, scope, name, file, activation);
  if (isLeftOut) return initial ?? UNKNOWN;
  const fixture = initial ? null : fixtureNamed(run.program, file, definition, name);
  if (fixture) return given(run, fixture);
  const callers = file === run.home ? (run.callers.get(scope) ?? []) : [];
  const parts = callers.map((caller) =>
    run.once(caller, () => {
      const argument = argumentOf(definition, at, caller.given, caller.isBound);
      return argument === undefined ? NOTHING : run.values(argument, caller.given.scene);
    }),
  );
  // That others may call it with something else makes none of these calls less of a fact.
  const known = [...(initial ? [initial] : []), ...parts].filter((part) => part.all.length > 0);
  return known.length > 0 ? together(known) : UNKNOWN;
}

/** What the first parameter of a method stands for; null when that is no method of a class. */
export function instanceOf(
  table: ModuleTable,
  file: string,
  { form, parent, decorators, is_static }: Definition,
): Value | null {
  if (form !== 'method' || parent === null || definitionAt(table, parent).form !== 'class') return null;
  if (decorators.includes('classmethod')) return { kind: 'class', file, definition: parent };
  return is_static ? null : { kind: 'instance', file, definition: parent, given: null };
}

/** A call of a function: its parameters with what they get. */
export function activated(
  run: Evaluation,
  { file, definition: index, self, around }: Value & { kind: 'function' },
  given: Given,
): Activation {
  const table = run.program.tables.get(file);
  const bound = new Map<string, () => Values>();
  const activation: Activation = { file, definition: index, bound, isWhole: true, outer: around };
  if (!table) return activation;
  const definition = definitionAt(table, index);
  definition.parameters.forEach((parameter, at) => {
    if (at === 0 && self) bound.set(parameter.name, () => only(self));
    else {
      const argument = argumentOf(definition, at, given, self !== null);
      if (argument !== undefined)
        bound.set(
          parameter.name,
          remembered(() => run.values(argument, given.scene)),
        );
    }
  });
  return activation;
}

/** What a call hands to the parameter at a place; undefined for nothing, null for what is not known. */
function argumentOf(
  { parameters }: Definition,
  at: number,
  { arguments: { passed, named } }: Given,
  isBound: boolean,
): ValueFact | null | undefined {
  const parameter = parameters[at];
  if (!parameter) return undefined;
  const position = isBound ? at - 1 : at;
  if (parameter.rest)
    return position >= 0 && position < passed.length ? { list: passed.slice(position) } : undefined;
  const isOptional = parameters.slice(0, at).some((each) => each.rest);
  const byPlace = position >= 0 && !isOptional ? passed[position] : undefined;
  return named?.[parameter.name] ?? byPlace;
}

function byDefault(
  run: Evaluation,
  table: ModuleTable,
  scope: number,
  name: string,
  file: string,
  activation: Activation | null,
): Values | null {
  const flow = flowsByOwner.in(table.flows.get(name), scope).find((each) => each.kind === 'default');
  if (!flow) return null;
  const { parent } = definitionAt(table, scope);
  const site = { file, from: parent, place: { line: flow.line, column: flow.column }, local: false };
  const around = nearest(activation, file, table, parent);
  return run.once(flow, () => run.values(flow.value, { site, activation: around }));
}

/** Most arguments are never asked for. */
function remembered(work: () => Values): () => Values {
  let found: Values | null = null;
  return () => {
    found ??= work();
    return found;
  };
}

/**
 * The fixture whose value pytest hands to a parameter of a test or a fixture: looked for in the file and then in the
 * `conftest.py` of its folder and of each one around it. Null when there is none, or when a decorator lists the values
 * itself.
 */
export function fixtureNamed(
  program: Program,
  file: string,
  definition: Definition,
  name: string,
): DefinitionTarget | null {
  if (!takesFixtures(definition)) return null;
  if (definition.decorators.some((one) => one.includes('parametrize') && one.includes(name))) return null;
  for (const path of [file, ...conftests(file)]) {
    const table = program.tables.get(path);
    if (!table) continue;
    const scopes = path === file && definition.parent !== null ? [definition.parent, TOP] : [TOP];
    const index = scopes
      .map((scope) => fixtures.in(definitionsNamed(table, scope, name), true, table))
      .map((named) => named.findLast((one) => definitionAt(table, one) !== definition))
      .find((one) => one !== undefined);
    if (index !== undefined) return { file: path, definition: index };
  }
  return null;
}

/** What a fixture gives to those who name it: what it returns, or yields before they run. */
function given(run: Evaluation, { file, definition: index }: DefinitionTarget): Values {
  const table = run.program.tables.get(file) as ModuleTable;
  const definition = definitionAt(table, index);
  const { return_type, is_generator } = definition;
  const told = return_type === null ? null : annotatedValues(run, return_type, siteOf({ file }, definition));
  if (told) return is_generator ? eachOf(told, (value) => itemOf(run, value, null)) : told;
  const kind = is_generator ? 'yield' : 'return';
  const flows = flowsByOwner.in(table.flows.get(''), index).filter((flow) => flow.kind === kind);
  const values = oneOf(flows.map((flow) => run.flowing(flow, file, null)));
  // Which function a fixture hands over is said far away from the call, and other fixtures may take its place.
  return { ...values, isOpen: values.isOpen || values.all.some(({ kind }) => kind === 'function') };
}

/** The `conftest.py` that pytest reads for a file, the nearest first. */
function conftests(file: string): string[] {
  const found: string[] = [];
  for (let folder = directoryOf(file); ; folder = directoryOf(folder)) {
    found.push(folder === '' ? 'conftest.py' : `${folder}/conftest.py`);
    if (folder === '') return found;
  }
}
