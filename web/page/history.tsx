import type { HistoryAnswer, Part } from './answers.js';
import { Fix } from './diff.js';
import { Empty, Fold, Fresh, Link, PartOf, Section, Status, TaskLink, Time } from './parts.js';
import { href } from './router.js';
import { nameInId, plural, visible } from './words.js';

/** Characters of a message before it is unfolded. */
const SHORT = 160;

/** What is remembered of a symbol or file, what failed there, and which tasks touched it. */
export function HistoryParts({ part, what }: { part: Part<unknown> | undefined; what: string }) {
  return (
    <PartOf<HistoryAnswer> part={part} titles={['Memories', 'Past failures', 'Tasks']}>
      {(history) => (
        <>
          <Memories history={history} what={what} />
          <Failures history={history} />
          <Tasks history={history} />
        </>
      )}
    </PartOf>
  );
}

function Memories({ history: { memories, memories_total }, what }: { history: HistoryAnswer; what: string }) {
  return (
    <Section title="Memories" count={memories_total}>
      {memories.length === 0 ? (
        <Empty>
          Nothing is remembered of {visible(what)}. An agent saves what is worth knowing; so can you, with{' '}
          <code>codewalk memory store</code>.
        </Empty>
      ) : null}
      <Fold
        items={memories}
        total={memories_total}
        noun="memories"
        keyOf={({ id }) => id}
        row={({ id, type, title, says, freshness, about }) => (
          <>
            <Link to={href('memory', [id])}>{visible(title)}</Link> <span class="kind">{type}</span>{' '}
            <Fresh freshness={freshness} />{' '}
            <span class="muted">about {about.map((one) => visible(nameInId(one))).join(', ')}</span>
            {says && says !== title ? <p class="muted">{visible(says)}</p> : null}
          </>
        )}
        most={5}
      />
    </Section>
  );
}

function Failures({ history: { failures, failures_total } }: { history: HistoryAnswer }) {
  return (
    <Section title="Past failures" count={failures_total}>
      {failures.length === 0 ? (
        <Empty>
          Nothing is recorded that failed here. Failures of agents appear by themselves after{' '}
          <code>codewalk install claude</code>.
        </Empty>
      ) : null}
      <Fold
        items={failures}
        total={failures_total}
        noun="failures"
        keyOf={({ error_id }) => error_id}
        row={({ error_id, message, count, last_at, fixed_by, later, of_file }) => (
          <>
            <Link to={href('error', [error_id])}>{visible(message.slice(0, SHORT))}</Link>{' '}
            <span class="muted">
              {plural(count, 'time')}, last <Time at={last_at} />
              {of_file ? ', in its file' : ''}
            </span>
            {fixed_by.slice(0, 1).map((fix) => (
              <Fix key={fix.step_id ?? error_id} fix={fix} />
            ))}
            {fixed_by.length > 0 ? null : (
              <p class="muted">{later ? visible(later) : 'Nothing fixed it yet.'}</p>
            )}
          </>
        )}
        most={5}
      />
    </Section>
  );
}

function Tasks({ history: { tasks, tasks_total } }: { history: HistoryAnswer }) {
  return (
    <Section title="Tasks" count={tasks_total}>
      {tasks.length === 0 ? <Empty>No recorded task touched it.</Empty> : null}
      <Fold
        items={tasks}
        total={tasks_total}
        noun="tasks"
        keyOf={({ task_id }) => task_id}
        row={({ task_id, prompt, status, created_at, how, client, of_file }) => (
          <>
            <TaskLink id={task_id} prompt={prompt} /> <Status status={status} />{' '}
            <span class="muted">
              {how} {of_file ? 'its file' : 'it'}, <Time at={created_at} />
              {client === null ? '' : `, ${client}`}
            </span>{' '}
          </>
        )}
        most={5}
      />
    </Section>
  );
}
