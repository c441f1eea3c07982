import type { Answer, CodeAnswer } from '../answers.js';
import { HistoryParts } from '../history.js';
import { Empty, Fold, Link, PartOf, PlaceLink, Section, SymbolLink, Title } from '../parts.js';
import { href, type Place } from '../router.js';
import { Callees, Source } from '../source.js';
import { isWide } from '../wide.js';
import { kindWord, plural, visible } from '../words.js';

/** A file: its source with its symbols, who imports it, what changes with it, what happened to it. */
export function FileView({ answer, place }: { answer: Answer; place: Place }) {
  return (
    <PartOf<CodeAnswer> part={answer.parts.code}>
      {(code) => <FileBody code={code} answer={answer} place={place} />}
    </PartOf>
  );
}

/** A file, wherever it was asked for. */
export function FileBody({ code, answer, place }: { code: CodeAnswer; answer: Answer; place: Place }) {
  const { node, source, symbols, symbols_total } = code;
  const path = source.path ?? node.path ?? node.name;
  const line = Number(place.query.get('line') ?? Number.NaN);
  return (
    <article class="file">
      <Title above={<Folders path={path} />}>
        <span class="name">{visible(path)}</span>
      </Title>
      <p class="muted">
        {node.language === null ? '' : `${node.language} · `}
        {plural(source.total_lines, 'line')} · {plural(symbols_total, 'symbol')}
      </p>
      <div class="three">
        <div class="left">
          <Section title="Symbols" count={symbols_total} class="outline">
            {symbols.length === 0 ? (
              <Empty>
                No symbol of it is in the graph: its language is read as text only, or it defines none.
              </Empty>
            ) : null}
            <Fold
              items={symbols}
              total={symbols_total}
              noun="symbols"
              keyOf={({ id }) => id}
              most={40}
              row={({ id, name, kind, start_line, depth, callers, tests }) => (
                <div class={`depth-${Math.min(depth, 4)}`}>
                  <SymbolLink id={id} name={name} /> <span class="kind">{kindWord(kind)}</span>{' '}
                  <span class="muted">
                    :{start_line}
                    {callers === 0 ? '' : ` · ${plural(callers, 'caller')}`}
                    {tests === 0 ? '' : ` · ${plural(tests, 'test')}`}
                  </span>
                </div>
              )}
              missing="Those of other lines are listed with these lines."
            />
          </Section>
          <div class="history">
            <HistoryParts part={answer.parts.history} what={path} />
          </div>
        </div>
        <div class="middle">
          <Section title="Source">
            <Source code={code} line={Number.isNaN(line) ? undefined : line} />
          </Section>
          <div class="rail">
            <Paths
              title="Imported by"
              rows={code.importers}
              total={code.totals?.importers ?? code.importers.length}
              empty="No file of the project imports it."
            />
            <Imports rows={code.imports} total={code.totals?.imports ?? code.imports.length} />
            <ChangesWith rows={code.changes_with ?? []} />
          </div>
        </div>
        <Callees code={code} isWide={isWide.value} />
      </div>
    </article>
  );
}

function Folders({ path }: { path: string }) {
  const folders = path.split('/').slice(0, -1);
  return (
    <>
      <Link to={href('map')}>map</Link>
      {folders.map((name, at) => {
        const to = folders.slice(0, at + 1);
        return (
          <span key={to.join('/')}>
            {' / '}
            <Link to={href('map', to)}>{visible(name)}</Link>
          </span>
        );
      })}
    </>
  );
}

function Paths({
  title,
  rows,
  total,
  empty,
}: {
  title: string;
  rows: CodeAnswer['importers'];
  total: number;
  empty: string;
}) {
  return (
    <Section title={title} count={total}>
      {rows.length === 0 ? <Empty>{empty}</Empty> : null}
      <Fold
        items={rows}
        total={total}
        noun="files"
        keyOf={({ path, line }) => `${path}:${line}`}
        row={({ path, line }) => <PlaceLink path={path} line={line} />}
        most={12}
      />
    </Section>
  );
}

function Imports({ rows, total }: { rows: CodeAnswer['imports']; total: number }) {
  return (
    <Section title="Imports" count={total}>
      {rows.length === 0 ? <Empty>It imports nothing.</Empty> : null}
      <Fold
        items={rows}
        total={total}
        noun="imports"
        keyOf={({ path, package: name, line }, at) => `${path ?? name}:${line}:${at}`}
        row={({ path, package: name, line }) =>
          path ? (
            <PlaceLink path={path} />
          ) : (
            <>
              {visible(name ?? '')} <span class="kind">package</span>
              {line === null ? '' : ` line ${line}`}
            </>
          )
        }
        most={12}
      />
    </Section>
  );
}

function ChangesWith({ rows }: { rows: NonNullable<CodeAnswer['changes_with']> }) {
  return (
    <Section title="Changes with" count={rows.length}>
      {rows.length === 0 ? <Empty>The git history shows no file that changes together with it.</Empty> : null}
      <Fold
        items={rows}
        noun="files"
        keyOf={({ path }) => path}
        row={({ path, commits, weight }) => (
          <>
            <PlaceLink path={path} />{' '}
            <span class="muted">
              {commits === undefined ? `weight ${weight ?? ''}` : plural(commits, 'commit')}
            </span>
          </>
        )}
        most={10}
      />
    </Section>
  );
}
