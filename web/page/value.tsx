import { IdLink, Link, Scrolls } from './parts.js';
import { idHref } from './router.js';
import { visible } from './words.js';

/** Entries of a list or an object that are shown. */
const MOST = 100;

/** Fields and columns that hold ids; what only looks like one elsewhere is a text. */
const HOLDS_IDS = /(?:^|[._])ids?$/iu;

/**
 * A value of an answer: ids are links, a list of objects is a table; in a table are no others, `depth` says that it is in one.
 * `name` is that of the field or column.
 */
export function Value({ value, name = '', depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  if (value === null || value === undefined) return <span class="muted">null</span>;
  if (typeof value === 'string') {
    const to = HOLDS_IDS.test(name) ? idHref(value) : null;
    return to === null ? <span class="said">{visible(value)}</span> : <Link to={to}>{visible(value)}</Link>;
  }
  if (typeof value !== 'object') return <>{String(value)}</>;
  if (Array.isArray(value)) return <ListValue value={value} name={name} depth={depth} />;
  if (isNode(value)) return <NodeValue node={value} depth={depth} />;
  if (isEdge(value)) return <EdgeValue edge={value} depth={depth} />;
  return <Fields of={value as Readonly<Record<string, unknown>>} depth={depth} />;
}

/** A node of the graph as queries answer with it. */
export interface NodeValue {
  readonly id: string;
  readonly labels: readonly string[];
  readonly [property: string]: unknown;
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is NodeValue {
  return isObject(value) && typeof value.id === 'string' && Array.isArray(value.labels);
}

/** An edge of the graph as queries answer with it. */
export interface EdgeValue {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly [property: string]: unknown;
}

/** Whether a value is an edge. */
export function isEdge(value: unknown): value is EdgeValue {
  return (
    isObject(value) &&
    typeof value.type === 'string' &&
    typeof value.from === 'string' &&
    typeof value.to === 'string'
  );
}

function NodeValue({ node, depth }: { node: NodeValue; depth: number }) {
  const { id, labels, ...properties } = node;
  return (
    <>
      <IdLink id={id} labels={labels} /> <span class="kind">{visible(labels.join(', '))}</span>
      <details>
        <summary>properties</summary>
        <Fields of={properties} depth={depth + 1} />
      </details>
    </>
  );
}

function EdgeValue({ edge, depth }: { edge: EdgeValue; depth: number }) {
  const { type, from, to, ...properties } = edge;
  return (
    <>
      <IdLink id={from} /> <span class="kind">{visible(type)}</span> <IdLink id={to} />
      <details>
        <summary>properties</summary>
        <Fields of={properties} depth={depth + 1} />
      </details>
    </>
  );
}

/** Rows as a table, with the columns in their order. */
export function RowTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly string[];
  rows: readonly Readonly<Record<string, unknown>>[];
}) {
  return (
    <Scrolls label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {visible(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`row ${String(at)}`}>
              {columns.map((column) => (
                <td key={column}>
                  {column in row ? <Value value={row[column]} name={column} depth={1} /> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

function ListValue({ value, name, depth }: { value: readonly unknown[]; name: string; depth: number }) {
  if (value.length === 0) return <span class="muted">none</span>;
  const rows = value.slice(0, MOST);
  const more = value.length > MOST ? <p class="muted">{value.length - MOST} more</p> : null;
  const objects = rows.filter(isObject);
  const columns = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  if (objects.length === rows.length && !objects.some(isNode) && columns.length <= 12 && depth === 0)
    return (
      <>
        <RowTable label="Rows" columns={columns} rows={objects} />
        {more}
      </>
    );
  return (
    <>
      <ul class="values">
        {rows.map((one, at) => (
          <li key={at}>
            <Value value={one} name={name} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Fields({ of, depth }: { of: Readonly<Record<string, unknown>>; depth: number }) {
  return (
    <dl class="fields">
      {Object.entries(of)
        .slice(0, MOST)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>
              <Value value={value} name={name} depth={depth + 1} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
