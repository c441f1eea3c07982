/** Characters of one text that an error shows. */
const LONGEST_TEXT = 1000;
/** Items of a list, or fields of an object, that it shows. */
const MOST_ITEMS = 50;
/** How deep lists and objects that it shows may hold each other. */
const DEEPEST = 100;
/** Characters that it shows in all, about. */
const MOST_CHARACTERS = 20_000;

/**
 * A value as an error shows it: as it was given, but for what is long. Texts and names of more than 1,000 characters, lists and
 * objects of more than 50 items, and what comes after 20,000 characters end in a note of how much more there was. What
 * is nested deeper than 100 levels is left out.
 */
export function shortened(value: unknown): unknown {
  return within(value, { left: MOST_CHARACTERS });
}

/** A text of at most so many characters, and a note of how many more there were. */
export function shortenedText(text: string, most = LONGEST_TEXT): string {
  return text.length > most ? text.slice(0, most) + more(text.length - most, 'characters') : text;
}

function within(value: unknown, room: { left: number }, depth = 0): unknown {
  room.left--;
  if (typeof value === 'string') {
    const text = shortenedText(value);
    room.left -= text.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  const entries = Object.entries(value);
  const shown: [string, unknown][] = [];
  for (const [name, one] of entries.slice(0, MOST_ITEMS)) {
    if (room.left <= 0) break;
    const key = shortenedText(name);
    room.left -= key.length;
    shown.push([key, within(one, room, depth + 1)]);
  }
  const left = entries.length - shown.length;
  if (Array.isArray(value)) {
    const items = shown.map(([, one]) => one);
    return left > 0 ? [...items, more(left, 'items')] : items;
  }
  return Object.fromEntries(left > 0 ? [...shown, ['…', more(left, 'fields')]] : shown);
}

function more(count: number, what: string): string {
  return `… (${count} more ${what})`;
}
