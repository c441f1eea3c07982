import { nameStrength } from './secret-names.js';
import { NextPlaces, type SecretSpan } from './span.js';
import { looks } from './value-look.js';

/** Secrets that their column, their row or the kind of their document gives away. */
export function tableSecrets(text: string): SecretSpan[] {
  return [...documentSecrets(text), ...columnSecrets(text), ...insertedSecrets(text)];
}

const SECRET_KIND = /kind["']?:[ \t]{0,4}["']?Secret\b/g;
const DATA = /^[ \t-]{0,20}["']?(?:data|stringData|encryptedData)["']?:/;
const ENTRY = /^([ \t]{0,60})["']?[\w.-]{1,100}["']?:[ \t]{1,4}["']?([^\s"',{}|>]{3,8000})/;
const MOST_DOCUMENT_LINES = 2000;

/** What a Secret of Kubernetes holds under any name. */
function documentSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const places = new NextPlaces(text);
  let done = 0;
  SECRET_KIND.lastIndex = 0;
  for (let found = SECRET_KIND.exec(text); found !== null; found = SECRET_KIND.exec(text)) {
    if (found.index < done) continue;
    const before = text.lastIndexOf('\n---', found.index);
    const end = places.find('\n---', found.index);
    let at = Math.max(done, before + 1, 0);
    let depth = -1;
    for (let line = 0; line < MOST_DOCUMENT_LINES && at < end; line++) {
      const next = Math.min(end, places.find('\n', at));
      const part = text.slice(at, Math.min(next, at + LONGEST_LINE));
      const indent = part.length - part.trimStart().length;
      if (DATA.test(part)) depth = indent;
      else if (indent <= depth && part.trim() !== '') depth = -1;
      const entry = depth >= 0 ? ENTRY.exec(part) : null;
      const value = entry?.[2];
      if (entry && value !== undefined && indent > depth && looks(value, 'word')) {
        const start = at + entry[0].length - value.length;
        spans.push({ start, end: start + value.length, name: 'password' });
      }
      at = next + 1;
    }
    done = at;
  }
  return spans;
}

const LONGEST_LINE = 8000;
const MOST_COLUMNS = 40;
const MOST_ROWS = 500;

/** What a dump of PostgreSQL puts before rows. */
const COPY = /^COPY [\w."]{1,80} \(([\w, "]{1,400})\) FROM stdin/i;

/** Values below the name of a secret in CSV, TSV and tables drawn with bars. */
function columnSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const hint = /pass|pwd|secret|token|key/gi;
  const places = new NextPlaces(text);
  let done = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const start = text.lastIndexOf('\n', found.index) + 1;
    const end = places.find('\n', found.index);
    hint.lastIndex = end;
    if (start < done || end - start > 600) continue;
    const header = text.slice(start, end);
    const copied = COPY.exec(header)?.[1]?.split(',');
    const sign = copied ? '\t' : ['│', '|', '\t', ',', ';'].find((one) => header.includes(one));
    if (sign === undefined || (!copied && /[(){}=<>]/.test(header))) continue;
    const names = (copied ?? header.split(sign, MOST_COLUMNS)).map(cellText);
    // An argument on a line of its own.
    if (sign === ',' && names.filter((name) => name !== '').length < 2) continue;
    if (names.some((name) => name.length > 40) || /^\d+$/.test(names[0] ?? '')) continue;
    const strengths = names.map((name) => (/^[\w .$-]{2,40}$/.test(name) ? nameStrength(name) : null));
    if (strengths.some((one) => one !== null && one !== 'weak'))
      done = readRows(text, end + 1, sign, strengths, spans);
  }
  return spans;
}

/** @returns Where the table ends. */
function readRows(
  text: string,
  from: number,
  sign: string,
  strengths: readonly ReturnType<typeof nameStrength>[],
  spans: SecretSpan[],
): number {
  let at = from;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + LONGEST_LINE));
    if (!/^[\s|+:=─-╿-]{3,}$/.test(line)) {
      const cells = cellsOf(line, sign);
      if (cells.length < strengths.length) break;
      let start = at;
      // A longer row has a sign in one of its cells: which one is what nobody knows.
      for (const [column, cell] of cells.length > strengths.length ? [] : cells.entries()) {
        const value = cellText(cell);
        const strength = strengths[column] ?? null;
        const least = strength === 'password' ? 'numbered' : strength === 'key' ? 'opaque' : 'random';
        if (strength && value.length >= 5 && !/[\s(=]/.test(value) && looks(value, least)) {
          const inside = start + cell.indexOf(value);
          spans.push({
            start: inside,
            end: inside + value.length,
            name: strength === 'weak' ? 'key' : strength,
          });
        }
        start += cell.length + 1;
      }
    }
    at = end + 1;
  }
  return at;
}

/** Cells of a row; a sign within quotes parts none. */
function cellsOf(line: string, sign: string): string[] {
  const parts = line.split(sign, MOST_COLUMNS + 1);
  if (!line.includes('"')) return parts;
  const cells: string[] = [];
  let open = '';
  for (const part of parts) {
    const joined = open === '' ? part : `${open}${sign}${part}`;
    const isOpen = joined.trimStart().startsWith('"') && !/^\s*"(?:[^"]|"")*"\s*$/.test(joined);
    open = isOpen ? joined : '';
    if (!isOpen) cells.push(joined);
  }
  return open === '' ? cells : parts;
}

function cellText(cell: string): string {
  return cell.trim().replace(/^["'`*]{1,3}|["'`*]{1,3}$/g, '');
}

const INSERT =
  /\binsert\s{1,5}(?:ignore\s{1,5})?into\s{1,5}[\w."`[\]]{1,80}\s{0,5}\((?<columns>[^()\n]{1,400})\)\s{0,5}values\s{0,5}\(/gi;
/** A value of a row, quoted or not, with its comma. */
const ROW_VALUE =
  /\s{0,20}(?:'(?<quoted>(?:[^'\n]|''){0,2000})'|(?<bare>[^',()\n]{1,200}))\s{0,20}(?<next>[,)])/dy;

const NEXT_ROW = /\s{0,5},\s{0,20}\(/y;

/** What rows of SQL put in a column whose name is a secret's. */
function insertedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  INSERT.lastIndex = 0;
  for (let found = INSERT.exec(text); found !== null; found = INSERT.exec(text)) {
    const isSecret = (found.groups?.columns ?? '')
      .split(',')
      .map((name) => nameStrength(cellText(name)) !== null);
    if (!isSecret.includes(true)) continue;
    for (let row = 0, at = INSERT.lastIndex; row < MOST_ROWS && at > 0; row++) {
      for (const isOne of isSecret) {
        ROW_VALUE.lastIndex = at;
        const match = ROW_VALUE.exec(text);
        if (match === null) break;
        at = ROW_VALUE.lastIndex;
        const [start, end] = match.indices?.groups?.quoted ?? [0, 0];
        if (isOne && end > start && looks(text.slice(start, end), 'numbered'))
          spans.push({ start, end, name: 'password' });
      }
      INSERT.lastIndex = at;
      NEXT_ROW.lastIndex = at;
      at = NEXT_ROW.test(text) ? NEXT_ROW.lastIndex : 0;
    }
  }
  return spans;
}
