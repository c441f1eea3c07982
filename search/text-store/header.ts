import { z } from 'zod';

const headerSchema = z.strictObject({
  /** Another one after every change. */
  generation: z.number().int(),
  /** How often everything was taken out: the names of all that is stored tell it. */
  epoch: z.number().int(),
  /** The number that the next new document gets. */
  next: z.number().int(),
  /** How many documents there are. */
  size: z.number().int(),
  /** The words of each field, of all documents together. */
  lengths: z.array(z.number().int()),
});

/** The state of an index. */
export type IndexHeader = Readonly<z.infer<typeof headerSchema>>;

const NOTHING: IndexHeader = { generation: 0, epoch: 0, next: 0, size: 0, lengths: [] };

/** In plain text, so that a person can read it. */
export function headerBytes(header: IndexHeader): Uint8Array {
  return Buffer.from(JSON.stringify(header), 'utf8');
}

/** The state that is stored; that of an index without documents where there is none, or one of another form. */
export function headerOf(bytes: Uint8Array | undefined): IndexHeader {
  if (!bytes) return NOTHING;
  try {
    return headerSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return NOTHING;
  }
}

/** That of an index that was just cleared. */
export function clearedHeader({ generation, epoch }: IndexHeader): IndexHeader {
  return { ...NOTHING, generation: generation + 1, epoch: epoch + 1 };
}

/** Whether two are of one state of an index. */
export function isSameHeader(a: IndexHeader, b: IndexHeader): boolean {
  return (
    a.generation === b.generation &&
    a.epoch === b.epoch &&
    a.next === b.next &&
    a.size === b.size &&
    a.lengths.every((length, at) => length === b.lengths[at])
  );
}
