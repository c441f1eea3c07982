import type { Answer, ErrorsAnswer, MemoriesAnswer, StatsAnswer, TasksAnswer } from '../answers.js';
import { Empty, Link, PartOf, Section, Title } from '../parts.js';
import { href } from '../router.js';
import { project } from '../session.js';
import { plural, visible } from '../words.js';
import { ErrorList } from './errors.js';
import { MemoryList } from './memories.js';
import { TaskList } from './tasks.js';

/** Where a reader begins: what there is, and what happened last. */
export function StartView({ answer: { parts } }: { answer: Answer }) {
  return (
    <>
      <Title>{visible(project.value?.name ?? 'This project')}</Title>
      <PartOf<StatsAnswer> part={parts.stats}>{(stats) => <Overview stats={stats} />}</PartOf>
      <div class="rail">
        <Section title="Last tasks">
          <PartOf<TasksAnswer> part={parts.tasks}>
            {({ tasks, total }) => (
              <>
                <TaskList tasks={tasks} total={tasks.length} />
                {total > tasks.length ? <Link to={href('tasks')}>All {plural(total, 'task')}</Link> : null}
              </>
            )}
          </PartOf>
        </Section>
        <Section title="Errors">
          <PartOf<ErrorsAnswer> part={parts.errors}>
            {({ errors, total }) => (
              <>
                <ErrorList errors={errors} total={errors.length} />
                {total > errors.length ? <Link to={href('errors')}>All {plural(total, 'error')}</Link> : null}
              </>
            )}
          </PartOf>
        </Section>
        <Section title="Memories">
          <PartOf<MemoriesAnswer> part={parts.memories}>
            {(body) => (
              <>
                <MemoryList body={{ ...body, has_more: false }} />
                {body.has_more ? <Link to={href('memories')}>All memories</Link> : null}
              </>
            )}
          </PartOf>
        </Section>
      </div>
    </>
  );
}

function Overview({ stats }: { stats: StatsAnswer }) {
  const sum = (field: 'files' | 'symbols') =>
    stats.languages.reduce((all, language) => all + language[field], 0);
  if (sum('files') === 0)
    return (
      <Empty>
        Nothing is in the graph yet. <code>codewalk index</code> reads the project; then this page shows it by
        itself.
      </Empty>
    );
  return (
    <>
      <p class="lead">
        {plural(sum('files'), 'file')} with {plural(sum('symbols'), 'symbol')} in{' '}
        {plural(stats.languages.filter(({ symbols }) => symbols > 0).length, 'language')}. Search for a name
        above, or look at the <Link to={href('map')}>map</Link>.
      </p>
      {stats.complete ? null : <p class="hint">The index is not finished: some edges are missing still.</p>}
    </>
  );
}
