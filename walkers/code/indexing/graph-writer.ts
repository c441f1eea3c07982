import type { NodeRef, StepsContext } from '../../../runtime/index.js';
import { File, parseId } from '../../../schema/index.js';
import { digestOf, type GraphPart } from './code-graph.js';
import { type FileState, factsName, readState, SHARED_STATE, stateName, toBytes } from './file-state.js';
import type { ProgramParts } from './program-parts.js';
import { SHARED_TYPES } from './shared-part.js';
import { turn } from './turn.js';
import { storedNodesOf, writeLinks } from './write-part.js';

/** Nodes, then links, that go into one commit: what waits for it is held in memory. */
const NODES_PER_COMMIT = 5_000;
const LINKS_PER_COMMIT = 15_000;

/** The part that files share is made of no content. */
const NO_FILE = { hash: '', by: '' };

/** What a write came to. */
export interface Written {
  readonly removed: number;
}

/**
 * Makes the stored code graph what the parts say: parts whose digest is the stored one are passed over, of the
 * others nodes come first, then links, then what is not wanted any more goes. Each commit leaves a valid graph.
 */
export class GraphWriter {
  readonly #context: StepsContext;
  readonly #ends = new Map<string, NodeRef>();
  readonly #fresh: boolean;

  /** @param options.fresh Whether no run ever wrote here: then nothing stored is looked for. */
  constructor(context: StepsContext, options: { readonly fresh: boolean }) {
    this.#context = context;
    this.#fresh = options.fresh;
  }

  async write({ shared, files }: ProgramParts): Promise<Written> {
    const paths = files.map(({ indexed }) => indexed.file.path);
    const [sharedState, ...bytes] = await this.#context.blobs([SHARED_STATE, ...paths.map(stateName)]);
    const states = bytes.map(readState);
    const digests = files.map(({ part }) => digestOf(part));
    const changed = files.filter((_, i) => states[i]?.part !== digests[i]);
    const sharedDigest = digestOf(shared);
    const parts: GraphPart[] = changed.map(({ part }) => part);
    const sharedChanged = readState(sharedState)?.part !== sharedDigest;
    if (sharedChanged) parts.unshift(shared);

    const gone = await this.#goneFiles(new Set(paths));
    const outdated = await this.#outdatedNodes(changed, sharedChanged ? shared : null);
    // Should this run be cut off in the middle, no digest may tell that these parts are as they were.
    for (const [i, { indexed }] of files.entries()) {
      const state = states[i];
      if (state && state.part !== null && state.part !== digests[i])
        this.#putState(stateName(indexed.file.path), { ...state, part: null });
    }
    if (sharedChanged) this.#putState(SHARED_STATE, { ...NO_FILE, part: null });
    await this.#writeNodes(parts);
    await this.#writeLinks(parts);
    await this.#remove([...gone.flatMap(({ nodes }) => nodes), ...outdated]);

    for (const [i, { indexed }] of files.entries()) {
      const part = digests[i] ?? null;
      const state = states[i];
      if (state && state.part !== part) this.#putState(stateName(indexed.file.path), { ...state, part });
    }
    if (sharedChanged) this.#putState(SHARED_STATE, { ...NO_FILE, part: sharedDigest });
    for (const { path } of gone) {
      this.#context.putBlob(stateName(path), undefined);
      this.#context.putBlob(factsName(path), undefined);
    }
    return { removed: gone.length };
  }

  #putState(name: string, state: FileState): void {
    this.#context.putBlob(name, toBytes(state));
  }

  async #writeNodes(parts: readonly GraphPart[]): Promise<void> {
    const nodes = parts.flatMap((part) => part.nodes);
    for (let at = 0; at < nodes.length; at += NODES_PER_COMMIT) {
      this.#context.progress({ phase: 'write nodes', done: at, total: nodes.length });
      const made = await this.#context.createAll(nodes.slice(at, at + NODES_PER_COMMIT));
      for (const node of made) this.#ends.set(node.id, node);
      await this.#context.commit();
      await turn(this.#context);
    }
  }

  async #writeLinks(parts: readonly GraphPart[]): Promise<void> {
    const total = parts.reduce((sum, { links }) => sum + links.length, 0);
    const report = (done: number) => this.#context.progress({ phase: 'write edges', done, total });
    report(0);
    await this.#loadEnds(parts);
    let done = 0;
    let waiting = 0;
    for (const part of parts) {
      waiting += await writeLinks(this.#context, part, this.#ends, this.#fresh);
      done += part.links.length;
      if (waiting < LINKS_PER_COMMIT) continue;
      await this.#context.commit();
      report(done);
      await turn(this.#context);
      waiting = 0;
    }
    await this.#context.commit();
    report(total);
    await turn(this.#context);
  }

  /** Far ends that this run did not write are in the graph already. */
  async #loadEnds(parts: readonly GraphPart[]): Promise<void> {
    const missing = new Set<string>();
    for (const { links } of parts) for (const { to } of links) if (!this.#ends.has(to)) missing.add(to);
    for (const node of await this.#context.nodes([...missing])) if (node) this.#ends.set(node.id, node);
  }

  async #goneFiles(paths: ReadonlySet<string>): Promise<{ path: string; nodes: string[] }[]> {
    const gone: { path: string; nodes: string[] }[] = [];
    for (const id of await this.#context.findIds(File)) {
      const path = parseId(id)?.path;
      if (path === undefined || path === null || paths.has(path)) continue;
      gone.push({ path, nodes: await storedNodesOf(this.#context, path) });
    }
    return gone;
  }

  /** Stored nodes of the changed parts that are not wanted any more. */
  async #outdatedNodes(changed: ProgramParts['files'], shared: GraphPart | null): Promise<string[]> {
    if (this.#fresh) return [];
    const outdated: string[] = [];
    for (const { indexed, part } of changed) {
      const wanted = new Set(part.nodes.map(({ id }) => id));
      const stored = await storedNodesOf(this.#context, indexed.file.path);
      outdated.push(...stored.filter((id) => !wanted.has(id)));
    }
    if (!shared) return outdated;
    const wanted = new Set(shared.nodes.map(({ id }) => id));
    for (const type of SHARED_TYPES) {
      const stored = await this.#context.findIds(type);
      outdated.push(...stored.filter((id) => !wanted.has(id)));
    }
    return outdated;
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const nodes = await this.#context.nodes([...new Set(ids)]);
    await this.#context.del(nodes.filter((node) => node !== undefined));
    await this.#context.commit();
  }
}
