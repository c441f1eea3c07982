import { countAll } from './counts.js';
import { keySpace, OWNER_AND_REST, WHOLE_ID } from './keys.js';
import type { KeyValueStore } from './kv.js';

/** The format of what is written now. Raise it with every change of the layout, and add the way there. */
export const FORMAT = 2;

/** One step from a format to a later one. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /**
   * Rewrites the store. It can be cut off at any point and run again: the new format is only written after it.
   *
   * @param header The fields of the old header.
   * @returns The fields of the new header; its `format` is filled in.
   */
  migrate(store: KeyValueStore, header: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** Format 2: the header says how many nodes and edges there are of each type. */
const counted: Migration = {
  from: 1,
  to: 2,
  async migrate(store, header) {
    const form = header.keyForm === 'owner' ? OWNER_AND_REST : WHOLE_ID;
    const keys = keySpace({ salt: 0, generation: Number(header.generation), form });
    const counts = await countAll(store, {
      nodes: keys.table('nodes'),
      adjacency: keys.table('adjacency'),
      form,
    });
    return { ...header, counts };
  },
};

/** Every step that there is, in any order. */
export const MIGRATIONS: readonly Migration[] = [counted];

/** The steps from one format to another, or undefined when there is no way. The longest steps are taken. */
export function migrationPath(
  from: number,
  to: number,
  migrations: readonly Migration[],
): readonly Migration[] | undefined {
  if (from === to) return [];
  const steps = migrations.filter((step) => step.from === from && step.to > from && step.to <= to);
  for (const step of steps.sort((a, b) => b.to - a.to)) {
    const rest = migrationPath(step.to, to, migrations);
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
}
