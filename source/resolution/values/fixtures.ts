import type { Definition } from '../../facts.js';
import { directoryOf } from '../file-path.js';
import { definitionAt, definitionsNamed, flowsByOwner, type ModuleTable, TOP } from '../module-table.js';
import { siteOf } from '../value-type.js';
import { annotatedValues } from './annotated.js';
import type { Evaluation } from './evaluation.js';
import { itemOf } from './items.js';
import { eachOf, oneOf, type Values } from './value.js';

const FIXTURE = /^(?:\w+\.)?fixture\b/;

/**
 * What pytest hands to a parameter of a test or a fixture: what the fixture of that name gives, looked for in the file
 * and then in the `conftest.py` of its folder and of each one around it. Null when there is none, or when a decorator
 * lists the values itself.
 */
export function fixtureValues(
  run: Evaluation,
  table: ModuleTable,
  file: string,
  definition: Definition,
  name: string,
): Values | null {
  if (!(definition.name.startsWith('test') || definition.decorators.some(isFixture))) return null;
  if (definition.decorators.some((one) => one.includes('parametrize') && one.includes(name))) return null;
  for (const path of [file, ...conftests(file)]) {
    const place = path === file ? table : run.program.tables.get(path);
    if (!place) continue;
    const named = [TOP, ...(path === file && definition.parent !== null ? [definition.parent] : [])].flatMap(
      (scope) =>
        definitionsNamed(place, scope, name).filter((index) => {
          const one = definitionAt(place, index);
          return one !== definition && one.decorators.some(isFixture);
        }),
    );
    const index = named[named.length - 1];
    if (index !== undefined) return given(run, place, path, index);
  }
  return null;
}

/** What a fixture gives to those who name it: what it returns, or yields before they run. */
function given(run: Evaluation, table: ModuleTable, file: string, index: number): Values {
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

function isFixture(decorator: string): boolean {
  return FIXTURE.test(decorator);
}

/** The `conftest.py` that pytest reads for a file, the nearest first. */
function conftests(file: string): string[] {
  const found: string[] = [];
  for (let folder = directoryOf(file); ; folder = directoryOf(folder)) {
    found.push(folder === '' ? 'conftest.py' : `${folder}/conftest.py`);
    if (folder === '') return found;
  }
}
