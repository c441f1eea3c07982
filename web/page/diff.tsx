import type { ChangeRow, FixRow } from './answers.js';
import { Link, PlaceLink, Scrolls } from './parts.js';
import { href } from './router.js';
import { visible } from './words.js';

/** Lines that were taken out and put in: a sign says which, the colour only says it again. */
export function Diff({ removed, now }: { removed: readonly string[]; now: readonly string[] }) {
  const lines = [
    ...removed.map((text) => ({ sign: '−', word: 'removed', text })),
    ...now.map((text) => ({ sign: '+', word: 'added', text })),
  ];
  if (lines.length === 0) return <p class="muted">No line that can be shown.</p>;
  return (
    <Scrolls label="Changed lines" class="diff">
      {lines.map(({ sign, word, text }, at) => (
        <div key={`${sign}${at}`} class={word}>
          <span class="sign" title={word}>
            {sign}
          </span>
          {visible(text)}
        </div>
      ))}
    </Scrolls>
  );
}

/** One change: an edit as a diff, or a command. */
export function Change({ change }: { change: ChangeRow }) {
  const { kind, file, line, command, removed = [], now = [], reported } = change;
  return (
    <div class="change">
      <p>
        {kind === 'command' ? 'Command ' : 'Edit of '}
        {kind === 'command' ? (
          <code>{visible(command ?? '')}</code>
        ) : file === null ? (
          'a file'
        ) : (
          <PlaceLink path={file} line={line} />
        )}
      </p>
      {reported ? <p class="said">{visible(reported)}</p> : null}
      {kind === 'edit' ? <Diff removed={removed} now={now} /> : null}
    </div>
  );
}

/** What made an error go away, and what was tried before. */
export function Fix({ fix }: { fix: FixRow }) {
  const { changes, passed, tried, task_id } = fix;
  return (
    <div class="fix">
      <p>
        <strong>{passed ? 'Fixed by' : 'A fix was reported, not checked by a run:'}</strong>
        {task_id === undefined ? null : (
          <>
            {' '}
            in <Link to={href('task', [task_id])}>{visible(task_id.slice(0, 15))}</Link>
          </>
        )}
      </p>
      {changes.map((change) => (
        <Change key={change.tool_id} change={change} />
      ))}
      {tried.length === 0 ? null : (
        <details>
          <summary>{tried.length} tried before, which did not help</summary>
          {tried.map((change) => (
            <Change key={change.tool_id} change={change} />
          ))}
        </details>
      )}
    </div>
  );
}
