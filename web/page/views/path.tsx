import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Answer, ExplainAnswer, ExplainEdge } from '../answers.js';
import { Cuts, Empty, Fold, IdLink, NodeLine, PartOf, PlaceLink, Section, Sure, Title } from '../parts.js';
import { go, href, type Place } from '../router.js';
import { pathInId, visible } from '../words.js';

/** How one symbol leads to another: a card for each step, or where the way stops and why. */
export function PathView({ answer, place }: { answer: Answer; place: Place }) {
  const [from = '', to = ''] = place.names;
  return (
    <>
      <Title above="Path">
        {from !== '' && to !== '' ? (
          <>
            <span class="name">{visible(from)}</span> to <span class="name">{visible(to)}</span>
          </>
        ) : (
          'Find a way'
        )}
      </Title>
      <Ends from={from} to={to} key={place.path} />
      {from === '' || to === '' ? (
        <Empty>Name both ends: by name, by id, or as path:line.</Empty>
      ) : (
        <PartOf<ExplainAnswer> part={answer.parts.path}>{(body) => <Way body={body} />}</PartOf>
      )}
    </>
  );
}

function Ends({ from, to }: { from: string; to: string }) {
  const id = useId();
  const ends = useSignal({ from, to });
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault();
        go(href('path', [ends.value.from, ends.value.to]));
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <div key={end}>
          <label for={`${id}-${end}`}>{end === 'from' ? 'From' : 'To'}</label>
          <input
            id={`${id}-${end}`}
            type="text"
            required
            spellcheck={false}
            value={ends.value[end]}
            onInput={({ currentTarget }) => {
              ends.value = { ...ends.value, [end]: currentTarget.value };
            }}
          />
        </div>
      ))}
      <button type="submit">Find the way</button>
    </form>
  );
}

function Way({ body }: { body: ExplainAnswer }) {
  const { from, to, edges, candidates, reverse, path, why_not, summary } = body;
  return (
    <>
      <p class="lead">{visible(summary)}</p>
      {path === null ? null : (
        <Section title="The shortest way" count={path.length}>
          <ol class="hops">
            {path.map((step) => (
              <li key={`${step.from} ${step.to}`} class="card">
                <IdLink id={step.from} />
                <p class="muted">
                  {step.kind.toLowerCase().replaceAll('_', ' ')}
                  {pathInId(step.from) === null || step.line === 0 ? null : (
                    <>
                      {' '}
                      at <PlaceLink path={pathInId(step.from) ?? ''} line={step.line} />
                    </>
                  )}
                </p>
                <IdLink id={step.to} />
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Edges title="Direct" edges={edges} />
      {why_not.length === 0 ? null : (
        <Section title={path === null ? 'Where the way stops' : 'Why there is no direct edge'}>
          <ul class="list">
            {why_not.map((line) => (
              <li key={line}>{visible(line)}</li>
            ))}
          </ul>
        </Section>
      )}
      <Edges title="Candidates, no facts" edges={candidates} isCandidate />
      <Edges title="The other way round" edges={reverse} />
      {from.length > 1 || to.length > 1 ? (
        <Section title="What the names may mean">
          <Fold
            items={[...from, ...to]}
            noun="symbols"
            keyOf={({ id }, at) => `${id} ${at}`}
            row={(node) => <NodeLine node={{ ...node, name: node.qualified_name }} />}
          />
        </Section>
      ) : null}
      <Cuts of={body} />
    </>
  );
}

function Edges({
  title,
  edges,
  isCandidate = false,
}: {
  title: string;
  edges: readonly ExplainEdge[];
  isCandidate?: boolean;
}) {
  if (edges.length === 0) return null;
  return (
    <Section title={title} count={edges.length}>
      <Fold
        items={edges}
        noun="edges"
        class="cards"
        keyOf={({ kind, from, to }) => `${from} ${kind} ${to}`}
        row={({ kind, from, to, resolution, places }) => (
          <>
            <p>
              <IdLink id={from} /> <span class="kind">{kind.toLowerCase().replaceAll('_', ' ')}</span>{' '}
              <IdLink id={to} /> {isCandidate ? <Sure certainty="candidate" /> : null}{' '}
              {resolution === null ? null : <span class="muted">found by {resolution}</span>}
            </p>
            <ul class="lines">
              {places.map(({ path, line, text, expression }) => (
                <li key={line}>
                  {path === null ? line : <PlaceLink path={path} line={line} />}{' '}
                  <code>{visible((text ?? expression).trim())}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      />
    </Section>
  );
}
