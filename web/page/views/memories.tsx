import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type {
  Answer,
  Failure,
  MemoriesAnswer,
  MemoryAnswer,
  MemoryRow,
  RelatedAnswer,
  VersionsAnswer,
} from '../answers.js';
import { askWalker, failureOf, isFixed } from '../api.js';
import { confirmed } from '../dialog.js';
import { Filter } from '../filter.js';
import { Cuts, Empty, Fold, Fresh, IdLink, Link, PartOf, Section, Time, Title, Trouble } from '../parts.js';
import { go, href, type Place } from '../router.js';
import { notice, refresh, whileBusy } from '../session.js';
import { plural, visible } from '../words.js';

const TYPES = [
  'task',
  'code_pattern',
  'problem',
  'solution',
  'project',
  'technology',
  'error',
  'fix',
  'command',
  'file_context',
  'workflow',
  'general',
  'conversation',
  'decision',
];

/** What is remembered. */
export function MemoriesView({ answer, place: { query } }: { answer: Answer; place: Place }) {
  return (
    <>
      <Title>Memories</Title>
      <Filter
        view="memories"
        query={query}
        fields={[
          { name: 'query', label: 'Words' },
          { name: 'type', label: 'Kind', options: TYPES },
          { name: 'tag', label: 'Tag' },
        ]}
      />
      <PartOf<MemoriesAnswer> part={answer.parts.memories}>
        {(body) => (
          <>
            <MemoryList body={body} isFiltered={[...query.values()].some((one) => one !== '')} />
            <Cuts of={body} />
          </>
        )}
      </PartOf>
    </>
  );
}

/** Memories as a list. */
export function MemoryList({ body, isFiltered = false }: { body: MemoriesAnswer; isFiltered?: boolean }) {
  const { results, has_more } = body;
  if (results.length === 0)
    return isFiltered ? (
      <Empty>No memory fits. Take a filter away, or use other words.</Empty>
    ) : (
      <Empty>
        Nothing is remembered in this project yet. Agents save decisions and fixes by themselves; you can with{' '}
        <code>codewalk memory store decision 'TITLE' 'CONTENT'</code>.
      </Empty>
    );
  return (
    <>
      <Fold
        items={results}
        noun="memories"
        class="cards"
        most={50}
        keyOf={({ id }) => id}
        row={({ id, type, title, content, tags, freshness, updated_at }) => (
          <>
            <p class="lead">
              <Link to={href('memory', [id])}>{visible(title)}</Link>
            </p>
            <p class="said clamp">{visible(content)}</p>
            <p class="muted">
              <span class="kind">{type.replaceAll('_', ' ')}</span> <Fresh freshness={freshness} />{' '}
              <Time at={updated_at} /> <Tags tags={tags} />
            </p>
          </>
        )}
      />
      {has_more ? <p class="more muted">There are more: narrow them by words, kind or tag.</p> : null}
    </>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <span key={tag}>
          {' '}
          <Link to={href('memories', [], { tag })} class="tag">
            #{visible(tag)}
          </Link>
        </span>
      ))}
    </>
  );
}

