import type { ComponentChildren } from 'preact';
import type { Answer, HealthAnswer, StatsAnswer, StatusAnswer } from '../answers.js';
import { Cuts, Empty, Fold, PartOf, Path, PlaceLink, Scrolls, Section, Time, Title } from '../parts.js';
import { bytesText, plural, visible } from '../words.js';

/** How well the project is known: languages, what could not be resolved or read, how old the index is. */
export function HealthView({ answer: { parts } }: { answer: Answer }) {
  return (
    <>
      <Title>Health</Title>
      <div class="rail">
        <PartOf<StatsAnswer> part={parts.stats} titles={['Index']}>
          {(stats) => (
            <PartOf<HealthAnswer> part={parts.health} titles={['Index']}>
              {(health) => <Index stats={stats} health={health} />}
            </PartOf>
          )}
        </PartOf>
        <PartOf<StatusAnswer> part={parts.status} titles={['On this machine']}>
          {(status) => <Machine status={status} />}
        </PartOf>
        <PartOf<HealthAnswer> part={parts.health} titles={['Languages']}>
          {(health) => <Known health={health} />}
        </PartOf>
      </div>
    </>
  );
}

/** Names with what is said of each. */
function Facts({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="fields">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const numbered = (count: number) => count.toLocaleString('en');

function Index({ stats, health }: { stats: StatsAnswer; health: HealthAnswer }) {
  const files = stats.languages.reduce((sum, language) => sum + language.files, 0);
  const symbols = stats.languages.reduce((sum, language) => sum + language.symbols, 0);
  return (
    <Section title="Index">
      {health.complete ? null : (
        <Empty>A run did not finish: edges are missing. The next one completes it.</Empty>
      )}
      {files === 0 ? (
        <Empty>
          No file is in the graph. <code>codewalk index</code> reads the project.
        </Empty>
      ) : null}
      <Facts
        rows={[
          ['last run', <Time key="at" at={health.indexed_at} />],
          ['files', numbered(files)],
          ['symbols', numbered(symbols)],
          ['nodes', numbered(stats.nodes)],
          ['edges', numbered(stats.edges)],
          ['calls of packages', numbered(stats.package_calls)],
          ['calls of nothing known', numbered(stats.unresolved_calls)],
        ]}
      />
    </Section>
  );
}

function Machine({ status }: { status: StatusAnswer }) {
  const { home, bytes, daemon, journal, hooks, paused, project } = status;
  return (
    <Section title="On this machine">
      {paused || project?.paused ? (
        <Empty>
          Nothing is recorded now: <code>codewalk resume</code> goes on.
        </Empty>
      ) : null}
      <Facts
        rows={[
          ['stored in', <Path key="home" path={home} />],
          ['all projects', bytesText(bytes)],
          ...(project
            ? ([['this project', bytesText(project.bytes.derived + project.bytes.durable)]] as const)
            : []),
          ...(daemon
            ? ([
                [
                  'daemon',
                  `version ${daemon.version}, process ${daemon.pid}, ${bytesText(daemon.memory_bytes)}`,
                ],
                ['runs since', <Time key="since" at={daemon.started} />],
              ] as const)
            : ([['daemon', 'does not run']] as const)),
          ['reports of agents that wait', numbered(journal.pending)],
          ...Object.entries(hooks).map(
            ([client, { answered, silent, late, failed }]) =>
              [
                `hooks of ${visible(client)}`,
                `${numbered(answered)} answered, ${numbered(silent)} with nothing to say, ${numbered(late)} too late, ${numbered(failed)} failed`,
              ] as const,
          ),
          ...(project?.not_watched
            ? ([['files', `are not watched: ${visible(project.not_watched)}`]] as const)
            : []),
        ]}
      />
    </Section>
  );
}

function Known({ health }: { health: HealthAnswer }) {
  const { languages, unresolved, syntax_errors, syntax_errors_total, not_extracted, not_extracted_total } =
    health;
  const { skipped, masked } = health;
  return (
    <>
      <Section title="Languages" count={languages.length} class="wide">
        <Scrolls label="Languages">
          <table>
            <thead>
              <tr>
                {['Language', 'Files', 'With symbols', 'Tier', 'What that means'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {languages.map(({ language, files, extracted, tier, means }) => (
                <tr key={language}>
                  <th scope="row">{visible(language)}</th>
                  <td>{numbered(files)}</td>
                  <td>{numbered(extracted)}</td>
                  <td>{tier}</td>
                  <td>{means}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      </Section>
      <Section
        title="Unresolved calls, by cause"
        count={unresolved.reduce((sum, { calls }) => sum + calls, 0)}
        class="wide"
      >
        {unresolved.length === 0 ? <Empty>Every call leads somewhere.</Empty> : null}
        <Fold
          items={unresolved}
          noun="causes"
          keyOf={({ cause }) => cause}
          row={({ cause, calls, names }) => (
            <>
              {visible(cause)}: {numbered(calls)}
              {names.length === 0 ? null : (
                <p class="muted">
                  mostly{' '}
                  {names.map(({ name, calls: times }, at) => (
                    <span key={name}>
                      {at > 0 ? ', ' : ''}
                      <code>{visible(name)}</code> {numbered(times)}
                    </span>
                  ))}
                </p>
              )}
            </>
          )}
        />
      </Section>
      <Section title="Files with syntax errors" count={syntax_errors_total}>
        {syntax_errors.length === 0 ? <Empty>None.</Empty> : null}
        <Fold
          items={syntax_errors}
          total={syntax_errors_total}
          noun="files"
          keyOf={({ path }) => path}
          row={({ path, lines: [line] }) => <PlaceLink path={path} line={line} />}
        />
      </Section>
      <Section title="Files without their symbols" count={not_extracted_total}>
        {not_extracted.length === 0 ? <Empty>None.</Empty> : null}
        <Fold
          items={not_extracted}
          total={not_extracted_total}
          noun="files"
          keyOf={({ path }) => path}
          row={({ path, reason }) => (
            <>
              <PlaceLink path={path} /> <span class="muted">{visible(reason)}</span>
            </>
          )}
        />
      </Section>
      <Section title="Left out" count={skipped.reduce((sum, { count }) => sum + count, 0)}>
        {skipped.length === 0 ? <Empty>Nothing.</Empty> : null}
        <Fold
          items={skipped}
          noun="reasons"
          keyOf={({ reason }) => reason}
          row={({ reason, means, count }) => (
            <>
              {reason}: {numbered(count)}
              <p class="muted">{means}</p>
            </>
          )}
        />
      </Section>
      <Section title="Secrets that were masked" count={masked.reduce((sum, { times }) => sum + times, 0)}>
        {masked.length === 0 ? <Empty>None was met in what agents did and saved.</Empty> : null}
        <Fold
          items={masked}
          noun="kinds"
          keyOf={({ kind }) => kind}
          row={({ kind, times }) => (
            <>
              {visible(kind)}: {plural(times, 'time')}
            </>
          )}
        />
      </Section>
      <Cuts of={health} />
    </>
  );
}
