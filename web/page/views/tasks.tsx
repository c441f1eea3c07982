import { useSignal } from '@preact/signals';
import type { Answer, EventRow, StepRow, TaskAnswer, TaskRow, TasksAnswer } from '../answers.js';
import { askWalker } from '../api.js';
import { Diff, Fix } from '../diff.js';
import { Filter } from '../filter.js';
import {
  Cuts,
  Empty,
  Fold,
  IdLink,
  Link,
  PartOf,
  PlaceLink,
  Section,
  Status,
  TaskLink,
  Time,
  Title,
} from '../parts.js';
import { go, href, type Place } from '../router.js';
import { between, counts, plural, tookText, visible } from '../words.js';

const STATUSES = ['planned', 'running', 'success', 'failed', 'aborted'];
/** Tasks that one is compared with: the newest. */
const COMPARED = 100;

/** The tasks that agents worked on. */
export function TasksView({ answer, place: { query } }: { answer: Answer; place: Place }) {
  return (
    <>
      <Title>Tasks</Title>
      <Filter
        view="tasks"
        query={query}
        fields={[
          { name: 'status', label: 'How it stands', options: STATUSES },
          { name: 'client', label: 'Agent' },
          { name: 'session', label: 'Session' },
        ]}
      />
      <PartOf<TasksAnswer> part={answer.parts.tasks}>
        {(body) => (
          <>
            <TaskList
              tasks={body.tasks}
              total={body.total}
              isFiltered={[...query.values()].some((one) => one !== '')}
            />
            <Cuts of={body} />
          </>
        )}
      </PartOf>
    </>
  );
}

/** Tasks as a list, the newest first. */
export function TaskList({
  tasks,
  total,
  isFiltered = false,
}: {
  tasks: readonly TaskRow[];
  total: number;
  isFiltered?: boolean;
}) {
  if (tasks.length === 0)
    return isFiltered ? (
      <Empty>No recorded task fits. Take a filter away to see others.</Empty>
    ) : (
      <Empty>
        No task is recorded in this project yet. <code>codewalk install claude</code> lets Claude Code record
        what it does here; the next task then appears by itself.
      </Empty>
    );
  return (
    <Fold
      items={tasks}
      total={total}
      noun="tasks"
      class="cards"
      most={50}
      keyOf={({ task_id }) => task_id}
      row={(task) => (
        <>
          <p class="lead">
            <TaskLink id={task.task_id} prompt={task.prompt} />
          </p>
          <p class="muted">
            <Status status={task.status} /> <Time at={task.created_at} />
            {task.client === null ? '' : ` · ${visible(task.client)}`} ·{' '}
            {counts([task.steps, 'step'], [task.tools, 'tool call'], [task.errors, 'error'])}
          </p>
        </>
      )}
    />
  );
}

/** One task as a timeline; two tasks side by side. */
export function TaskView({ answer: { parts } }: { answer: Answer }) {
  const other = parts.other;
  return (
    <PartOf<TaskAnswer> part={parts.task}>
      {(body) => (
        <>
          <Title above={<Link to={href('tasks')}>Tasks</Link>}>
            {visible(firstLine(body.prompt) || body.task.task_id)}
          </Title>
          {other === undefined ? (
            <>
              <Compare task={body.task} />
              <Attempt body={body} isAlone />
            </>
          ) : (
            <div class="two">
              <section aria-label="One attempt">
                <h2>{visible(firstLine(body.prompt) || body.task.task_id)}</h2>
                <Attempt body={body} />
              </section>
              <section aria-label="The other attempt">
                <PartOf<TaskAnswer> part={other}>
                  {(another) => (
                    <>
                      <h2>
                        <TaskLink id={another.task.task_id} prompt={firstLine(another.prompt)} />
                      </h2>
                      <Attempt body={another} />
                    </>
                  )}
                </PartOf>
              </section>
            </div>
          )}
        </>
      )}
    </PartOf>
  );
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 160) ?? '';
}

