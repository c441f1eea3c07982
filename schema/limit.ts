/** One limit or default, as the spec states it. */
export interface Limit {
  /** Used when the caller gives none. */
  readonly default?: number;
  /** Smallest value that is accepted. */
  readonly min?: number;
  /** Largest value that is accepted, or the size at which something is cut. */
  readonly max?: number;
  /** Of the values: `bytes`. */
  readonly unit: string;
  /** Where it comes from: a line of the spec, or `own` for a choice of ours. */
  readonly source: string;
  readonly doc: string;
}

function inUnit(unit: string) {
  return <const V extends Pick<Limit, 'default' | 'min' | 'max'>>(
    values: V,
    doc: string,
    source = 'own',
  ): V & Limit => ({ ...values, unit, source, doc });
}

/** Makes limits, each with its values as they are typed: `of.ms({ max: 100 }, 'Wait for a lock')`. */
export const of = {
  bytes: inUnit('bytes'),
  characters: inUnit('characters'),
  days: inUnit('days'),
  hops: inUnit('hops'),
  items: inUnit('items'),
  levels: inUnit('levels'),
  lines: inUnit('lines'),
  ms: inUnit('ms'),
  nodes: inUnit('nodes'),
  rows: inUnit('rows'),
  share: inUnit('share'),
  tokens: inUnit('tokens'),
};