/** One memory: what it says, of which code, and whether that is still so. */
export function MemoryView({ answer: { parts } }: { answer: Answer }) {
  return (
    <PartOf<MemoryAnswer> part={parts.memory}>
      {(body) => {
        const { memory, about, freshness, relationships } = body;
        return (
          <>
            <Title above={<Link to={href('memories')}>Memories</Link>}>{visible(memory.title)}</Title>
            <p class="muted">
              <span class="kind">{memory.type.replaceAll('_', ' ')}</span> <Fresh freshness={freshness} />{' '}
              saved <Time at={memory.created_at} />
              {memory.updated_at === memory.created_at ? null : (
                <>
                  , changed <Time at={memory.updated_at} />
                </>
              )}
              , used {plural(memory.usage_count, 'time')}
              <Tags tags={memory.tags} />
            </p>
            <Standing standing={body.standing} />
            <div class="quote said">{visible(memory.content)}</div>
            {isFixed ? null : <Change memory={memory} />}
            <div class="rail">
              <Section title="What it is about" count={about.length}>
                {about.length === 0 ? (
                  <Empty>It names no code, so that nothing shows whether it still holds.</Empty>
                ) : null}
                <Fold
                  items={about}
                  noun="things"
                  keyOf={({ id }) => id}
                  row={({ id, kind, state }) => (
                    <>
                      <IdLink id={id} /> <span class="kind">{kind}</span>{' '}
                      <span class={`state ${state}`}>{state}</span>
                    </>
                  )}
                />
              </Section>
              <Section title="Relations" count={relationships.length}>
                {relationships.length === 0 ? <Empty>No other memory is joined to it.</Empty> : null}
                <Fold
                  items={relationships}
                  noun="relations"
                  keyOf={({ id }) => id}
                  row={({ type, direction, memory: other, proposed }) => (
                    <>
                      {direction === 'out' ? 'this' : <MemoryLink memory={other} />}{' '}
                      <span class="kind">
                        {type.toLowerCase().replaceAll('_', ' ')}
                        {proposed ? ' (proposed)' : ''}
                      </span>{' '}
                      {direction === 'out' ? <MemoryLink memory={other} /> : 'this'}
                    </>
                  )}
                />
                <PartOf<RelatedAnswer> part={parts.related}>
                  {(related) => <Farther related={related} />}
                </PartOf>
              </Section>
              <PartOf<VersionsAnswer> part={parts.history}>
                {(history) => <Versions history={history} />}
              </PartOf>
            </div>
            <Cuts of={body} />
          </>
        );
      }}
    </PartOf>
  );
}

function MemoryLink({ memory: { id, title } }: { memory: { readonly id: string; readonly title: string } }) {
  return <Link to={href('memory', [id])}>{visible(title)}</Link>;
}

const STANDINGS: Readonly<Record<string, string>> = {
  replaced: 'It is replaced by',
  deprecated: 'It is deprecated by',
  contradicted: 'It is contradicted by',
  failed: 'It failed more often than it held',
  ineffective: 'It did not help with',
  outranked: 'It is less preferred than',
  disputed: 'It may be contradicted by',
};

/** What speaks against a memory. */
function Standing({ standing }: { standing: MemoryAnswer['standing'] }) {
  if (standing === undefined) return null;
  return (
    <p class="trouble">
      {STANDINGS[standing.state] ?? standing.state}{' '}
      {standing.by === null ? '' : <MemoryLink memory={standing.by} />}.
    </p>
  );
}

function Farther({ related: { results } }: { related: RelatedAnswer }) {
  const far = results.filter(({ distance }) => distance > 1);
  if (far.length === 0) return null;
  return (
    <>
      <h3>Farther away</h3>
      <Fold
        items={far}
        noun="memories"
        keyOf={({ id }) => id}
        row={(memory) => (
          <>
            <MemoryLink memory={memory} />{' '}
            <span class="muted">{plural(memory.distance, 'relation')} away</span>
          </>
        )}
      />
    </>
  );
}

function Versions({ history: { versions } }: { history: VersionsAnswer }) {
  return (
    <Section title="Versions" count={versions.length}>
      <Fold
        items={versions}
        noun="versions"
        most={5}
        keyOf={({ version }) => version}
        row={({ version, said_at, replaced_at, changed, title, content }) => (
          <details>
            <summary>
              {version}, <Time at={said_at} />
              {replaced_at === null ? ' (now)' : ''}
              {changed.length === 0 ? '' : `: changed ${changed.join(', ')}`}
            </summary>
            <p>{visible(title)}</p>
            <div class="quote said">{visible(content)}</div>
          </details>
        )}
      />
    </Section>
  );
}

const CHANGED: Failure = {
  error: 'This memory was changed after you began to edit it: nothing is saved.',
  error_code: 'CHANGED',
  suggestion:
    'Copy what you wrote, close the form and open it again: it then begins with what the memory says now.',
};

