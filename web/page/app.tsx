import { useSignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks';
import type { Answer, Failure } from './answers.js';
import { firstView, isExport } from './api.js';
import { Dialog } from './dialog.js';
import { Empty, Link, Title, Trouble } from './parts.js';
import {
  followAddress,
  go,
  href,
  isView,
  keyOf,
  type Place,
  rememberScroll,
  scrolledTo,
  type ViewName,
} from './router.js';
import {
  askPending,
  changes,
  isBusy,
  isReachable,
  liveFailure,
  notice,
  pending,
  progress,
  project,
  type Shown,
  shown,
  startSession,
} from './session.js';
import { ErrorsView, ErrorView } from './views/errors.js';
import { FileView } from './views/file.js';
import { HealthView } from './views/health.js';
import { MapView } from './views/map.js';
import { MemoriesView, MemoryView } from './views/memories.js';
import { PathView } from './views/path.js';
import { QueryView } from './views/query.js';
import { SearchView } from './views/search.js';
import { StartView } from './views/start.js';
import { SymbolView } from './views/symbol.js';
import { TasksView, TaskView } from './views/tasks.js';
import { nameInId, plural, visible } from './words.js';

/** The views, and the part of each without which there is nothing to show. */
const VIEWS = {
  '': { view: StartView, needs: null },
  symbol: { view: SymbolView, needs: 'code' },
  file: { view: FileView, needs: 'code' },
  path: { view: PathView, needs: null },
  map: { view: MapView, needs: 'map' },
  tasks: { view: TasksView, needs: null },
  task: { view: TaskView, needs: 'task' },
  errors: { view: ErrorsView, needs: null },
  error: { view: ErrorView, needs: 'error' },
  memories: { view: MemoriesView, needs: null },
  memory: { view: MemoryView, needs: 'memory' },
  query: { view: QueryView, needs: null },
  search: { view: SearchView, needs: null },
  health: { view: HealthView, needs: null },
} as const satisfies Record<ViewName, object>;

const LINKS = ['map', 'tasks', 'errors', 'memories', 'query', 'health'] as const;
const UNANSWERED: Failure = {
  error: 'the server did not answer for this view',
  error_code: 'PAGE',
  suggestion: 'Reload the page.',
};
const NOT_FOUND = ['NODE_NOT_FOUND', 'PROJECT_NOT_INDEXED'];

function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <Notes />
      <Main />
      <Footer />
      <Dialog />
    </>
  );
}

