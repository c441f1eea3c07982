import type { Answer, SearchAnswer } from '../answers.js';
import { Cuts, Empty, Fold, Link, PartOf, PlaceLink, SymbolLink, Title } from '../parts.js';
import { fileHref, type Place } from '../router.js';
import { kindWord, visible } from '../words.js';

/** Files and symbols that words are about. */
export function SearchView({ answer, place }: { answer: Answer; place: Place }) {
  const words = place.names.join('/');
  return (
    <>
      <Title above="Search">{words === '' ? 'Search' : visible(words)}</Title>
      {words === '' ? (
        <Empty>Type what you look for into the box above: a name, an issue, a stack trace.</Empty>
      ) : null}
      <PartOf<SearchAnswer> part={answer.parts.search}>
        {(body) => (
          <>
            {body.notes.map((note) => (
              <p key={note} class="hint">
                {visible(note)}
              </p>
            ))}
            {body.hits.length === 0 ? (
              <Empty>Nothing in the graph fits. Use a part of the name, or other words for it.</Empty>
            ) : null}
            <Fold
              items={body.hits}
              noun="hits"
              class="cards"
              most={20}
              keyOf={({ id }) => id}
              row={({ id, kind, qualified_name, file, lines, signature, summary, why = [] }) => {
                const line = Number(lines.split('-', 1)[0]);
                return (
                  <>
                    <p class="lead">
                      {kind === 'file' ? (
                        <Link to={fileHref(file)}>{visible(file)}</Link>
                      ) : (
                        <SymbolLink id={id} name={qualified_name} />
                      )}{' '}
                      <span class="kind">{kindWord(kind)}</span>
                    </p>
                    {signature ? <code class="clamp">{visible(signature)}</code> : null}
                    {summary ? <p>{visible(summary)}</p> : null}
                    <p class="muted">
                      {kind === 'file' ? null : <PlaceLink path={file} line={line} />}{' '}
                      {visible(why.join('; '))}
                    </p>
                  </>
                );
              }}
            />
            <Cuts of={body} />
          </>
        )}
      </PartOf>
    </>
  );
}
