/** The words in front of the name of a table, which may stand in quotes that a string has to escape, behind that of its schema. */
const TABLE =
  /\b(?:(?<reads>from|join)|(?<writes>(?:insert|replace|merge)\s+into|into|update|delete\s+from|truncate(?:\s+table)?))\s+(?:only\s+|lateral\s+)?(?<name>(?:\\?["`]\w+\\?["`]|\[\w+\]|\w+)(?:\.(?:\\?["`]\w+\\?["`]|\[\w+\]|\w+)){0,2})(?![\w(])(?<set>\s+(?:as\s+)?(?:\w+\s+)?set\b)?/dgi;
/** Another table behind one: `FROM users u, orders o`. */
const ANOTHER =
  /(?:\s+(?:as\s+)?\w+)?\s*,\s*(?<name>(?:\\?["`]\w+\\?["`]|\[\w+\]|\w+)(?:\.(?:\\?["`]\w+\\?["`]|\[\w+\]|\w+)){0,2})(?![\w(])/diy;

/** A table that a statement names. */
interface NamedTable {
  readonly name: string;
  readonly writes: boolean;
  /** Offsets: of the name, of the words in front of it, and behind the name. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** The tables that the statements of a text name: `SELECT … FROM users`. Offsets are those of the text. */
export function tableNames(text: string): NamedTable[] {
  const found: NamedTable[] = [];
  for (const match of text.matchAll(TABLE)) {
    const { name = '', writes, set } = match.groups ?? {};
    const [at = 0, end = 0] = match.indices?.groups?.name ?? [];
    // `ON CONFLICT DO UPDATE`, `FOR UPDATE OF`: what is updated has a list behind it.
    if (writes && /^update/i.test(writes) && set === undefined) continue;
    found.push({ name: bare(name), writes: writes !== undefined, at, start: match.index, end });
    if (!/^from/i.test(match[0])) continue;
    ANOTHER.lastIndex = end;
    for (let next = ANOTHER.exec(text); next !== null; next = ANOTHER.exec(text)) {
      const [start = 0, behind = 0] = next.indices?.groups?.name ?? [];
      found.push({ name: bare(next.groups?.name ?? ''), writes: false, at: start, start, end: behind });
      ANOTHER.lastIndex = behind;
    }
  }
  return found;
}

function bare(name: string): string {
  return name.replace(/[\\"`[\]]/g, '');
}
