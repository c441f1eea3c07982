import type { Answer, StatsAnswer } from '../answers.js';
import { Empty, Fold, PartOf, PlaceLink, Scrolls, Section, Title } from '../parts.js';
import { Value } from '../value.js';
import { visible } from '../words.js';

/** How well the project is known: languages, what could not be resolved or read, how old the index is. */
export function HealthView({ answer: { parts } }: { answer: Answer }) {
  return (
    <>
      <Title>Health</Title>
      <div class="rail">
        <PartOf<StatsAnswer> part={parts.stats}>{(stats) => <Stats stats={stats} />}</PartOf>
        <PartOf<Readonly<Record<string, unknown>>> part={parts.health}>
          {({ state: _, ...health }) => (
            <>
              {Object.entries(health).map(([name, value]) => (
                <Named key={name} name={name} value={value} />
              ))}
            </>
          )}
        </PartOf>
        <PartOf<Readonly<Record<string, unknown>>> part={parts.status}>
          {(status) => (
            <>
              {Object.entries(status).map(([name, value]) => (
                <Named key={name} name={name} value={value} />
              ))}
            </>
          )}
        </PartOf>
      </div>
    </>
  );
}

/** A part of an answer under its own name. */
function Named({ name, value }: { name: string; value: unknown }) {
  const title = name.replaceAll('_', ' ');
  return (
    <Section title={visible(title[0]?.toUpperCase() + title.slice(1))}>
      <Value value={value} />
    </Section>
  );
}

function Stats({ stats }: { stats: StatsAnswer }) {
  const { nodes, edges, languages, package_calls, unresolved_calls, syntax_errors, complete, generation } =
    stats;
  return (
    <>
      <Section title="The graph">
        {complete ? null : (
          <Empty>An index run did not finish: edges are missing. The next one completes it.</Empty>
        )}
        <Value
          value={{
            nodes,
            edges,
            'index runs': generation,
            'calls of packages': package_calls,
            'calls of nothing known': unresolved_calls,
          }}
        />
      </Section>
      <Section title="Languages" count={languages.length}>
        {languages.length === 0 ? (
          <Empty>
            No file is in the graph. <code>codewalk index</code> reads the project.
          </Empty>
        ) : (
          <Scrolls label="Languages">
            <table>
              <thead>
                <tr>
                  {['Language', 'Files', 'Read in full', 'As text only', 'Symbols'].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {languages.map(({ language, files, extracted, not_extracted, symbols }) => (
                  <tr key={language}>
                    <th scope="row">{visible(language)}</th>
                    <td>{files}</td>
                    <td>{extracted}</td>
                    <td>{not_extracted}</td>
                    <td>{symbols}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
        )}
      </Section>
      <Section title="Files with syntax errors" count={syntax_errors.length}>
        {syntax_errors.length === 0 ? <Empty>None.</Empty> : null}
        <Fold
          items={syntax_errors}
          noun="files"
          keyOf={(path) => path}
          row={(path) => <PlaceLink path={path} />}
        />
      </Section>
    </>
  );
}
