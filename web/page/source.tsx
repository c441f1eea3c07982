import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CallRow, CodeAnswer, UnresolvedRow } from './answers.js';
import { Cuts, distinctKeys, Empty, Fold, Link, Scrolls, Section, Sure, SymbolLink } from './parts.js';
import { fileHref, symbolHref } from './router.js';
import { plural, visible } from './words.js';

/** Characters of one line that are shown: what is longer is made by programs, for programs. */
const MOST_CHARACTERS = 400;
/** Pixels between the tops of two callees that stand below each other. */
const ROW = 24;

/** A piece of a line of source that has one colour. */
export interface Piece {
  readonly text: string;
  readonly kind: string;
}

/** Source with its line numbers; names that are called lead to what they call. */
export function Source({ code, line }: { code: CodeAnswer; line?: number | undefined }) {
  const { source, calls, node } = code;
  const { from_line, total_lines, missing } = source;
  const texts = useMemo(() => source.lines.map((text) => text.slice(0, MOST_CHARACTERS)), [source.lines]);
  const pieces = useColours(texts, node.language ?? '');
  const byLine = useMemo(() => Map.groupBy(calls, (call) => call.line), [calls]);
  const marked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line !== undefined) marked.current?.scrollIntoView({ block: 'center' });
  }, [line]);
  if (missing !== null) return <Empty>{whyMissing(missing, source.path)}</Empty>;
  return (
    <>
      <Scrolls label={`Source of ${visible(node.name)}`} class="source">
        {texts.map((text, at) => {
          const number = from_line + at;
          const isMarked = number === line;
          return (
            <div key={number} class={isMarked ? 'line marked' : 'line'} ref={isMarked ? marked : null}>
              <LineNumber path={source.path} number={number} />
              <code>
                <Line pieces={pieces[at] ?? [{ text, kind: '' }]} calls={byLine.get(number) ?? []} />
                {(source.lines[at]?.length ?? 0) > MOST_CHARACTERS ? ' …' : ''}
              </code>
            </div>
          );
        })}
      </Scrolls>
      <Rest code={code} last={from_line + texts.length - 1} total={total_lines} />
    </>
  );
}

/** The number of a line; a link by mouse alone: hundreds of stops would bar the keyboard's way. */
function LineNumber({ path, number }: { path: string | null; number: number }) {
  if (path === null) return <span class="number">{number}</span>;
  return (
    <Link to={fileHref(path, number)} class="number" tabIndex={-1}>
      {number}
    </Link>
  );
}

/** What of a long source stands elsewhere. */
function Rest({ code: { node, source }, last, total }: { code: CodeAnswer; last: number; total: number }) {
  const { path, from_line } = source;
  const isFile = node.kind === 'file' || node.id.startsWith('file:');
  const end = isFile ? total : node.end_line;
  if (path === null || (last >= end && (!isFile || from_line === 1))) return null;
  const before = Math.max(1, from_line - 600);
  const at = (from: number) => `${fileHref(path)}?from=${from}`;
  return (
    <p class="more">
      Lines {from_line} to {last} of {total.toLocaleString('en')}.{' '}
      {from_line > 1 && isFile ? <Link to={at(before)}>Lines before</Link> : null}{' '}
      {last < end ? <Link to={at(last + 1)}>Lines after</Link> : null}
    </p>
  );
}

function whyMissing(missing: string, path: string | null): string {
  const file = path === null ? 'The file' : visible(path);
  if (missing === 'gone') return `${file} is no longer there. The graph forgets it with the next update.`;
  if (missing === 'changed')
    return `${file} changed since it was indexed, so that lines would be wrong. The next update brings it up to date.`;
  if (missing === 'too large') return `${file} is too large to be shown.`;
  if (missing === 'not text') return `${file} is no text.`;
  if (missing === 'outside') return 'It is outside the project: only its name is known.';
  return `${file} cannot be shown: ${visible(missing)}.`;
}

/** The colours come late, when what makes them is loaded; until then the text is plain. */
function useColours(texts: readonly string[], language: string): readonly Piece[][] {
  const coloured = useSignal<{ texts: readonly string[]; lines: Piece[][] } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void import('./colours.js').then(({ colouredLines }) => {
      if (isCurrent) coloured.value = { texts, lines: colouredLines(texts.join('\n'), language) };
    });
    return () => {
      isCurrent = false;
    };
  }, [texts, language, coloured]);
  return coloured.value?.texts === texts ? coloured.value.lines : [];
}

