import type { FlowFact } from '../../flow-facts.js';
import { memberOf } from '../class-members.js';
import type { Meaning } from '../meaning.js';
import { definitionAt, flowsByOwner, type ModuleTable } from '../module-table.js';
import { MOST_FLOWS } from '../reaching.js';
import { siteOf } from '../value-type.js';
import { annotatedValues } from './annotated.js';
import type { Evaluation } from './evaluation.js';
import { builtinResult } from './items.js';
import { activated } from './parameters.js';
import { eachOf, type Given, oneOf, only, together, UNKNOWN, type Value, type Values } from './value.js';

/** Decorators after which a function still gives what its body says. */
const PLAIN =
  /^(?:[\w.]+\.)?(?:staticmethod|classmethod|(?:cached_|abstract)?property|\w+\.(?:setter|getter)|abstractmethod|a?sync_?contextmanager|asynccontextmanager|contextmanager|lru_cache|cache|wraps|override|final|overload|fixture)\b/;

/** What calling something gives. */
export function callOf(run: Evaluation, callee: Values, given: Given): Values {
  return eachOf(callee, (value) => called(run, value, given));
}

function called(run: Evaluation, value: Value, given: Given): Values {
  switch (value.kind) {
    case 'class':
      return only({ kind: 'instance', file: value.file, definition: value.definition, given });
    case 'function':
      return resultOf(run, value, given);
    case 'instance': {
      const method = memberOf(run.program, { ...value, via: 'type' }, '__call__');
      if (!method) return UNKNOWN;
      const { file, definition } = method;
      return resultOf(run, { kind: 'function', file, definition, self: value, around: null }, given);
    }
    case 'builtin':
      return builtinResult(run, value.name, value.self, given);
    case 'module':
      return ofLibrary(run, value.meaning, given);
    default:
      return UNKNOWN;
  }
}

/** What the few foreign calls give that hand on what they are given. */
function ofLibrary(
  run: Evaluation,
  meaning: Meaning,
  { arguments: { passed, named }, scene }: Given,
): Values {
  if (meaning.kind !== 'external') return UNKNOWN;
  switch (`${meaning.package}.${meaning.name}`) {
    case 'functools.partial':
      return run.values(passed[0] ?? null, scene);
    case 'typing.TypeVar':
    case 'typing_extensions.TypeVar':
      return run.values(named?.bound ?? null, scene);
    case 'typing.cast': {
      const [type = null] = passed;
      return (typeof type === 'string' && annotatedValues(run, type, scene.site)) || UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** What a function gives: what its annotation says, else what it returns; of a generator a list of what it yields. */
export function resultOf(run: Evaluation, callee: Value & { kind: 'function' }, given: Given): Values {
  const table = run.program.tables.get(callee.file);
  if (!table) return UNKNOWN;
  const definition = definitionAt(table, callee.definition);
  if (!definition.decorators.every((decorator) => PLAIN.test(decorator))) return UNKNOWN;
  const result = run.once(definition, () => {
    const { return_type, is_generator } = definition;
    const told =
      return_type === null
        ? null
        : annotatedValues(run, return_type, siteOf(callee, definition), callee.self);
    return told ?? returned(run, table, callee, given, is_generator);
  });
  return definition.is_async && !definition.is_generator ? only({ kind: 'awaitable', result }) : result;
}

function returned(
  run: Evaluation,
  table: ModuleTable,
  callee: Value & { kind: 'function' },
  given: Given,
  isGenerator: boolean,
): Values {
  const kind: FlowFact['kind'] = isGenerator ? 'yield' : 'return';
  const flows = flowsByOwner.in(table.flows.get(''), callee.definition).filter((flow) => flow.kind === kind);
  if (flows.length === 0 || flows.length > MOST_FLOWS) return UNKNOWN;
  const activation = activated(run, callee, given);
  const parts = flows.map((flow) => run.flowing(flow, callee.file, activation));
  return isGenerator ? only({ kind: 'list', items: [], more: together(parts) }) : oneOf(parts);
}
