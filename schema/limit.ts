/** One limit or default, as the spec states it. */
export interface Limit {
  /** Used when the caller gives none. */
  readonly default?: number;
  /** Smallest value that is accepted. */
  readonly min?: number;
  /** Largest value that is accepted, or the size at which something is cut. */
  readonly max?: number;
  readonly unit:
    | 'hops'
    | 'rows'
    | 'nodes'
    | 'characters'
    | 'tokens'
    | 'bytes'
    | 'ms'
    | 'lines'
    | 'days'
    | 'share'
    | 'items'
    | 'levels';
  /** Where it comes from: a line of the spec, or `own` for a choice of ours. */
  readonly source: string;
  readonly doc: string;
}

/** A limit with its values, as they are typed. */
export function of<const V extends Pick<Limit, 'default' | 'min' | 'max'>>(
  values: V,
  unit: Limit['unit'],
  source: string,
  doc: string,
): V & Limit {
  return { ...values, unit, source, doc };
}
