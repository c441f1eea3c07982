import type { NodeRef, StepsContext } from '../../../runtime/index.js';
import { File, fileId, parseId } from '../../../schema/index.js';
import { digestOf, type GraphPart } from './code-graph.js';
import { factsName, readState, stateName, toBytes } from './file-state.js';
import type { ProgramParts } from './program-parts.js';
import { SHARED_TYPES } from './shared-part.js';
import { storedNodesOf, writeLinks } from './write-part.js';

/** Nodes, then links, that go into one commit. */
const NODES_PER_COMMIT = 20_000;
const LINKS_PER_COMMIT = 50_000;

/** The state of the part that files share. */
const SHARED_STATE = 'shared';

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
  #fresh = false;

  constructor(context: StepsContext) {
    this.#context = context;
  }

  async write({ shared, files }: ProgramParts): Promise<Written> {
    const paths = files.map(({ indexed }) => indexed.file.path);
    const [sharedState, ...bytes] = await this.#context.blobs([
      stateName(SHARED_STATE),
      ...paths.map(stateName),
    ]);
    const states = bytes.map(readState);
    this.#fresh = readState(sharedState) === undefined;
    const digests = files.map(({ part }) => digestOf(part));
    const changed = files.filter((_, i) => states[i]?.part !== digests[i]);
    const sharedDigest = digestOf(shared);
    const parts: GraphPart[] = changed.map(({ part }) => part);
    const sharedChanged = readState(sharedState)?.part !== sharedDigest;
    if (sharedChanged) parts.unshift(shared);

    const gone = await this.#goneFiles(new Set(paths));
    const outdated = await this.#outdatedNodes(changed, sharedChanged ? shared : null);
    await this.#writeNodes(parts);
    await this.#writeLinks(parts);
    await this.#remove([...gone.flatMap(({ nodes }) => nodes), ...outdated]);

    for (const [i, { indexed }] of files.entries()) {
      const part = digests[i] ?? null;
      const state = states[i];
      if (state && state.part !== part)
        this.#context.putBlob(stateName(indexed.file.path), toBytes({ ...state, part }));
    }
    if (sharedChanged)
      this.#context.putBlob(stateName(SHARED_STATE), toBytes({ hash: '', by: '', part: sharedDigest }));
    for (const { path } of gone) {
      this.#context.putBlob(stateName(path), undefined);
      this.#context.putBlob(factsName(path), undefined);
    }
    return { removed: gone.length };
  }

  async #writeNodes(parts: readonly GraphPart[]): Promise<void> {
    const nodes = parts.flatMap((part) => part.nodes);
    for (let at = 0; at < nodes.length; at += NODES_PER_COMMIT) {
      this.#context.progress({ phase: 'write nodes', done: at, total: nodes.length });
      const made = await this.#context.createAll(nodes.slice(at, at + NODES_PER_COMMIT));
      for (const node of made) this.#ends.set(node.id, node);
      await this.#context.commit();
    }
  }

  async #writeLinks(parts: readonly GraphPart[]): Promise<void> {
    const total = parts.reduce((sum, { links }) => sum + links.length, 0);
    await this.#loadEnds(parts);
    let done = 0;
    let waiting = 0;
    for (const part of parts) {
      waiting += await writeLinks(this.#context, part, this.#ends, this.#fresh);
      done += part.links.length;
      if (waiting < LINKS_PER_COMMIT) continue;
      this.#context.progress({ phase: 'write edges', done, total });
      await this.#context.commit();
      waiting = 0;
    }
    await this.#context.commit();
  }

  /** Far ends that this run did not write are in the graph already. */
  async #loadEnds(parts: readonly GraphPart[]): Promise<void> {
    const missing = new Set<string>();
    for (const { links } of parts) for (const { to } of links) if (!this.#ends.has(to)) missing.add(to);
    for (const node of await this.#context.nodes([...missing])) if (node) this.#ends.set(node.id, node);
  }

  async #goneFiles(paths: ReadonlySet<string>): Promise<{ path: string; nodes: string[] }[]> {
    if (this.#fresh) return [];
    const gone: { path: string; nodes: string[] }[] = [];
    for (const id of await this.#context.findIds(File)) {
      const path = parseId(id)?.path;
      if (path === undefined || path === null || paths.has(path)) continue;
      gone.push({ path, nodes: await storedNodesOf(this.#context, id) });
    }
    return gone;
  }

  /** Stored nodes of the changed parts that are not wanted any more. */
  async #outdatedNodes(changed: ProgramParts['files'], shared: GraphPart | null): Promise<string[]> {
    if (this.#fresh) return [];
    const outdated: string[] = [];
    for (const { indexed, part } of changed) {
      const wanted = new Set(part.nodes.map(({ id }) => id));
      const stored = await storedNodesOf(this.#context, fileId(indexed.file.path));
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