function Header() {
  const { view } = shown.value.place;
  return (
    <header class="top">
      <Link to="#/" class="brand">
        Codewalk
      </Link>
      <Search />
      <nav aria-label="Views">
        <ul>
          {LINKS.map((name) => (
            <li key={name}>
              <a href={href(name)} aria-current={view === name || `${view}s` === name ? 'page' : undefined}>
                {name[0]?.toUpperCase() + name.slice(1)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

// The role is what the type means; some look for it by its name.
const SEARCHBOX = { type: 'search', role: 'searchbox' } as const;

function Search() {
  const words = useSignal('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const form = { role: 'search' } as const;
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        if (words.value.trim() !== '') go(href('search', [words.value.trim()]));
      }}
    >
      <input
        ref={box}
        {...SEARCHBOX}
        aria-label="Search code"
        aria-keyshortcuts="/"
        placeholder="Search: a name, an issue, a stack trace"
        value={words.value}
        disabled={isExport}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
        }}
      />
      <kbd title="Press / to search">/</kbd>
    </form>
  );
}

/** What goes on around the page: a server that is gone, an index that runs, what changed just now. */
function Notes() {
  const running = progress.value;
  return (
    <div class="notes">
      <div role="status">
        {isReachable.value ? null : (
          <p class="note lost">
            The server does not answer: <code>codewalk explore</code> was stopped, or starts again. Trying
            again…
          </p>
        )}
        {liveFailure.value === '' ? null : (
          <p class="note lost">
            What changes now is not shown: the graph does not follow the files. {visible(liveFailure.value)}
          </p>
        )}
        {notice.value === '' ? null : <p class="note quiet">{notice.value}</p>}
      </div>
      {running !== null || pending.value === 0 ? null : (
        <p class="note">
          The project is being indexed: {plural(pending.value, 'file')} not read in full yet.{' '}
          <progress aria-label="Indexing" />
        </p>
      )}
      {running === null ? null : (
        <p class="note">
          The project is being indexed: {visible(running.phase)}{' '}
          {running.total > 0 ? `${running.done} of ${running.total}` : ''}{' '}
          <progress
            aria-label="Indexing"
            {...(running.total > 0 ? { value: running.done, max: running.total } : {})}
          />
        </p>
      )}
    </div>
  );
}

function Main() {
  const { place, answer, failure } = shown.value;
  const main = useRef<HTMLElement>(null);
  const last = useRef<Place | null>(null);
  const isSettled = answer !== null || failure !== null || !isView(place.view);
  useLayoutEffect(() => {
    document.title = `${main.current?.querySelector('h1')?.textContent ?? ''} · Codewalk`;
  });
  useLayoutEffect(() => {
    if (!isSettled || last.current?.entry === place.entry) return;
    const isFirst = last.current === null;
    // Who narrows a list, or asks for something else, goes on where the focus is.
    const isSame = last.current !== null && keyOf(last.current) === keyOf(place) && !place.query.has('line');
    last.current = place;
    if (isSame && !place.isReturn) return;
    if (!isFirst) main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    // A line of a file is scrolled to by its view.
    if (place.isReturn || !place.query.has('line'))
      window.scrollTo(0, place.isReturn ? scrolledTo(place) : 0);
  }, [place, isSettled]);
  return (
    <main id="main" ref={main} aria-busy={isBusy.value} class={`view-${place.view || 'start'}`}>
      <Content shown={{ place, answer, failure }} />
    </main>
  );
}

function Content({ shown: { place, answer, failure } }: { shown: Shown }) {
  if (!isView(place.view))
    return (
      <>
        <Title>There is no such page</Title>
        <Empty>
          Nothing is at <code>{visible(place.path)}</code>. Search for a name above, or begin at the{' '}
          <Link to="#/">start</Link>.
        </Empty>
      </>
    );
  if (failure !== null) return <Missing place={place} failure={failure} />;
  const { view: View, needs } = VIEWS[place.view];
  if (answer === null)
    return (
      <>
        <Title above={place.view || 'Codewalk'}>{visible(titleOf(place))}</Title>
        <p class="muted">Loading…</p>
        <p class="muted late">A project that is opened for the first time is read first.</p>
      </>
    );
  const part = needs === null ? { body: null } : answer.parts[needs];
  if (part === undefined) return <Missing place={place} failure={UNANSWERED} />;
  if ('error' in part) return <Missing place={place} failure={part.error} />;
  return (
    <Caught key={keyOf(place)} place={place}>
      <View answer={answer as Answer} place={place} />
    </Caught>
  );
}

/** A view that cannot draw what it was given: a fault of ours, and no reason for an empty page. */
function Caught({ place, children }: { place: Place; children: ComponentChildren }) {
  const [thrown] = useErrorBoundary((error) => console.error(error));
  if (thrown === undefined) return <>{children}</>;
  const error = `This view cannot be drawn: ${thrown instanceof Error ? thrown.message : thrown}`;
  return <Missing place={place} failure={{ error, error_code: 'PAGE', suggestion: 'Reload the page.' }} />;
}

function titleOf({ view, names }: Place): string {
  const named = names
    .map((name) => (view === 'symbol' ? nameInId(name) : name))
    .join(view === 'path' ? ' to ' : '/');
  return (
    named || (view === '' ? (project.value?.name ?? 'Codewalk') : view[0]?.toUpperCase() + view.slice(1))
  );
}

/** What cannot be shown, and what to do: nothing else stands in its place. */
function Missing({ place, failure }: { place: Place; failure: Failure }) {
  const name = visible(titleOf(place));
  const isUnknown = NOT_FOUND.includes(failure.error_code);
  const changed = changes.value;
  useEffect(() => {
    if (isUnknown && changed >= 0) void askPending();
  }, [isUnknown, changed]);
  return (
    <>
      <Title above={place.view}>
        {isUnknown
          ? `${name} is not in the graph${progress.value === null && pending.value === 0 ? '' : ' yet'}`
          : `${name} cannot be shown`}
      </Title>
      <Trouble failure={failure} />
      {progress.value === null && pending.value === 0 ? null : (
        <p>The project is being indexed: this page looks again whenever more of it is read.</p>
      )}
      {place.names.length === 0 || isExport ? null : (
        <p>
          <Link to={href('search', [titleOf(place)])}>Search for it</Link>
        </p>
      )}
    </>
  );
}

function Footer() {
  const known = project.value;
  return (
    <footer>
      <p>
        {known === null ? 'Codewalk' : `${visible(known.root)} · Codewalk ${known.version}`}
        {isExport ? ' · an exported page: it stays as it was' : ' · nothing leaves your machine'}
      </p>
    </footer>
  );
}

/** The address says which view is shown: what skips to a part of it must leave it alone. */
function skip(event: MouseEvent): void {
  if (!(event.target instanceof Element) || !event.target.matches('a.skip')) return;
  event.preventDefault();
  document.querySelector<HTMLElement>('h1')?.focus();
}

if (firstView !== null && window.location.hash.length < 2) go(`#/${firstView}`, { isSame: true });
followAddress();
startSession();
document.addEventListener('click', skip);
window.addEventListener('scroll', () => isBusy.peek() || rememberScroll(), { passive: true });
const root = document.getElementById('app');
root?.replaceChildren();
if (root) render(<App />, root);
