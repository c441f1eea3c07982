import type { Answer, ErrorRow, ErrorsAnswer, ImpactAnswer } from '../answers.js';
import { Fix } from '../diff.js';
import { Filter } from '../filter.js';
import {
  Cuts,
  Empty,
  Fold,
  Link,
  NodeLine,
  PartOf,
  PlaceLink,
  Section,
  Status,
  TaskLink,
  Time,
  Title,
} from '../parts.js';
import { href, type Place } from '../router.js';
import { plural, visible } from '../words.js';

const TYPES = ['test_failure', 'compile_error', 'tool_error', 'runtime_error'];

/** What failed in the project, each failure once. */
export function ErrorsView({ answer, place: { query } }: { answer: Answer; place: Place }) {
  return (
    <>
      <Title>Errors</Title>
      <Filter view="errors" query={query} fields={[{ name: 'type', label: 'Kind', options: TYPES }]} />
      <PartOf<ErrorsAnswer> part={answer.parts.errors}>
        {(body) => (
          <>
            <ErrorList
              errors={body.errors}
              total={body.total}
              isFiltered={(query.get('type') ?? '') !== ''}
            />
            <Cuts of={body} />
          </>
        )}
      </PartOf>
    </>
  );
}

/** Errors as a list, the most frequent first. */
export function ErrorList({
  errors,
  total,
  isFiltered = false,
}: {
  errors: readonly ErrorRow[];
  total: number;
  isFiltered?: boolean;
}) {
  if (errors.length === 0)
    return isFiltered ? (
      <Empty>No error of this kind is recorded.</Empty>
    ) : (
      <Empty>
        No error is recorded in this project yet. After <code>codewalk install claude</code> what fails while
        an agent works appears by itself, with what fixed it.
      </Empty>
    );
  return (
    <Fold
      items={errors}
      total={total}
      noun="errors"
      class="cards"
      most={50}
      keyOf={({ error_id, fingerprint }) => fingerprint ?? error_id}
      row={(error) => (
        <>
          <p class="lead said">
            <Link to={errorHref(error)}>{visible(error.message)}</Link>
          </p>
          <p class="muted">
            <span class="kind">{error.error_type.replaceAll('_', ' ')}</span> {plural(error.count, 'time')},
            last <Time at={error.last_at} /> ·{' '}
            {cameBack(error) ? (
              <span class="state failed">fixed before, came back</span>
            ) : error.resolved_by.length > 0 ? (
              <span class="state success">fixed</span>
            ) : error.later ? (
              visible(error.later)
            ) : (
              <span class="state failed">nothing fixed it yet</span>
            )}
          </p>
        </>
      )}
    />
  );
}

/** Whether the newest task that met a failure has not fixed it, though an earlier one had. */
function cameBack({ resolved_by, tasks: [newest] }: ErrorRow): boolean {
  return resolved_by.length > 0 && !resolved_by.some(({ task_id }) => task_id === newest?.task_id);
}

function errorHref({ fingerprint, error_id }: ErrorRow): string {
  return href('error', [fingerprint ?? error_id]);
}

/** One failure: how often, when and where it was met, and what made it go away. */
export function ErrorView({ answer: { parts }, place }: { answer: Answer; place: Place }) {
  const impact = parts.impact && 'body' in parts.impact ? (parts.impact.body as ImpactAnswer) : null;
  const prompts = new Map(impact?.tasks.map(({ task_id, prompt }) => [task_id, prompt]));
  return (
    <PartOf<ErrorsAnswer> part={parts.error}>
      {({ errors: [error] }) =>
        error === undefined ? (
          <>
            <Title>Not recorded</Title>
            <Empty>
              No error <code>{visible(place.names.join('/'))}</code> is recorded here.{' '}
              <Link to={href('errors')}>Errors</Link> lists those that are.
            </Empty>
          </>
        ) : (
          <>
            <Title above={<Link to={href('errors')}>Errors</Link>}>
              {visible(error.message.split('\n', 1)[0] ?? '')}
            </Title>
            <p class="muted">
              <span class="kind">{error.error_type.replaceAll('_', ' ')}</span> {plural(error.count, 'time')},
              first <Time at={error.first_at} />, last <Time at={error.last_at} />
            </p>
            {error.message.includes('\n') ? <pre class="said scrolls">{visible(error.message)}</pre> : null}
            <div class="rail">
              <Section title="What made it go away" count={error.resolved_by.length} class="wide">
                {error.resolved_by.length === 0 ? (
                  <Empty>
                    {error.later ? visible(error.later) : 'Nothing fixed it yet that was recorded.'}
                  </Empty>
                ) : null}
                {error.resolved_by.map((fix) => (
                  <Fix key={fix.step_id ?? fix.task_id ?? ''} fix={fix} />
                ))}
              </Section>
              <Section title="Tasks" count={error.tasks.length}>
                {error.tasks.length === 0 ? <Empty>No task met it.</Empty> : null}
                <Fold
                  items={error.tasks}
                  noun="tasks"
                  keyOf={({ task_id }) => task_id}
                  row={({ task_id, status }) => (
                    <>
                      <TaskLink id={task_id} prompt={prompts.get(task_id)} /> <Status status={status} />
                    </>
                  )}
                />
              </Section>
              <Section title="Failing tests" count={error.tests.length}>
                {error.tests.length === 0 ? <Empty>No test reported it.</Empty> : null}
                <Fold items={error.tests} noun="tests" keyOf={(name) => name} row={(name) => visible(name)} />
              </Section>
              <PartOf<ImpactAnswer> part={parts.impact}>{(impact) => <Impact impact={impact} />}</PartOf>
            </div>
          </>
        )
      }
    </PartOf>
  );
}

function Impact({ impact: { files, symbols, callers } }: { impact: ImpactAnswer }) {
  return (
    <>
      <Section title="Files of these tasks" count={files.length}>
        {files.length === 0 ? <Empty>No file was touched.</Empty> : null}
        <Fold
          items={files}
          noun="files"
          keyOf={({ path }) => path}
          row={({ path, use, there }) => (
            <>
              {there ? <PlaceLink path={path} /> : visible(path)}{' '}
              <span class="muted">{use === 'write' ? 'changed' : (use ?? 'touched')}</span>
            </>
          )}
        />
      </Section>
      <Section title="Code that was worked on" count={symbols.length}>
        {symbols.length === 0 ? <Empty>No symbol is known to have been worked on.</Empty> : null}
        <Fold
          items={symbols}
          noun="symbols"
          keyOf={({ id }) => id}
          row={(node) => <NodeLine node={node} />}
        />
      </Section>
      {callers.length === 0 ? null : (
        <Section title="Who calls it" count={callers.length}>
          <Fold
            items={callers}
            noun="callers"
            keyOf={({ id }) => id}
            row={(node) => <NodeLine node={node} />}
          />
        </Section>
      )}
    </>
  );
}