/** A line in its colours, in which the names of what it calls are links. */
function Line({ pieces, calls }: { pieces: readonly Piece[]; calls: readonly CallRow[] }) {
  const links = linksIn(calls);
  let at = 0;
  return (
    <>
      {pieces.flatMap((piece) => {
        const begin = at;
        at += piece.text.length;
        return cut(piece.text, begin, links).map(({ text: part, to, start }) => {
          const shown = (
            <span class={piece.kind === '' ? undefined : `t-${piece.kind}`}>{visible(part)}</span>
          );
          return to === null ? (
            shown
          ) : (
            <Link key={start} to={symbolHref(to)} tabIndex={-1}>
              {shown}
            </Link>
          );
        });
      })}
    </>
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** Where in a line the names of calls stand, from left to right; of one that may be several things none is linked. */
function linksIn(calls: readonly CallRow[]): Span[] {
  const spans: Span[] = [];
  for (const { column: start, length, to, kind } of calls) {
    if (start === null || kind === 'MAY_CALL') continue;
    if (!spans.some((span) => start < span.end && span.start < start + length))
      spans.push({ start, end: start + length, to: to.id });
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** A piece in parts, each within one link or none. */
function cut(text: string, begin: number, links: readonly Span[]) {
  const parts: { text: string; to: string | null; start: number }[] = [];
  let at = begin;
  const end = begin + text.length;
  const add = (until: number, to: string | null) => {
    if (until > at) parts.push({ text: text.slice(at - begin, until - begin), to, start: at });
    at = Math.max(at, until);
  };
  for (const link of links) {
    if (link.end <= at || link.start >= end) continue;
    add(Math.min(link.start, end), null);
    add(Math.min(link.end, end), link.to);
  }
  add(end, null);
  return parts;
}

/**
 * What is called, each call at the height of the line that makes it: a list in the order of lines, which is moved down to
 * the right of the source where the page is wide.
 */
export function Callees({ code, isWide }: { code: CodeAnswer; isWide: boolean }) {
  const { unresolved, source, totals = {} } = code;
  const calls = code.calls.filter(({ kind }) => kind !== 'REFERENCES');
  const uses = code.calls.filter(({ kind }) => kind === 'REFERENCES');
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    if (list.current) setHeights(list.current, isWide && source.missing === null ? source.from_line : null);
  });
  const keys = distinctKeys(calls, keyOf);
  const { calls: total, references } = totalsOf(code);
  return (
    <Section title="Callees" count={total} class="callees">
      {calls.length === 0 ? <Empty>It calls nothing of the project that the graph knows of.</Empty> : null}
      <ul ref={list} class="list at-lines">
        {calls.map((call, at) => (
          <li key={keys[at] ?? at} data-line={call.line}>
            <Callee call={call} />
          </li>
        ))}
      </ul>
      {total > calls.length ? (
        <p class="more muted">
          {(total - calls.length).toLocaleString('en')} more calls are not listed here.
        </p>
      ) : null}
      {uses.length === 0 ? null : (
        <details class="uses">
          <summary>{plural(references, 'other use')} without a call</summary>
          <Fold
            items={uses}
            total={references}
            noun="uses"
            keyOf={keyOf}
            row={(call) => <Callee call={call} />}
          />
        </details>
      )}
      <Unresolved rows={unresolved} total={totals.unresolved ?? unresolved.length} />
      <Cuts of={code} />
    </Section>
  );
}

/** How many calls and other uses there are, listed or not. */
export function totalsOf({ calls, totals = {} }: CodeAnswer): { calls: number; references: number } {
  const uses = calls.filter(({ kind }) => kind === 'REFERENCES').length;
  const references = totals.references ?? uses;
  const all = totals.references === undefined ? (totals.calls ?? calls.length) - uses : totals.calls;
  return { calls: all ?? calls.length - uses, references };
}

const keyOf = ({ line, column, to, kind }: CallRow) => `${line}:${column}:${kind}:${to.id}`;

function Callee({ call }: { call: CallRow }) {
  const { to, line, certainty, resolution, use, cause, evidence } = call;
  const place =
    to.path === null ? 'outside the project' : `${to.path}${to.line === null ? '' : `:${to.line}`}`;
  const how = [cause, `${use}, found by ${resolution}`, place, evidence];
  return (
    <span title={visible(how.filter((part) => part !== null && part !== '').join('; '))}>
      <span class="at" title={`line ${line}`}>
        {line}
      </span>{' '}
      <SymbolLink id={to.id} name={to.name} /> <Sure certainty={certainty} />
    </span>
  );
}

/** Puts each callee at the height of its line, or below the one before where there is no room. */
function setHeights(list: HTMLUListElement, firstLine: number | null): void {
  const rows = [...list.children] as HTMLElement[];
  let bottom = 0;
  for (const row of rows) {
    const line = Number(row.dataset.line);
    const height = firstLine === null ? null : Math.max(0, (line - firstLine) * ROW);
    const gap = height === null ? 0 : Math.max(0, height - bottom);
    row.style.marginTop = gap === 0 ? '' : `${gap}px`;
    bottom += gap + row.offsetHeight;
  }
}

/** Calls that lead to nothing known, each with why. */
function Unresolved({ rows, total }: { rows: readonly UnresolvedRow[]; total: number }) {
  if (rows.length === 0) return null;
  return (
    <details class="unresolved">
      <summary>{plural(total, 'call')} to nothing known in the project</summary>
      <Fold
        items={rows}
        total={total}
        noun="calls"
        keyOf={(row, at) => `${row.line}:${row.column}:${at}`}
        row={(row) => (
          <>
            <span class="at">{row.line}</span> <code>{visible(row.name)}</code>{' '}
            <span class="muted">
              {visible(row.cause)}
              {row.package === null || row.cause.includes(row.package) ? '' : ` (${visible(row.package)})`}
            </span>
          </>
        )}
      />
    </details>
  );
}
