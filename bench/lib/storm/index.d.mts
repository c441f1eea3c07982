import type * as codewalk from '../../../index.js';

type Library = Pick<typeof codewalk, 'openGraph'>;

/** An event as `etg_log_event` takes it. */
export interface StormEvent extends Record<string, unknown> {
  readonly event_id: string;
  readonly kind: string;
}

/** What a home has of the events of a root. */
export interface Traces {
  readonly events: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
}

/** How one home differs from another. */
export interface Difference {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly missing: readonly string[];
  readonly besides: readonly string[];
  readonly equal: boolean;
}

/** See storm.mjs. */
export interface StormOptions {
  readonly events: number;
  readonly kills: number;
  readonly seed: number;
  readonly recorders: { readonly sh: number; readonly node: number };
  readonly servers: number;
  readonly workerFaultMs: number;
  readonly tell: (text: string) => void;
}

export function eventsOf(count: number, random: () => number): StormEvent[];
export function deliveriesOf(
  events: readonly StormEvent[],
  random: () => number,
  share?: number,
): StormEvent[];
export function replay(
  library: Library,
  root: string,
  home: string,
  events: readonly StormEvent[],
): Promise<void>;
export function tracesOf(library: Library, root: string, home: string): Promise<Traces>;
export function compared(is: Traces, ought: Traces): Difference;
export function passStorm(
  folder: string,
  libraryFile: string,
  options: StormOptions,
): Promise<Record<string, unknown>>;
export function faultsOf(figures: Record<string, unknown>): string[];
export function startTogether(
  folder: string,
  libraryFile: string,
  options: { readonly rounds: number; readonly tell: (text: string) => void },
): Promise<{ readonly figures: Record<string, unknown>; readonly faults: readonly string[] }>;
