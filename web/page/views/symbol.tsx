import type {
  Answer,
  CallersAnswer,
  CodeAnswer,
  HistoryAnswer,
  NodeRow,
  Part,
  ReferencesAnswer,
  TestsAnswer,
} from '../answers.js';
import { HistoryParts } from '../history.js';
import {
  Contents,
  Cuts,
  distinctKeys,
  Empty,
  Fold,
  Link,
  NodeLine,
  PartOf,
  PlaceLink,
  Section,
  Sure,
  SymbolLink,
  Title,
} from '../parts.js';
import { fileHref, href, type Place, symbolHref } from '../router.js';
import { Callees, Source, totalsOf } from '../source.js';
import { isWide } from '../wide.js';
import { kindWord, nameInId, plural, visible } from '../words.js';
import { FileBody } from './file.js';

/** A symbol: who calls it, its source, what it calls, and what is known of it. */
export function SymbolView({ answer, place }: { answer: Answer; place: Place }) {
  return (
    <PartOf<CodeAnswer> part={answer.parts.code}>
      {(code) =>
        code.node.id.startsWith('file:') ? (
          <FileBody code={code} answer={answer} place={place} />
        ) : (
          <SymbolBody code={code} answer={answer} />
        )
      }
    </PartOf>
  );
}

function SymbolBody({ code, answer: { parts } }: { code: CodeAnswer; answer: Answer }) {
  const { node, others, totals = {} } = code;
  return (
    <article class="symbol">
      <Title above={<Where code={code} />}>
        <span class="name">{visible(nameInId(node.id))}</span>
      </Title>
      {node.signature ? <pre class="signature scrolls">{visible(node.signature)}</pre> : null}
      {node.docstring ? <p class="docstring">{visible(node.docstring)}</p> : null}
      <Contents parts={contentsOf(code, parts)} />
      <Others nodes={others} total={totals.others ?? others.length} />
      <div class="three">
        <div class="left">
          <Callers part={parts.callers} id={node.id} />
          <div class="history">
            <HistoryParts part={parts.history} what={node.name} />
          </div>
        </div>
        <div class="middle">
          <Section title="Source">
            <Source code={code} />
          </Section>
          <div class="rail">
            <Tests part={parts.tests} />
            <References part={parts.references} id={node.id} />
            <Relatives code={code} />
          </div>
        </div>
        <Callees code={code} isWide={isWide.value} />
      </div>
    </article>
  );
}

function contentsOf(code: CodeAnswer, { callers, tests, references, history }: Answer['parts']) {
  const body = <T,>(part: Part<unknown> | undefined) =>
    part && 'body' in part ? (part.body as T) : undefined;
  const past = body<HistoryAnswer>(history);
  return [
    ['Callers', body<CallersAnswer>(callers)?.metadata.total_count],
    ['Callees', totalsOf(code).calls],
    ['Tests', body<TestsAnswer>(tests)?.metadata.total_count],
    ['References', body<ReferencesAnswer>(references)?.metadata.total_count],
    ['Memories', past?.memories_total],
    ['Past failures', past?.failures_total],
    ['Tasks', past?.tasks_total],
  ] as const;
}

function Where({ code: { node } }: { code: CodeAnswer }) {
  const { kind, qualified_name, path, start_line, end_line, language } = node;
  return (
    <>
      <span class="kind">{kindWord(kind)}</span>{' '}
      {path === null ? (
        'outside the project'
      ) : (
        <>
          in <PlaceLink path={path} line={start_line} />
          {end_line > start_line ? `–${end_line}` : ''}
        </>
      )}
      {language === null ? '' : ` · ${language}`} · <code>{visible(qualified_name)}</code> ·{' '}
      <Link to={href('path', [node.id])}>way to another symbol</Link>
    </>
  );
}

function Others({ nodes, total }: { nodes: CodeAnswer['others']; total: number }) {
  if (nodes.length === 0) return null;
  return (
    <aside class="others" aria-label="Others of this name">
      <p>{plural(total, 'other has', 'others have')} this name, too:</p>
      <Fold
        items={nodes}
        total={total}
        noun="of this name"
        keyOf={({ id }) => id}
        row={(node) => <NodeLine node={{ ...node, name: node.qualified_name }} />}
        most={5}
      />
    </aside>
  );
}

