import { signal } from '@preact/signals';
import { isSymbolId } from './words.js';

/** Where the reader is: a view with its names and query, as the address has it behind `#/`. */
export interface Place {
  /** As the API takes it: `symbol/fn%3Aa.ts%3Arun`. */
  readonly path: string;
  readonly view: string;
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  /** The entry of the browser's history: how far it was scrolled is stored under it. */
  readonly entry: number;
  /** Whether the reader came by back, forward or reload: the page then stays where it was scrolled to. */
  readonly isReturn: boolean;
}

/** The names of the views; empty: the start. */
export const VIEW_NAMES = [
  '',
  'symbol',
  'file',
  'path',
  'map',
  'tasks',
  'task',
  'errors',
  'error',
  'memories',
  'memory',
  'query',
  'search',
  'health',
] as const;
/** One of {@link VIEW_NAMES}. */
export type ViewName = (typeof VIEW_NAMES)[number];

/** Whether an address names a view. */
export function isView(name: string): name is ViewName {
  return VIEW_NAMES.some((one) => one === name);
}

const STORED = 'codewalk.scrolled';

let entry = 0;
let newest = 0;
let address = '';
const scrolled = new Map<number, number>(storedPositions());

/** Where the reader is now. */
export const place = signal<Place>(read(true));

/** What makes a place another page: not its query, which only narrows or asks something. */
export function keyOf({ view, names }: Pick<Place, 'view' | 'names'>): string {
  return [view, ...names].join('/');
}

/** The address of a view: each name is percent-encoded, empty fields of the query are left out. */
export function href(
  view: string,
  names: readonly string[] = [],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  const path = [view, ...names.map(encoded)].join('/');
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

/** The address of a symbol, by its id or name. */
export const symbolHref = (id: string): string => href('symbol', [id]);

/** The address of a file: the slashes of its path stay, so that it can be read. */
export function fileHref(path: string, line?: number): string {
  // The first lines come anyway; others with some before them.
  const from = line !== undefined && line > 500 ? line - 100 : undefined;
  return href('file', path.split('/'), { from, line });
}

const LABELLED = { Memory: 'memory', Task: 'task', Error: 'error' } as const;

/** The address of what an id names, by the labels of its node where they are known; null: it has no page. */
export function idHref(id: string, labels: readonly string[] = []): string | null {
  for (const [label, view] of Object.entries(LABELLED)) if (labels.includes(label)) return href(view, [id]);
  if (isSymbolId(id)) return symbolHref(id);
  const [, form, name = ''] = /^(file|task|error):(.+)$/su.exec(id) ?? [];
  if (form === undefined) return null;
  return form === 'file' ? fileHref(name) : href(form, [id]);
}

/** Goes to an address. @param options `isSame`: the present entry of the history becomes it. */
export function go(to: string, { isSame = false } = {}): void {
  if (isSame) window.history.replaceState({ entry }, '', to);
  else window.location.hash = to;
  // At once, so that the page is busy as soon as a click ends.
  place.value = read(false);
}

/**
 * Follows a link within the page. Left to the browser, the page would hear of it later; and in a frame that its host wrote
 * such a link leads to the host's own address.
 */
function follow(event: MouseEvent): void {
  const { target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
  const to = link?.getAttribute('href');
  if (to == null || defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  go(to);
}

/** How far down the page was when it was last seen. */
export const scrolledTo = (at: Place): number => scrolled.get(at.entry) ?? 0;

/** Follows the address. Call it once. */
export function followAddress(): void {
  window.history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => {
    const known: unknown = window.history.state?.entry;
    // It was gone to already.
    if (known === entry && pathOf(window.location.hash) === address) return;
    place.value = read(typeof known === 'number');
  });
  document.addEventListener('click', follow);
  window.addEventListener('pagehide', () =>
    window.sessionStorage.setItem(STORED, JSON.stringify([...scrolled])),
  );
}

/** Stores how far the page is scrolled now. */
export function rememberScroll(): void {
  scrolled.set(entry, window.scrollY);
}

function read(isReturn: boolean): Place {
  const known: unknown = window.history.state?.entry;
  entry = typeof known === 'number' ? known : Math.max(newest, entry) + 1;
  newest = Math.max(newest, entry, ...scrolled.keys());
  window.history.replaceState({ entry }, '');
  address = pathOf(window.location.hash);
  // The first `?` alone: a query may have others.
  const at = `${address}?`.indexOf('?');
  const [before, after] = [address.slice(0, at), address.slice(at + 1)];
  const [view = '', ...parts] = before.split('/').map(decoded);
  const names = parts.filter((name) => name !== '');
  // A typed address may be unencoded: the server gets it as it should be.
  const path = [view, ...names.map(encoded)].join('/') + (after === '' ? '' : `?${after}`);
  return { path, view, names, query: new URLSearchParams(after), entry, isReturn };
}

function pathOf(hash: string): string {
  return hash.replace(/^#\/?/u, '');
}

/** Half a surrogate pair has no encoding: it becomes U+FFFD, and the rest of the page is shown. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function storedPositions(): [number, number][] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
