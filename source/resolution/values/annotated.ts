import { madeOnce } from '../program.js';
import type { Site } from '../scope.js';
import { annotationParts, DEEPEST_TYPE } from '../type-name.js';
import { typed } from '../value-type.js';
import type { Evaluation } from './evaluation.js';
import { meaningValues } from './names.js';
import { MOST_VALUES, NOTHING, oneOf, only, UNKNOWN, type Value, type Values } from './value.js';

/** Items of a tuple type that are read. */
const MOST_ITEMS = 100;
const WRAPPERS = /^(?:Optional|Final|ClassVar|Annotated|Required|NotRequired|ReadOnly)$/;
const SEQUENCES =
  /^(?:list|List|set|Set|frozenset|FrozenSet|deque|Deque|Sequence|MutableSequence|Collection|Iterable|Iterator|Generator|AsyncIterable|AsyncIterator|AsyncGenerator|Array|ReadonlyArray|ReadonlySet|Reversible)$/;
const MAPPINGS = /^(?:dict|Dict|Mapping|MutableMapping|OrderedDict|defaultdict|DefaultDict|ChainMap)$/;
const AWAITABLES = /^(?:Awaitable|Coroutine)$/;

/**
 * What an annotation says of a value: an instance, a class, a container of either; of several types each may be meant.
 * Null when it names nothing of the program.
 */
export function annotatedValues(
  run: Evaluation,
  written: string,
  site: Site,
  self: Value | null = null,
  depth = 0,
): Values | null {
  if (depth > DEEPEST_TYPE) return null;
  const { parts, path, list } = madeOnce(run.program.caches.annotations, written, annotationParts);
  const [first = ''] = parts;
  if (parts.length > MOST_VALUES) return null;
  if (parts.length !== 1) {
    const found = parts.map((part) => annotatedValues(run, part, site, self, depth + 1));
    return found.some((one) => one) ? oneOf(found.map((one) => one ?? UNKNOWN)) : null;
  }
  if (/^(?:\w+\.)?Self$/.test(first) && self) return only(self);
  if (list !== null) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const at = (index: number) => annotatedValues(run, list.at(index) ?? '', site, self, depth + 1);
    if (WRAPPERS.test(name)) return at(0);
    if (SEQUENCES.test(name) || (/^[tT]uple$/.test(name) && list[1] === '...')) return container(at(0));
    if (/^[tT]uple$/.test(name)) {
      if (list.length > MOST_ITEMS) return null;
      const items = list.map((_, index) => at(index) ?? UNKNOWN);
      return items.some(({ all }) => all.length > 0) ? only({ kind: 'list', items, more: NOTHING }) : null;
    }
    if (MAPPINGS.test(name)) {
      const values = at(-1);
      return values && only({ kind: 'dict', entries: [{ key: null, values, isSure: false }] });
    }
    if (AWAITABLES.test(name)) {
      const result = at(-1);
      return result && only({ kind: 'awaitable', result });
    }
    if (name === 'Union') {
      return annotatedValues(run, list.join(' | '), site, self, depth + 1);
    }
  }
  const meaning = typed(run.program, site, first, 'annotation', 0);
  if (meaning?.kind !== 'definition')
    return meaning ? meaningValues(run, meaning, null) : named(run, first, site);
  const { file, definition } = meaning;
  return only({ kind: 'class', file, definition, orDerived: true });
}

/** A container of which every item is the same to us. */
function container(more: Values | null): Values | null {
  return more && only({ kind: 'list', items: [], more });
}

/** What a name that is no class stands for as a type: a class under another name, a type variable's bound. */
function named(run: Evaluation, path: string, site: Site): Values | null {
  if (!/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(path)) return null;
  const { all, isOpen } = run.once(`${site.file}\0${path}`, () =>
    run.values(path, { site, activation: null }),
  );
  const classes = all.flatMap((value): Value[] => {
    if (value.kind !== 'class') return [];
    const { file, definition } = value;
    return [{ kind: 'instance', file, definition, given: null }];
  });
  return classes.length > 0 && classes.length === all.length ? { all: classes, isOpen } : null;
}