function Callers({ part, id }: { part: Answer['parts'][string] | undefined; id: string }) {
  return (
    <PartOf<CallersAnswer> part={part} titles={['Callers']}>
      {(body) => {
        const { callers, tests = [], may_call = [] } = body.results;
        const total = body.metadata.total_count;
        // The answer lists callers in tests last, and folds them by file: where there are some, all others are listed.
        const inTests = tests.reduce((sum, { callers }) => sum + callers, 0);
        const own = body.results.callers_total ?? (tests.length > 0 ? callers.length : total);
        const testsLeft = total - own - inTests;
        const maybe = body.state?.unresolved ?? may_call.length;
        return (
          <Section title="Callers" count={total} class="callers">
            {callers.length + tests.length === 0 ? (
              <Empty>
                No caller of it is in the graph.{' '}
                {maybe > 0
                  ? 'There are candidates below.'
                  : 'What frameworks call, or what is found only when the program runs, is not seen.'}
              </Empty>
            ) : null}
            <Fold
              items={callers}
              total={own}
              noun="callers"
              keyOf={(row, at) => row.id ?? at}
              row={(row) => <Caller row={row} />}
              missing={<CommandHint command={`codewalk callers '${id}'`} />}
            />
            {tests.length === 0 && testsLeft <= 0 ? null : (
              <>
                <h3>Called by tests</h3>
                <Fold
                  items={tests}
                  noun="test files"
                  keyOf={({ file_path }) => file_path}
                  row={({ file_path, callers, lines, via }) => (
                    <>
                      <PlaceLink path={file_path} line={lines[0]} />{' '}
                      <span class="muted">{plural(callers, 'caller')}</span>
                      {lines.length < 2 ? null : (
                        <details>
                          <summary>{plural(lines.length, 'line')}</summary>
                          <ul class="lines">
                            {lines.map((line) => (
                              <li key={line}>
                                <Link to={fileHref(file_path, line)}>{line}</Link>
                              </li>
                            ))}
                          </ul>
                        </details>
                      )}
                      {via === undefined ? null : <p class="muted">through {visible(via)}</p>}
                    </>
                  )}
                />
                {testsLeft > 0 ? (
                  <p class="more muted">
                    {testsLeft.toLocaleString('en')} more callers in tests are not listed here.
                  </p>
                ) : null}
              </>
            )}
            {may_call.length === 0 ? null : (
              <>
                <h3>
                  May be calls <span class="count">{maybe}</span>
                </h3>
                <Fold
                  items={may_call}
                  total={maybe}
                  noun="candidates"
                  keyOf={(row, at) => `${row.caller} ${at}`}
                  row={(row) => (
                    <>
                      <SymbolLink id={row.caller} /> <Sure certainty="candidate" />
                      <p class="muted">{visible(row.cause)}</p>
                      <Lines path={row.file_path} calls={row.calls ?? []} />
                    </>
                  )}
                />
              </>
            )}
            <Cuts of={body} />
          </Section>
        );
      }}
    </PartOf>
  );
}

function Caller({ row }: { row: CallersAnswer['results']['callers'][number] }) {
  const {
    id,
    qualified_name,
    name,
    class_name,
    file_path,
    line_start,
    via,
    certainty = 'certain',
    calls = [],
    kind,
  } = row;
  const shown =
    kind === 'module' ? qualified_name : class_name ? `${class_name.split(/[.:/]/u).at(-1)}.${name}` : name;
  return (
    <>
      <SymbolLink id={id ?? qualified_name} name={shown} /> <span class="kind">{kindWord(kind)}</span>{' '}
      <Sure certainty={certainty} />
      {file_path === undefined ? null : (
        <p>
          <PlaceLink path={file_path} line={calls[0]?.line ?? line_start} />
        </p>
      )}
      {via === undefined ? null : <p class="muted">through {visible(via)}</p>}
      <Lines path={file_path} calls={calls} />
    </>
  );
}

/** Lines of calls that are shown unfolded. */
const LINES_SHOWN = 3;

/** The lines of calls as they stand in the file. */
function Lines({
  path,
  calls,
}: {
  path: string | undefined;
  calls: readonly {
    readonly line: number;
    readonly text?: string | undefined;
    readonly via?: string | undefined;
  }[];
}) {
  if (!calls.some(({ text }) => text !== undefined)) return null;
  const keys = distinctKeys(calls, ({ line }) => line);
  const rows = calls.map(({ line, text, via }, at) => (
    <li key={keys[at] ?? at}>
      {path === undefined ? line : <Link to={fileHref(path, line)}>{line}</Link>}{' '}
      {text === undefined ? null : <code>{visible(text)}</code>}{' '}
      {via === undefined ? null : <span class="muted">through {visible(via)}</span>}
    </li>
  ));
  const [first, rest] = [rows.slice(0, LINES_SHOWN), rows.slice(LINES_SHOWN)];
  return (
    <>
      <ul class="lines">{first}</ul>
      {rest.length === 0 ? null : (
        <details>
          <summary>{plural(rest.length, 'more line')}</summary>
          <ul class="lines">{rest}</ul>
        </details>
      )}
    </>
  );
}