/** Chooses a task to stand next to this one. */
function Compare({ task }: { task: TaskRow }) {
  const others = useSignal<readonly TaskRow[] | null>(null);
  const load = async () => {
    const { tasks } = await askWalker<TasksAnswer>('tasks', { limit: COMPARED });
    others.value = tasks.filter(({ task_id }) => task_id !== task.task_id);
  };
  return (
    <details class="compare" onToggle={() => void (others.value === null && load().catch(() => {}))}>
      <summary>Compare with another attempt</summary>
      {others.value === null ? (
        <p class="muted">Loading…</p>
      ) : others.value.length === 0 ? (
        <Empty>There is no other task yet.</Empty>
      ) : (
        <label>
          The other one{' '}
          <select onChange={({ currentTarget }) => go(href('task', [task.task_id, currentTarget.value]))}>
            <option value="">Choose…</option>
            {others.value.map(({ task_id, prompt, status }) => (
              <option key={task_id} value={task_id}>
                {visible(`${status}: ${prompt || task_id}`)}
              </option>
            ))}
          </select>
        </label>
      )}
    </details>
  );
}

function Attempt({ body, isAlone = false }: { body: TaskAnswer; isAlone?: boolean }) {
  const { task, prompt, summary, steps } = body;
  const took = between(task.created_at, task.ended_at);
  return (
    <>
      <p class="muted">
        <Status status={task.status} /> <Time at={task.created_at} /> ·{' '}
        {took === null ? 'not ended' : `took ${took}`}
        {task.client === null ? '' : ` · ${visible(task.client)}`}
        {task.session_id === null ? null : (
          <>
            {' '}
            · session{' '}
            <Link to={href('tasks', [], { session: task.session_id })}>{visible(task.session_id)}</Link>
          </>
        )}{' '}
        · {counts([task.steps, 'step'], [task.tools, 'tool call'], [task.errors, 'error'])}
      </p>
      {prompt.trim() === firstLine(prompt) ? null : (
        <Section title="What was asked">
          <div class="quote said">{visible(prompt)}</div>
        </Section>
      )}
      <Section title="Timeline">
        {steps.length === 0 ? (
          <Empty>No step of it is recorded.</Empty>
        ) : (
          <Timeline steps={steps} isAlone={isAlone} />
        )}
      </Section>
      {summary === '' ? null : (
        <Section title="What the agent said at the end">
          <div class="quote said">{visible(summary)}</div>
        </Section>
      )}
      <Section title="Files" count={task.files.length}>
        {task.files.length === 0 ? <Empty>It touched no file.</Empty> : null}
        <Fold
          items={task.files}
          noun="files"
          keyOf={(path) => path}
          row={(path) => <PlaceLink path={path} />}
        />
      </Section>
      <Cuts of={body} />
    </>
  );
}

