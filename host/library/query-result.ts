import { writeFile } from 'node:fs/promises';
import { CodewalkError } from '../../schema/index.js';
import type { CodebaseOutput, CodeEdge, PackedNode, PackNode, PackOutput } from '../../walkers/index.js';
import type { CodeRelation } from './code-library.js';

/** What a walker answered, with what it says to people. */
export interface Answered<T> {
  readonly output: T & { readonly state?: { readonly cut?: readonly string[] | undefined } | undefined };
  readonly markdown: string;
}

/** What a question to a graph found (S2-26). `JSON.stringify` and `toDict` have its fields. */
export class QueryResult<N extends PackNode = PackNode> {
  readonly query: string;
  /** How many nodes the text found. */
  readonly seeds: number;
  /** How many were reached from them, stubs included. */
  readonly expanded_nodes: number;
  readonly returned_nodes: number;
  readonly hop: number;
  readonly rels: readonly CodeRelation[];
  /** The best first (S2-27). */
  readonly nodes: readonly N[];
  /** With both ends among the nodes. */
  readonly edges: readonly CodeEdge[];
  /** What is to be known of it, and what was cut. */
  readonly notes: readonly string[];
  readonly #markdown: string;

  constructor({
    output,
    markdown,
  }: Answered<Omit<CodebaseOutput, 'nodes'> & { readonly nodes: readonly N[] }>) {
    this.query = output.query;
    this.seeds = output.seeds;
    this.expanded_nodes = output.expanded_nodes;
    this.returned_nodes = output.returned_nodes;
    this.hop = output.hop;
    this.rels = output.rels;
    this.nodes = output.nodes;
    this.edges = output.edges;
    this.notes = [...output.notes, ...(output.state?.cut ?? [])];
    this.#markdown = markdown;
  }

  /** The fields as a plain object. */
  toDict() {
    const { query, seeds, expanded_nodes, returned_nodes, hop, rels, nodes, edges, notes } = this;
    return { query, seeds, expanded_nodes, returned_nodes, hop, rels, nodes, edges, notes };
  }

  /** For `JSON.stringify`. */
  toJSON() {
    return this.toDict();
  }

  /** For people and models. */
  toMarkdown(): string {
    return this.#markdown;
  }

  /** Prints what was asked and how much was found, then a line for each node. @param print Default: `console.log`. */
  printSummary(print: (line: string) => void = console.log): void {
    const { query, seeds, expanded_nodes, returned_nodes, hop, edges } = this;
    print(
      `${query}: ${seeds} seeds, ${expanded_nodes} nodes within ${hop} hops, ${returned_nodes} returned, ${edges.length} edges`,
    );
    for (const { kind, qualname, module_path, lineno } of this.nodes)
      print(`  ${kind} ${qualname}${module_path === null ? '' : ` (${module_path}:${lineno ?? 1})`}`);
  }
}

/** A {@link QueryResult} of which the nodes have their source (S2-29). */
export class SnippetPack extends QueryResult<PackedNode> {
  constructor(answered: Answered<PackOutput>) {
    super(answered);
  }

  /**
   * Writes it to a file (S2-36): as Markdown, or as JSON. An existing file is replaced.
   *
   * @throws CodewalkError `INVALID_INPUT` for another format.
   */
  async save(path: string, { fmt = 'md' }: { readonly fmt?: 'md' | 'json' } = {}): Promise<void> {
    if (fmt !== 'md' && fmt !== 'json')
      throw new CodewalkError('INVALID_INPUT', `'${String(fmt)}' is no format of a saved pack`, {
        input: fmt,
        suggestion: "Use 'md' or 'json'.",
      });
    await writeFile(path, fmt === 'json' ? `${JSON.stringify(this, null, 2)}\n` : this.toMarkdown());
  }
}
