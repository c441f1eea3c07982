import type { Definition, FileFacts } from '../../../source/index.js';
import type { FileSymbols } from './file-symbols.js';

/** `pytest.fixture` and its kin, with or without arguments; the name that it is given, if any. */
const FIXTURE = /(?:^|[._])fixture(?:\s*\(|$)/;
const GIVEN_NAME = /\bname\s*=\s*['"]([^'"]+)['"]/;
const USED = /^(?:(?!(?:^|\.)usefixtures\s*\().)*(?:^|\.)usefixtures\s*\((.*)\)/s;
/** Methods that unittest and pytest run before each test of a class. */
const SET_UP = new Set(['setUp', 'asyncSetUp', 'setup_method']);

/**
 * The fixtures of the same file that functions ask for by the names of their parameters, or by `usefixtures`, as
 * pytest hands them over, and of tests what their class sets up; by the ids of both. A fixture of the own class hides
 * one of the module.
 */
export function fixturesOf(
  { language, definitions }: FileFacts,
  { ids, tests }: FileSymbols,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (language !== 'python') return found;
  const fixtures = new Map<string, string>();
  for (const [index, definition] of definitions.entries()) {
    const decorator = definition.decorators.find((each) => FIXTURE.test(each));
    const owner = ownerOf(definition, definitions);
    const setUp = owner !== '' && SET_UP.has(definition.name) ? definition.name : undefined;
    const name = decorator ? (GIVEN_NAME.exec(decorator)?.[1] ?? definition.name) : setUp;
    if (name !== undefined && owner !== undefined) fixtures.set(`${owner}\0${name}`, ids[index] ?? '');
  }
  if (fixtures.size === 0) return found;
  for (const [index, definition] of definitions.entries()) {
    if (definition.form !== 'function' && definition.form !== 'method') continue;
    const owner = ownerOf(definition, definitions);
    const own = ids[index] ?? '';
    const names = tests.has(own) ? [...namesOf(definition), ...SET_UP] : namesOf(definition);
    const asked = names.flatMap((name) => {
      const fixture = fixtures.get(`${owner}\0${name}`) ?? fixtures.get(`\0${name}`);
      return fixture === undefined || fixture === own ? [] : [fixture];
    });
    if (asked.length > 0) found.set(own, asked);
  }
  return found;
}

/** The qualified name of the class around a method, empty for what stands at the top; undefined for anything else. */
function ownerOf({ parent }: Definition, definitions: readonly Definition[]): string | undefined {
  if (parent === null) return '';
  const around = definitions[parent];
  return around?.form === 'class' ? around.qualname : undefined;
}

function namesOf({ parameters, decorators }: Definition): string[] {
  const used = decorators.flatMap((each) =>
    [...(USED.exec(each)?.[1] ?? '').matchAll(/['"]([^'"]+)['"]/g)].map(([, name = '']) => name),
  );
  return [...parameters.map(({ name }) => name), ...used];
}