/** A command that lists the rest. */
function CommandHint({ command }: { command: string }) {
  return (
    <>
      The command <code>{visible(command)}</code> lists them.
    </>
  );
}

function Tests({ part }: { part: Answer['parts'][string] | undefined }) {
  return (
    <PartOf<TestsAnswer> part={part} titles={['Tests']}>
      {({ results: { tests }, metadata, ...rest }) => (
        <Section title="Tests" count={metadata.total_count}>
          {tests.length === 0 ? (
            <Empty>
              No test reaches it that the graph knows of. A test that calls it shows up here by itself.
            </Empty>
          ) : null}
          <Fold
            items={tests}
            total={metadata.total_count}
            noun="test files"
            keyOf={({ file_path }) => file_path}
            row={({ file_path, distance, may, tests: cases, test_count, command }) => (
              <>
                <PlaceLink path={file_path} /> {may ? <Sure certainty="candidate" /> : null}{' '}
                <span class="muted">{distance <= 1 ? 'calls it itself' : `${distance} calls away`}</span>
                <ul class="lines">
                  {cases.map(({ name, line }, at) => (
                    // Cases of a table stand on one line, and may have one name.
                    <li key={`${line} ${at}`}>
                      <Link to={symbolHref(`${file_path}:${line}`)}>{visible(name)}</Link>
                    </li>
                  ))}
                  {test_count > cases.length ? (
                    <li class="muted">and {plural(test_count - cases.length, 'more test')}</li>
                  ) : null}
                </ul>
                {command === null ? null : <code class="command">{visible(command)}</code>}
              </>
            )}
            most={8}
          />
          <Cuts of={rest} />
        </Section>
      )}
    </PartOf>
  );
}

function References({ part, id }: { part: Answer['parts'][string] | undefined; id: string }) {
  return (
    <PartOf<ReferencesAnswer> part={part} titles={['References']}>
      {({ results: { references, kinds }, metadata, ...rest }) => (
        <Section title="References" count={metadata.total_count}>
          {references.length === 0 ? <Empty>Nothing uses it that the graph knows of.</Empty> : null}
          {Object.keys(kinds).length > 1 ? (
            <p class="muted">
              {Object.entries(kinds)
                .map(([kind, count]) => `${count} ${kind}`)
                .join(' · ')}
            </p>
          ) : null}
          <Fold
            items={references}
            total={metadata.total_count}
            noun="references"
            keyOf={({ path, line, kind }, at) => `${path}:${line}:${kind}:${at}`}
            row={({ path, line, kind, text, by_name }) => (
              <>
                <PlaceLink path={path} line={line} /> <span class="kind">{kind}</span>{' '}
                {by_name ? <Sure certainty="likely" /> : null}
                {text === undefined ? null : (
                  <p>
                    <code>{visible(text.trim())}</code>
                  </p>
                )}
              </>
            )}
            most={10}
            missing={<CommandHint command={`codewalk references '${id}'`} />}
          />
          <Cuts of={rest} />
        </Section>
      )}
    </PartOf>
  );
}

const RELATIVES = [
  ['bases', 'Base classes and interfaces'],
  ['derived', 'Derived'],
  ['overrides', 'Overrides'],
  ['overridden_by', 'Overridden by'],
  ['implementers', 'Implemented by'],
] as const;

function Relatives({ code }: { code: CodeAnswer }) {
  const groups = RELATIVES.map(([field, title]): [string, readonly NodeRow[], number] => [
    title,
    code[field],
    code.totals?.[field] ?? code[field].length,
  ]);
  return (
    <>
      {groups.map(([title, nodes, total]) =>
        nodes.length === 0 ? null : (
          <Section key={title} title={title} count={total}>
            <Fold
              items={nodes}
              total={total}
              noun="of them"
              keyOf={({ id }) => id}
              row={(node) => <NodeLine node={node} />}
              most={10}
            />
          </Section>
        ),
      )}
      {code.symbols.length === 0 ? null : (
        <Section title="Members" count={code.symbols_total}>
          <Fold
            items={code.symbols}
            total={code.symbols_total}
            noun="members"
            keyOf={({ id }) => id}
            row={({ id, name, kind, start_line }) => (
              <>
                <SymbolLink id={id} name={name} /> <span class="kind">{kindWord(kind)}</span>{' '}
                <span class="muted">line {start_line}</span>
              </>
            )}
          />
        </Section>
      )}
    </>
  );
}