/** Steps in their order; where sub agents worked, each has a lane of its own. */
function Timeline({ steps, isAlone }: { steps: readonly StepRow[]; isAlone: boolean }) {
  const agents = [...new Set(steps.map(({ agent }) => agent ?? ''))].sort(
    (a, b) => Number(a !== '') - Number(b !== ''),
  );
  const hasLanes = isAlone && agents.length > 1;
  const columns = hasLanes
    ? { gridTemplateColumns: `repeat(${agents.length}, minmax(16rem, 1fr))` }
    : undefined;
  return (
    <div class={hasLanes ? 'lanes scrolls' : ''}>
      {hasLanes ? (
        <ol class="lane-names" style={columns} aria-label="Lanes">
          {agents.map((agent) => (
            <li key={agent}>{laneName(agent)}</li>
          ))}
        </ol>
      ) : null}
      <ol class="timeline" style={columns}>
        {steps.map((step) => (
          <li
            key={step.step_id}
            class="step"
            style={hasLanes ? { gridColumn: agents.indexOf(step.agent ?? '') + 1 } : undefined}
          >
            <Step step={step} hasAgents={agents.length > 1} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function laneName(agent: string): string {
  return agent === '' ? 'the agent itself' : `sub agent ${visible(agent)}`;
}

function Step({ step, hasAgents }: { step: StepRow; hasAgents: boolean }) {
  const { order, role, agent, summary, started_at, ended_at, events, left_out } = step;
  const took = between(started_at, ended_at);
  return (
    <>
      <h3>
        Step {order + 1}
        {role === null ? '' : `: ${role}`}
      </h3>
      <p class="muted">
        {hasAgents || agent !== null ? `${laneName(agent ?? '')} · ` : ''}
        <Time at={started_at} />
        {took === null ? '' : ` · ${took}`}
      </p>
      {summary === '' ? null : <p class="said">{visible(summary)}</p>}
      {left_out === 0 ? null : <p class="muted">{plural(left_out, 'event')} that went well are left out.</p>}
      {events.length === 0 ? null : (
        <Fold
          items={events}
          noun="events"
          class="events"
          keyOf={(event) =>
            event.kind === 'tool'
              ? event.tool_id
              : event.kind === 'error'
                ? event.error_id
                : event.checkpoint_id
          }
          row={(event) => <Event event={event} />}
        />
      )}
    </>
  );
}

function Event({ event }: { event: EventRow }) {
  if (event.kind === 'checkpoint')
    return (
      <p>
        <span class="state">checkpoint</span> <code>{visible(event.checkpoint_file)}</code>
      </p>
    );
  if (event.kind === 'tool') return <Tool event={event} />;
  const { error_id, error_type, message, tests, resolved_by, later } = event;
  return (
    <div class="error">
      <p>
        <span class="state failed">error</span> <span class="kind">{error_type.replaceAll('_', ' ')}</span>{' '}
        <Link to={href('error', [error_id])} class="said">
          {visible(message)}
        </Link>
      </p>
      {tests.length === 0 ? null : (
        <Fold
          items={tests}
          noun="tests"
          keyOf={(name) => name}
          row={(name) => visible(name)}
          most={5}
          class="lines"
        />
      )}
      {resolved_by ? (
        <Fix fix={resolved_by} />
      ) : (
        <p class="muted">{later ? visible(later) : 'Nothing fixed it yet.'}</p>
      )}
    </div>
  );
}

function Tool({ event }: { event: Extract<EventRow, { kind: 'tool' }> }) {
  const { tool_name, command, file, added, removed, duration_ms, success, files, symbols, said, edit } =
    event;
  const outcome = success === null ? 'open' : success ? 'ok' : 'failed';
  const others = files.filter((path) => path !== file);
  return (
    <div class="tool">
      <p>
        <span class={`state ${outcome}`}>{outcome}</span> <strong>{visible(tool_name)}</strong>{' '}
        {command === null ? null : <code>{visible(command)}</code>}{' '}
        {file === null ? null : <PlaceLink path={file} />}{' '}
        <span class="muted">
          {added === null ? '' : `+${added} −${removed ?? 0} `}
          {duration_ms === null ? '' : tookText(duration_ms)}
        </span>
      </p>
      {said === '' ? null : <p class="said">{visible(said)}</p>}
      {edit ? <Diff removed={edit.removed} now={edit.now} /> : null}
      {edit && edit.left_out > 0 ? (
        <p class="muted">{plural(edit.left_out, 'more line')} are not shown.</p>
      ) : null}
      {others.length + symbols.length === 0 ? null : (
        <details>
          <summary>touched {counts([files.length, 'file'], [symbols.length, 'symbol'])}</summary>
          <ul class="lines">
            {others.map((path) => (
              <li key={path}>
                <PlaceLink path={path} />
              </li>
            ))}
            {symbols.map((id) => (
              <li key={id}>
                <IdLink id={id} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
