import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Certainty, Failure, Freshness, NodeRow, Part, Stated } from './answers.js';
import { isThere } from './api.js';
import { fileHref, href, idHref, symbolHref } from './router.js';
import { CERTAINTIES, isSymbolId, kindWord, nameInId, pathInId, timeText, visible } from './words.js';

/** Rows of a list before it is unfolded, and by how many it unfolds: a page of thousands of rows would not scroll. */
const FOLDED = 20;
const UNFOLDS = 200;

/** A link to a view. In an exported page, what is not in the file is a text that says so. */
export function Link({
  to,
  children,
  ...rest
}: {
  to: string;
  children: ComponentChildren;
  class?: string;
  tabIndex?: number;
}) {
  if (isThere(to.slice(2)))
    return (
      <a href={to} {...rest}>
        {children}
      </a>
    );
  return (
    <span class="absent" title="Not in this file: it holds only what was exported">
      {children}
    </span>
  );
}

/** A name that leads to the view of its symbol. */
export function SymbolLink({ id, name }: { id: string; name?: string | undefined }) {
  return (
    <Link to={symbolHref(id)} class="name">
      {visible(name ?? nameInId(id))}
    </Link>
  );
}

/** A place in a file, which leads there. */
export function PlaceLink({ path, line }: { path: string; line?: number | null | undefined }) {
  return (
    <Link to={fileHref(path, line ?? undefined)} class="place">
      <Path path={path} />
      {line == null ? '' : `:${line}`}
    </Link>
  );
}

/** A path that breaks behind its slashes where it has to. */
export function Path({ path }: { path: string }) {
  const parts = visible(path).split('/');
  return (
    <>
      {parts.flatMap((part, at) =>
        at === 0 ? part : ['/', <wbr key={parts.slice(0, at).join('/')} />, part],
      )}
    </>
  );
}

