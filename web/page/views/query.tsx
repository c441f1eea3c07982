import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { Answer, CypherAnswer, Part, WalkerInfo } from '../answers.js';
import { askWalker, isFixed } from '../api.js';
import { type Completion, completionAt } from '../complete.js';
import { SchemaForm, typedOf } from '../form.js';
import { Cuts, Empty, Link, PartOf, Section, Title } from '../parts.js';
import { type Arrow, type Box, Picture, thickest } from '../picture.js';
import { go, href, idHref, type Place } from '../router.js';
import { inputIn, project } from '../session.js';
import { isEdge, isNode, type NodeValue, RowTable, Value } from '../value.js';
import { nameInId, plural, visible } from '../words.js';

const SAVED = 'codewalk.queries';
/** Boxes of the picture of a result. */
const MOST_BOXES = 200;
const FIRST = 'MATCH (f:Function) RETURN f.qualified_name, f.file_path LIMIT 20';

/** Asks the graph: by a query in Cypher, or by any walker through a form. */
export function QueryView({ answer: { parts }, place: { query } }: { answer: Answer; place: Place }) {
  return (
    <>
      <Title>Query</Title>
      {isFixed ? <Empty>This page cannot ask anything. Start codewalk explore in the project.</Empty> : null}
      <CypherQuery asked={query.get('q')} part={parts.cypher} />
      <Section title="Walkers">
        <p class="muted">
          Whatever Codewalk does, a walker does: choose one to fill in what it takes. Those of this project
          are listed, too.
        </p>
        <Walkers name={query.get('walker')} input={query.get('input')} part={parts.walker} />
      </Section>
    </>
  );
}

/** A query and its result. The address has the query: going back shows the one before. */
function CypherQuery({ asked, part }: { asked: string | null; part: Part<unknown> | undefined }) {
  const text = useSignal(asked ?? FIRST);
  useEffect(() => {
    if (asked !== null) text.value = asked;
  }, [asked, text]);
  const onRun = () => go(href('query', [], { q: text.value }));
  return (
    <Section title="Cypher">
      <form
        class="cypher"
        onSubmit={(event) => {
          event.preventDefault();
          onRun();
        }}
      >
        <QueryBox
          text={text.value}
          isWrong={part !== undefined && 'error' in part}
          onText={(now) => {
            text.value = now;
          }}
          onRun={onRun}
        />
        <div class="buttons">
          <button type="submit" class="primary">
            Run
          </button>
          <SavedQueries text={text.value} />
        </div>
      </form>
      <div aria-live="polite">
        {part === undefined ? null : (
          <PartOf<CypherAnswer> part={part}>{(answer) => <Result answer={answer} />}</PartOf>
        )}
      </div>
    </Section>
  );
}

/** Where the query is written; what may end a word is listed below it. */
function QueryBox({
  text,
  isWrong,
  onText,
  onRun,
}: {
  text: string;
  isWrong: boolean;
  onText: (text: string) => void;
  onRun: () => void;
}) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const completion = useSignal<Completion | null>(null);
  const chosen = useSignal(0);
  const look = () => {
    const { value, selectionStart, selectionEnd } = box.current ?? {
      value: '',
      selectionStart: 0,
      selectionEnd: 0,
    };
    const known = project.value;
    completion.value =
      known && selectionStart === selectionEnd ? completionAt(value, selectionStart, known) : null;
    chosen.value = 0;
  };
  const take = (word: string) => {
    const at = completion.value;
    if (!at || !box.current) return;
    onText(text.slice(0, at.from) + word + text.slice(at.to));
    completion.value = null;
    const caret = at.from + word.length;
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(caret, caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
      return;
    }
    const words = completion.value?.words;
    if (!words) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      chosen.value = (chosen.value + (event.key === 'ArrowDown' ? 1 : words.length - 1)) % words.length;
    } else if (event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      take(words[chosen.value] ?? '');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      completion.value = null;
    }
  };
  const words = completion.value?.words ?? [];
  return (
    <div class="query-box">
      <label for={id}>Query in Cypher</label>
      <p class="muted" id={`${id}-about`}>
        It only reads. Tab takes the marked word of the list, Escape closes it; Ctrl and Enter run the query.
      </p>
      <textarea
        id={id}
        ref={box}
        rows={5}
        spellcheck={false}
        autocapitalize="off"
        value={text}
        aria-autocomplete="list"
        aria-controls={`${id}-words`}
        aria-activedescendant={words.length > 0 ? `${id}-${chosen.value}` : undefined}
        aria-describedby={`${id}-about`}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
          look();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => (completion.value = null)}
      />
      <Words id={id} words={words} chosen={chosen.value} onTake={take} />
    </div>
  );
}

