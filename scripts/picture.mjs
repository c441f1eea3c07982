// Draws docs/picture.svg: plays the session of docs/tutorial.md in a scratch project and draws what the graph holds then.
// Run: npm run build && node scripts/picture.mjs [FILE]
import { join } from 'node:path';
import { openGraph } from '../dist/index.js';
import { inTutorial, ROOT, write } from './tutorial-run.mjs';

const [file = join(ROOT, 'docs/picture.svg')] = process.argv.slice(2);

/** A column is 280 pixels wide, a row 96 high. */
const COLUMN = 280;
const ROW = 96;
const BOX = { width: 222, height: 50 };
const WIDTH = 3 * COLUMN + BOX.width + 40;
const HEIGHT = 3 * ROW + BOX.height + 90;
const COLORS = { code: '#2563eb', file: '#475569', work: '#c2410c', memory: '#15803d' };

/** The nodes that are drawn: how each is found, and where it stands. */
const NODES = [
  symbol('adds the tax once', 'test', 0, 0),
  symbol('checkout', 'function', 0, 1),
  symbol('total', 'method', 1, 0.5),
  symbol('tax', 'function', 2, 0.5),
  {
    key: 'file',
    color: 'file',
    kind: 'file',
    at: [2, 2],
    query: "MATCH (n:File {name: 'money.ts'}) RETURN n.path AS name",
  },
  {
    key: 'task',
    color: 'work',
    kind: 'task',
    at: [0, 3],
    query: 'MATCH (n:Task) RETURN n.user_prompt AS name',
  },
  {
    key: 'error',
    color: 'work',
    kind: 'error',
    at: [1, 3],
    query: "MATCH (n:Error) RETURN split(n.message, ': ')[2] AS name",
  },
  {
    key: 'tool',
    color: 'work',
    kind: 'tool',
    at: [2, 3],
    query: "MATCH (n:ToolInvocation {tool_name: 'Edit'}) RETURN n.tool_name AS name",
  },
  {
    key: 'memory',
    color: 'memory',
    kind: 'memory',
    at: [3, 2],
    query: 'MATCH (n:Memory) RETURN n.title AS name',
  },
];

/** The edges between them: from, to, what is written on it, and how it is found. */
const EDGES = [
  ...[
    ['adds the tax once', 'total'],
    ['checkout', 'total'],
    ['total', 'tax'],
  ].map(([from, to]) => [
    from,
    to,
    'calls',
    `MATCH ({name: '${from}'})-[r:CALLS]->({name: '${to}'}) RETURN count(r) AS n`,
  ]),
  [
    'file',
    'tax',
    'defines',
    "MATCH (:File {name: 'money.ts'})-[r:DEFINES]->({name: 'tax'}) RETURN count(r) AS n",
  ],
  ['task', 'error', 'met', 'MATCH (:Task)-[:HAS_STEP]->()-[r:HAS_ERROR]->() RETURN count(r) AS n'],
  [
    'error',
    'tool',
    'fixed by',
    'MATCH (:Error)-[r:RESOLVED_BY]->()-[:INVOKES_TOOL]->() RETURN count(r) AS n',
  ],
  ['tool', 'file', 'changed', 'MATCH (:ToolInvocation)-[r:TOUCHES_FILE]->(:File) RETURN count(r) AS n'],
  ['memory', 'file', 'is about', 'MATCH (:Memory)-[r:ABOUT]->(:File) RETURN count(r) AS n'],
];

await inTutorial(async ({ codewalk, project, env }) => {
  // All events are in, and no daemon has the graph open.
  codewalk(['tasks']);
  codewalk(['stop']);
  const graph = await openGraph(project, { home: env.GRAPHS_HOME });
  try {
    write(file, await picture(graph));
  } finally {
    await graph.close();
  }
});

function symbol(name, kind, ...at) {
  return {
    key: name,
    color: 'code',
    kind,
    at,
    query: `MATCH (n:Symbol {name: '${name}'}) RETURN split(n.id, ':')[2] AS name`,
  };
}

/** The first row that a query gives. */
async function row(graph, query) {
  const [first] = (await graph.spawn('query_cypher', null, { query })).output.results.rows;
  if (!first) throw new Error(`the run gave nothing for ${query}`);
  return first;
}

async function picture(graph) {
  const places = new Map(NODES.map(({ key, at: [x, y] }) => [key, { x: 20 + x * COLUMN, y: 54 + y * ROW }]));
  const edges = [];
  for (const [from, to, label, query] of EDGES) {
    const [count] = Object.values(await row(graph, query));
    if (count === 0) throw new Error(`the run has no edge from ${from} to ${to}`);
    edges.push(line(places.get(from), places.get(to), label));
  }
  const nodes = [];
  for (const node of NODES) {
    const { name } = await row(graph, node.query);
    nodes.push(box(places.get(node.key), node, String(name)));
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" role="img">`,
    '<title>One graph: code, what an agent did in it, and what is remembered about it</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="#ffffff"/>`,
    '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>',
    band(28, 'code: definitions, calls, tests', COLORS.code),
    band(HEIGHT - 18, 'work: what was asked, what failed, what fixed it', COLORS.work),
    `<text x="${20 + 3 * COLUMN}" y="${54 + 2 * ROW - 12}" font-size="13" fill="${COLORS.memory}">memory</text>`,
    ...edges,
    ...nodes,
    '</svg>\n',
  ].join('\n');
}

function band(y, text, color) {
  return `<text x="20" y="${y}" font-size="14" font-weight="600" fill="${color}">${text}</text>`;
}

function box({ x, y }, { kind, color }, name) {
  const shown = name.length > 29 ? `${name.slice(0, 28)}…` : name;
  const text = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return [
    `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="#f8fafc" stroke="${COLORS[color]}" stroke-width="1.5"/>`,
    `<text x="${x + 12}" y="${y + 19}" font-size="11" fill="${COLORS[color]}">${kind}</text>`,
    `<text x="${x + 12}" y="${y + 38}" font-size="13" fill="#0f172a">${text}</text>`,
  ].join('\n');
}

/** An arrow between the sides of two boxes that face each other. */
function line(from, to, label) {
  const isBeside = from.x !== to.x;
  const side = Math.sign(to.x - from.x);
  const [x1, y1] = isBeside
    ? [from.x + (side > 0 ? BOX.width : 0), from.y + BOX.height / 2]
    : [from.x + BOX.width / 2, from.y + (to.y > from.y ? BOX.height : 0)];
  const [x2, y2] = isBeside
    ? [to.x + (side > 0 ? 0 : BOX.width), to.y + BOX.height / 2]
    : [to.x + BOX.width / 2, to.y + (to.y > from.y ? 0 : BOX.height)];
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const path = isBeside
    ? `M${x1} ${y1}C${middleX} ${y1} ${middleX} ${y2} ${x2} ${y2}`
    : `M${x1} ${y1}L${x2} ${y2}`;
  const place = isBeside
    ? `x="${middleX}" y="${middleY - 6}" text-anchor="middle"`
    : `x="${middleX + 8}" y="${middleY + 4}"`;
  return `<path d="${path}" fill="none" stroke="#64748b" marker-end="url(#end)"/><text ${place} font-size="11" fill="#475569">${label}</text>`;
}