/** Edits and forgets a memory: the only things that this page changes; each asks first. */
function Change({ memory }: { memory: MemoryRow }) {
  const isOpen = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const run = async (walker: string, input: object) => {
    try {
      await whileBusy(() => askWalker(walker, { memory_id: memory.id, ...input }, { isWrite: true }));
      failure.value = null;
      return true;
    } catch (thrown) {
      failure.value = failureOf(thrown);
      return false;
    }
  };
  const isAsOpened = async (opened: MemoryRow) => {
    try {
      const now = await whileBusy(() =>
        askWalker<MemoryAnswer>('memory_get', { memory_id: opened.id, include_relationships: false }),
      );
      if (now.memory.updated_at === opened.updated_at) return true;
      failure.value = CHANGED;
    } catch (thrown) {
      failure.value = failureOf(thrown);
    }
    void refresh();
    return false;
  };
  const save = async (fields: Record<string, unknown>, opened: MemoryRow) => {
    const names = Object.keys(fields).join(', ');
    if (names === '') {
      isOpen.value = false;
      return;
    }
    const body = (
      <p>Its {names} will be changed for all agents of this project. What it says now stays as a version.</p>
    );
    if (!(await confirmed('Change this memory?', body, 'Change it'))) return;
    if (!(await isAsOpened(opened)) || !(await run('memory_update', fields))) return;
    isOpen.value = false;
    await refresh();
    notice.value = 'Saved';
    opener.current?.focus();
  };
  const forget = async () => {
    const body = (
      <p>
        “{visible(memory.title)}” and its relations will be gone for all agents of this project.{' '}
        <code>codewalk memory</code> can still show what it was.
      </p>
    );
    if (!(await confirmed('Forget this memory?', body, 'Forget it'))) return;
    if (await run('memory_delete', {})) go(href('memories'));
  };
  return (
    <div class="change">
      <div class="buttons">
        <button
          type="button"
          ref={opener}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          Edit
        </button>
        <button type="button" onClick={() => void forget()}>
          Forget
        </button>
      </div>
      {failure.value === null ? null : <Trouble failure={failure.value} />}
      {isOpen.value ? (
        <Editor memory={memory} onSave={(fields, opened) => void save(fields, opened)} />
      ) : null}
    </div>
  );
}

function Editor({
  memory,
  onSave,
}: {
  memory: MemoryRow;
  onSave: (fields: Record<string, unknown>, opened: MemoryRow) => void;
}) {
  const id = useId();
  // What is written here began with this: the memory may change meanwhile.
  const { current: opened } = useRef(memory);
  const [title, content] = [useSignal(memory.title), useSignal(memory.content)];
  const tags = useSignal(memory.tags.join(', '));
  const importance = useSignal(String(memory.importance));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const now = {
          title: title.value,
          content: content.value,
          tags: tags.value
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
          importance: importance.value.trim() === '' ? opened.importance : Number(importance.value),
        };
        const before: Readonly<Record<string, unknown>> = { ...opened };
        const isOther = ([name, value]: [string, unknown]) =>
          JSON.stringify(value) !== JSON.stringify(before[name]);
        onSave(Object.fromEntries(Object.entries(now).filter(isOther)), opened);
      }}
    >
      <div class="field">
        <label for={`${id}-title`}>Title</label>
        <input
          id={`${id}-title`}
          type="text"
          required
          value={title.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for={`${id}-content`}>Content</label>
        <textarea
          id={`${id}-content`}
          required
          rows={6}
          value={content.value}
          onInput={({ currentTarget }) => {
            content.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for={`${id}-tags`}>Tags, with commas between them</label>
        <input
          id={`${id}-tags`}
          type="text"
          value={tags.value}
          onInput={({ currentTarget }) => {
            tags.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for={`${id}-importance`}>Importance, from 0 to 1</label>
        <input
          id={`${id}-importance`}
          type="number"
          required
          min={0}
          max={1}
          step="any"
          value={importance.value}
          onInput={({ currentTarget }) => {
            importance.value = currentTarget.value;
          }}
        />
      </div>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  );
}
