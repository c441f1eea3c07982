import { type ASTNode, parse } from '@ts-graphviz/ast';
import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'vitest';

/** A diagram in dot, read by ts-graphviz. */
export function readDot(text: string) {
  const graph = (parse(text) as ASTNode & { children: ASTNode[] }).children.find(
    (one) => one.type === 'Graph',
  );
  if (graph?.type !== 'Graph') throw new Error('no graph');
  const valuesOf = (children: readonly ASTNode[]) =>
    Object.fromEntries(
      children.flatMap((one) =>
        one.type === 'Attribute' ? [[one.key.value, escString(one.value.value)]] : [],
      ),
    );
  const nodes: Record<string, string>[] = [];
  const edges: ({ from: string; to: string } & Record<string, string>)[] = [];
  for (const one of graph.children) {
    if (one.type === 'Node') nodes.push({ name: one.id.value, ...valuesOf(one.children) });
    if (one.type !== 'Edge') continue;
    const [from, to] = one.targets.map((end) => (end.type === 'NodeRef' ? end.id.value : ''));
    edges.push({ from: from ?? '', to: to ?? '', ...valuesOf(one.children) });
  }
  return { title: escString(graph.id?.value ?? ''), nodes, edges };
}

/** What Graphviz shows for an escString whose `\"` the parser has read already, or not. */
function escString(text: string): string {
  return text.replace(/\\([\\"n])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
}

/** A diagram in GraphML, read by an XML parser. */
export function readGraphml(text: string) {
  const errors: string[] = [];
  const document = new DOMParser({
    onError: (level, message) => {
      if (!message.includes('replacement character')) errors.push(`${level}: ${message}`);
    },
  }).parseFromString(text, 'text/xml');
  expect(errors).toEqual([]);
  const all = (tag: string) => [...document.getElementsByTagName(tag)];
  const declared = new Set(all('key').map((key) => key.getAttribute('id')));
  const dataOf = (element: ReturnType<typeof all>[number]) =>
    Object.fromEntries(
      [...element.childNodes].flatMap((child) => {
        if (child.nodeName !== 'data') return [];
        const key =
          all('data')
            .find((one) => one === child)
            ?.getAttribute('key') ?? '';
        expect(declared).toContain(key);
        return [[key.replace('edge_', ''), child.textContent ?? '']];
      }),
    );
  const [graph] = all('graph');
  if (!graph) throw new Error('no graph');
  expect(graph.getAttribute('edgedefault')).toBe('directed');
  return {
    title: dataOf(graph).title,
    nodes: all('node').map(
      (node) => ({ name: node.getAttribute('id'), ...dataOf(node) }) as Record<string, string>,
    ),
    edges: all('edge').map((edge) => ({
      from: edge.getAttribute('source') ?? '',
      to: edge.getAttribute('target') ?? '',
      kind: dataOf(edge).kind,
    })),
  };
}

/** A flowchart of Mermaid, read by a strict grammar of what is written of it. */
export function readMermaid(text: string) {
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('flowchart LR');
  const nodes: string[] = [];
  const edges: { from: string; to: string; kind: string }[] = [];
  // Within quotes: no quote, no line end, and none of the characters that begin something in a label.
  const label = '"((?:#\\d+;|[^"#`<>&|{}\\[\\]\\\\%\\n])+)"';
  for (const line of lines) {
    const node = new RegExp(`^ {2}n(\\d+)\\[${label}\\]$`).exec(line);
    const edge = new RegExp(`^ {2}(n\\d+) -->(?:\\|${label}\\|)? (n\\d+)$`).exec(line);
    expect(node ?? edge, line).not.toBeNull();
    if (node) {
      expect(Number(node[1])).toBe(nodes.length);
      nodes.push(entities(node[2] ?? ''));
    }
    if (edge) edges.push({ from: edge[1] ?? '', to: edge[3] ?? '', kind: entities(edge[2] ?? '') });
  }
  return { nodes, edges };
}

function entities(text: string): string {
  return text.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