function Words({
  id,
  words,
  chosen,
  onTake,
}: {
  id: string;
  words: readonly string[];
  chosen: number;
  onTake: (word: string) => void;
}) {
  const option = (word: string, at: number) => ({
    role: 'option' as const,
    id: `${id}-${at}`,
    'aria-selected': at === chosen,
    // A click would take the focus from the query first.
    onMouseDown: (event: MouseEvent) => {
      event.preventDefault();
      onTake(word);
    },
  });
  const list = { role: 'listbox', 'aria-label': 'Words that fit' } as const;
  return (
    <div id={`${id}-words`} class="words" hidden={words.length === 0} {...list}>
      {words.map((word, at) => (
        <div key={word} {...option(word, at)}>
          {word}
        </div>
      ))}
    </div>
  );
}

/** Queries that this browser stores, by their text. */
function SavedQueries({ text }: { text: string }) {
  const saved = useSignal<readonly string[]>(readSaved());
  const write = (queries: readonly string[]) => {
    saved.value = queries;
    try {
      window.localStorage.setItem(SAVED, JSON.stringify(queries));
    } catch {
      // A browser that stores nothing forgets them with the page.
    }
  };
  const isSaved = saved.value.includes(text);
  return (
    <>
      <button
        type="button"
        onClick={() => write(isSaved ? saved.value.filter((one) => one !== text) : [text, ...saved.value])}
      >
        {isSaved ? 'Forget this query' : 'Save this query'}
      </button>
      {saved.value.length === 0 ? null : (
        <label>
          Saved{' '}
          <select
            value={isSaved ? text : ''}
            onChange={({ currentTarget }) =>
              currentTarget.value !== '' && go(href('query', [], { q: currentTarget.value }))
            }
          >
            <option value="">Choose…</option>
            {saved.value.map((query) => (
              <option key={query} value={query}>
                {visible(query.slice(0, 80))}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

function readSaved(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(SAVED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function Result({ answer }: { answer: CypherAnswer }) {
  const { rows, columns, hints, plan } = answer.results;
  const { total_count } = answer.metadata;
  return (
    <>
      <p class="muted">
        {rows.length < total_count ? `${rows.length} of ` : ''}
        {plural(total_count, 'row')}
      </p>
      {hints.map((hint) => (
        <p key={hint} class="hint">
          {visible(hint)}
        </p>
      ))}
      {plan === null ? null : <pre class="scrolls">{visible(plan)}</pre>}
      {columns.length === 0 ? null : <RowTable label="Rows of the result" columns={columns} rows={rows} />}
      <Cuts of={answer} />
      <ResultPicture rows={rows} />
    </>
  );
}

/** The nodes of a result and what joins them, where it has any. */
function ResultPicture({ rows }: { rows: CypherAnswer['results']['rows'] }) {
  const found = useMemo(() => thingsIn(rows), [rows]);
  const others = useSignal<readonly Arrow[]>([]);
  const ids = found.boxes.map(({ id }) => id);
  useEffect(() => {
    others.value = [];
    if (found.arrows.length > 0 || ids.length < 2) return;
    const query = 'MATCH (a)-[r]->(b) WHERE a.id IN $ids AND b.id IN $ids RETURN r LIMIT 500';
    askWalker<CypherAnswer>('query_cypher', { query, parameters: { ids } }).then(
      ({ results }) => {
        others.value = thingsIn(results.rows).arrows;
      },
      () => {},
    );
  }, [found]);
  const arrows = useMemo(
    () => (found.arrows.length > 0 ? found.arrows : others.value),
    [found, others.value],
  );
  const drawn = useMemo(() => thickest(arrows), [arrows]);
  if (found.boxes.length === 0) return null;
  return (
    <Section title="As a picture" count={found.boxes.length}>
      {found.left > 0 ? <p class="muted">{plural(found.left, 'more node')} are only in the table.</p> : null}
      {drawn.length < arrows.length ? (
        <p class="muted">{plural(arrows.length - drawn.length, 'more arrow')} are not drawn.</p>
      ) : null}
      <Picture name="Result of the query" boxes={found.boxes} arrows={drawn} />
    </Section>
  );
}

function thingsIn(rows: CypherAnswer['results']['rows']) {
  const nodes = new Map<string, Box>();
  const arrows = new Map<string, Arrow>();
  let left = 0;
  const look = (value: unknown): void => {
    if (isNode(value)) {
      if (nodes.size < MOST_BOXES) nodes.set(value.id, boxOf(value));
      else if (!nodes.has(value.id)) left++;
    } else if (isEdge(value)) {
      const { from, to, type } = value;
      arrows.set(`${from} ${type} ${to}`, { from, to, title: type, look: '', weight: 1 });
    } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one);
  };
  for (const row of rows) look(row);
  return { boxes: [...nodes.values()], arrows: [...arrows.values()], left };
}

function boxOf({ id, labels, name, title }: NodeValue): Box {
  const said = [name, title].find((text) => typeof text === 'string');
  return {
    id,
    title: typeof said === 'string' ? said : nameInId(id),
    note: labels.at(-1) ?? '',
    look: '',
    to: idHref(id, labels),
    opens: false,
  };
}

/** Any walker that reads, as a form that is made from what it says it takes. */
function Walkers({
  name,
  input,
  part,
}: {
  name: string | null;
  input: string | null;
  part: Part<unknown> | undefined;
}) {
  const id = useId();
  const known = project.value?.walkers ?? [];
  const reading = known
    .filter(({ access }) => access === 'read')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const chosen = reading.find((walker) => walker.name === name);
  return (
    <>
      <p class="field">
        <label for={id}>Walker</label>
        <select
          id={id}
          value={name ?? ''}
          onChange={({ currentTarget }) => go(href('query', [], { walker: currentTarget.value }))}
        >
          <option value="">Choose…</option>
          {reading.map((walker) => (
            <option key={walker.name} value={walker.name}>
              {visible(walker.name)}
            </option>
          ))}
        </select>
      </p>
      {name !== null && !chosen && project.value ? (
        <Empty>There is no walker {visible(name)} that reads.</Empty>
      ) : null}
      {chosen ? (
        <WalkerForm key={`${chosen.name} ${input}`} walker={chosen} input={input} part={part} />
      ) : null}
    </>
  );
}

function WalkerForm({
  walker,
  input,
  part,
}: {
  walker: WalkerInfo;
  input: string | null;
  part: Part<unknown> | undefined;
}) {
  const addressOf = (fields: object) =>
    href('query', [], { walker: walker.name, input: JSON.stringify(fields) });
  return (
    <div class="walker">
      <p>{visible(walker.description)}</p>
      {walker.examples?.length ? (
        <p class="muted">
          Examples:{' '}
          {walker.examples.map(({ title, input: example }, at) => (
            <span key={title}>
              {at > 0 ? ', ' : ''}
              <Link to={addressOf(example)}>{visible(title)}</Link>
            </span>
          ))}
        </p>
      ) : null}
      <SchemaForm
        schema={walker.input}
        typed={typedOf(walker.input, inputIn(input ?? ''))}
        button={`Run ${walker.name}`}
        onRun={(fields) => go(addressOf(fields))}
      />
      <div aria-live="polite">
        {part === undefined ? null : <PartOf<unknown> part={part}>{(body) => <Value value={body} />}</PartOf>}
      </div>
    </div>
  );
}
