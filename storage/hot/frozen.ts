/** Freezes what properties hold: of one decoded node many runs show the same lists and objects. */
export function freezeValues(props: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(props)) freeze(value);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