/** What a page has, each with its count: a button goes there. */
export function Contents({
  parts,
}: {
  parts: readonly (readonly [title: string, count: number | undefined])[];
}) {
  const goTo = (title: string) => {
    const heading = [...document.querySelectorAll<HTMLElement>('main h2')].find(
      (one) => one.textContent === title,
    );
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <ul class="contents" aria-label="On this page">
      {parts.map(([title, count]) => (
        <li key={title}>
          <button type="button" onClick={() => goTo(title)}>
            {title} {count === undefined ? '' : count.toLocaleString('en')}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A task, by what was asked. */
export function TaskLink({ id, prompt }: { id: string; prompt?: string | undefined }) {
  return <Link to={href('task', [id])}>{visible(prompt || id)}</Link>;
}

/** What an id names: a symbol, a file, a task, an error, a memory by its label; other ids are shown as they are. */
export function IdLink({ id, labels }: { id: string; labels?: readonly string[] }) {
  const to = idHref(id, labels);
  if (to === null) return <>{visible(id)}</>;
  if (isSymbolId(id)) return <SymbolLink id={id} />;
  if (id.startsWith('file:')) return <PlaceLink path={pathInId(id) ?? id} />;
  return <Link to={to}>{visible(id)}</Link>;
}

/** A symbol or file of a list: its name, what it is, where it stands. */
export function NodeLine({ node }: { node: NodeRow }) {
  return (
    <>
      <SymbolLink id={node.id} name={node.name} /> <span class="kind">{kindWord(node.kind)}</span>{' '}
      {node.path === null ? (
        <span class="kind">outside the project</span>
      ) : (
        <PlaceLink path={node.path} line={node.line} />
      )}
    </>
  );
}

/** How sure an edge is, in a word whose form differs, too. */
export function Sure({ certainty }: { certainty: Certainty }) {
  return (
    <span class={`sure ${certainty}`} title={CERTAINTIES[certainty] ?? ''}>
      {certainty}
    </span>
  );
}

const FRESH = {
  fresh: 'The code that it is about is as it was.',
  drifted: 'The code that it is about has changed since: check that it still holds.',
  orphaned: 'The code that it is about is gone.',
};

/** Whether what a memory is about is still as it was. */
export function Fresh({ freshness }: { freshness: Freshness }) {
  if (freshness === null) return <span class="state">about no code</span>;
  return (
    <span class={`state ${freshness}`} title={FRESH[freshness]}>
      {freshness}
    </span>
  );
}

/** How a task stands. */
export function Status({ status }: { status: string }) {
  return <span class={`state ${status}`}>{status}</span>;
}

/** A time. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="muted">time not known</span>;
  return <time dateTime={at}>{timeText(at)}</time>;
}

/** A part of a page under a heading, with how many things it has. */
export function Section({
  title,
  count,
  children,
  class: className = '',
}: {
  title: string;
  count?: number | undefined;
  children: ComponentChildren;
  class?: string;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} class={className}>
      <div class="heading">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {count === undefined ? null : <span class="count">{count.toLocaleString('en')}</span>}
      </div>
      {children}
    </section>
  );
}

/** What is not there, and what to do about it. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/**
 * A list that is folded when it is long: it says how many more there are, and unfolds. `total` counts those that the answer
 * does not hold, too.
 */
export function Fold<T>({
  items,
  total = items.length,
  noun,
  keyOf,
  row,
  most = FOLDED,
  class: className = 'list',
  missing,
}: {
  items: readonly T[];
  total?: number | undefined;
  noun: string;
  keyOf: (item: T, at: number) => string | number;
  row: (item: T, at: number) => ComponentChildren;
  most?: number;
  class?: string;
  /** Where the rest is to be found. */
  missing?: ComponentChildren;
}) {
  const shown = useSignal(most);
  const left = items.length - shown.value;
  const rows = items.slice(0, shown.value);
  const keys = distinctKeys(rows, keyOf);
  return (
    <>
      <ul class={className}>
        {rows.map((item, at) => (
          <li key={keys[at] ?? at}>{row(item, at)}</li>
        ))}
      </ul>
      {left > 0 ? (
        <More
          onUnfold={() => {
            shown.value += UNFOLDS;
          }}
          next={Math.min(left, UNFOLDS)}
          left={left + Math.max(0, total - items.length)}
          noun={noun}
        />
      ) : total > items.length ? (
        <p class="more muted">
          {(total - items.length).toLocaleString('en')} more {noun} are not listed here. {missing}
        </p>
      ) : null}
    </>
  );
}

/** A key for each row of a list: what repeats gets a number, so that no row is drawn for another. */
export function distinctKeys<T>(
  items: readonly T[],
  keyOf: (item: T, at: number) => string | number,
): readonly string[] {
  const times = new Map<string, number>();
  return items.map((item, at) => {
    const key = String(keyOf(item, at));
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return before === 0 ? key : `${key} ${before + 1}`;
  });
}

/** A button that shows the next rows, and says how many there are. */
export function More({
  onUnfold,
  next,
  left,
  noun,
}: {
  onUnfold: () => void;
  next: number;
  left: number;
  noun: string;
}) {
  return (
    <p class="more">
      <button type="button" onClick={onUnfold}>
        {next === left
          ? `Show ${left.toLocaleString('en')} more ${noun}`
          : `Show ${next} of ${left.toLocaleString('en')} more ${noun}`}
      </button>
    </p>
  );
}

/** Why there is no answer, and what to do. */
export function Trouble({ failure }: { failure: Failure }) {
  return (
    <div class="trouble" role="alert">
      <pre class="said">{visible(failure.error)}</pre>
      {failure.suggestion ? <p>{visible(failure.suggestion)}</p> : null}
    </div>
  );
}

/**
 * One part of a view: what is made of its answer, or why there is none. `titles` are the headings that it has: they stay where
 * it fails.
 */
export function PartOf<T>({
  part,
  titles = [],
  children,
}: {
  part: Part<unknown> | undefined;
  titles?: readonly string[];
  children: (body: T) => ComponentChildren;
}) {
  if (part && 'body' in part) return <>{children(part.body as T)}</>;
  const why = part ? <Trouble failure={part.error} /> : <Empty>The server did not answer this part.</Empty>;
  if (titles.length === 0) return why;
  return (
    <>
      {titles.map((title) => (
        <Section key={title} title={title}>
          {why}
        </Section>
      ))}
    </>
  );
}

/** What answers left out. */
export function Cuts({ of }: { of: Stated }) {
  const cut = of.state?.cut ?? [];
  if (cut.length === 0) return null;
  return (
    <ul class="cuts muted">
      {cut.map((line) => (
        <li key={line}>{visible(line)}</li>
      ))}
    </ul>
  );
}

/** What scrolls by itself where it is wider than the page, so that the page does not; the keyboard reaches it. */
export function Scrolls({
  label,
  children,
  class: className = '',
}: {
  label: string;
  children: ComponentChildren;
  class?: string;
}) {
  const reached = { tabIndex: 0, role: 'group', 'aria-label': label } as const;
  return (
    <div class={`scrolls ${className}`} {...reached}>
      {children}
    </div>
  );
}

/** The name of what a page is about, which is read out when the page changes. */
export function Title({ children, above }: { children: ComponentChildren; above?: ComponentChildren }) {
  return (
    <header class="title">
      {above === undefined ? null : <p class="above">{above}</p>}
      <h1 tabIndex={-1}>{children}</h1>
    </header>
  );
}
