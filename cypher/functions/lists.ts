import type { RunValues } from '../run-values.js';
import type { CypherValue } from '../value.js';
import { isList, outOfRange, requireListSize, shown, valueFault } from '../values/index.js';
import { listArgument, misfit } from './arguments.js';
import { type CallSite, type RunFunction, readSignature, scalars } from './signature.js';

const list = scalars('lists');
const BYTES_PER_INTEGER = 24;

/** Functions of lists. */
export const LIST_FUNCTIONS = [
  list(
    'size(list)',
    'How many items a list, or characters a text has.',
    ['size([1, 2])', '2'],
    (at, value) => {
      if (isList(value) || typeof value === 'string') return BigInt(value.length);
      throw misfit(at, 'a list or a text', value);
    },
  ),
  list(
    'head(list)',
    'The first item.',
    ['head([1, 2, 3])', '1'],
    (at, value) => listArgument(at, value)[0] ?? null,
  ),
  list(
    'last(list)',
    'The last item.',
    ['last([1, 2, 3])', '3'],
    (at, value) => listArgument(at, value).at(-1) ?? null,
  ),
  list('tail(list)', 'All items but the first.', ['tail([1, 2, 3])', '[2, 3]'], (at, value) =>
    listArgument(at, value).slice(1),
  ),
  list('reverse(list)', 'A list or a text from its end.', ['reverse([1, 2])', '[2, 1]'], (at, value) => {
    if (typeof value === 'string') return [...value].reverse().join('');
    if (isList(value)) return value.toReversed();
    throw misfit(at, 'a list or a text', value);
  }),
  {
    ...readSignature('range(start, end, step?)'),
    kind: 'run',
    group: 'lists',
    aggregate: false,
    doc: 'INTEGERs from start to end, both included.',
    example: 'range(0, 10, 5)',
    gives: '[0, 5, 10]',
    call: range,
  } satisfies RunFunction,
];

function range(run: RunValues, at: CallSite, ...values: CypherValue[]): CypherValue {
  if (values.includes(null)) return null;
  const [start = 0n, end = 0n, step = 1n] = values.map((value) => rangeArgument(at, value));
  if (step === 0n) throw outOfRange('ArgumentError', 'The step of range() cannot be 0.', at.span);
  const size = step > 0n === end >= start || start === end ? (end - start) / step + 1n : 0n;
  requireListSize(size, at.span);
  const count = Number(size);
  run.hold(count * BYTES_PER_INTEGER);
  const items: bigint[] = [];
  for (let index = 0, item = start; index < count; index++, item += step) {
    run.spend(1);
    items.push(item);
  }
  return items;
}

/** The kit wants an ArgumentError here, unlike elsewhere. */
function rangeArgument(at: CallSite, value: CypherValue): bigint {
  if (typeof value === 'bigint') return value;
  const message = `range() takes INTEGERs, and was given ${shown(value)}.`;
  throw valueFault('ArgumentError', 'InvalidArgumentType', message, at.span);
}
