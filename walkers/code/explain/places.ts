import type { EdgeRef, ReadContext } from '../../../runtime/index.js';
import { exportEdgeKind, File, parseId } from '../../../schema/index.js';
import { insideRoot, readText } from '../../../source/index.js';
import { shownLine } from '../../shown-text.js';
import { changeSinceIndexed } from '../file-change.js';
import { EdgeProps, type EdgeRow, type PlaceRow } from './explain-rows.js';

/** Places of one edge that are shown. */
const MOST_PLACES = 10;

/** Makes rows of edges, with the lines that they rest on as they stand in the files. */
export class Places {
  readonly #context: Pick<ReadContext, 'find' | 'projectRoot'>;
  readonly #lines = new Map<string, readonly string[] | null>();
  /** Files that changed since they were indexed. */
  readonly changed = new Set<string>();

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot'>) {
    this.#context = context;
  }

  /** An edge with its evidence, and the text of each line where the file is what was indexed. */
  async row(edge: EdgeRef): Promise<EdgeRow> {
    const { line, evidence, ...told } = EdgeProps.parse(edge);
    const { from, to, archetype } = edge;
    const path = parseId(from)?.path ?? null;
    const lines = path === null ? null : await this.#linesOf(path);
    const known = evidence.length > 0 ? evidence : line > 0 ? [{ line, expression: '' }] : [];
    const places = known.slice(0, MOST_PLACES).map((place): PlaceRow => {
      const text = lines?.[place.line - 1];
      return {
        path,
        line: place.line,
        expression: shownLine(place.expression),
        text: text === undefined ? null : shownLine(text),
      };
    });
    return {
      kind: exportEdgeKind(archetype.name) ?? archetype.name.toUpperCase(),
      from,
      to,
      ...told,
      places,
    };
  }

  async #linesOf(path: string): Promise<readonly string[] | null> {
    const known = this.#lines.get(path);
    if (known !== undefined) return known;
    const lines = await this.#read(path);
    this.#lines.set(path, lines);
    return lines;
  }

  async #read(path: string): Promise<readonly string[] | null> {
    const root = this.#context.projectRoot;
    const [file] = await this.#context.find(File, { path });
    if (!file || root === null) return null;
    if (changeSinceIndexed(file, root) !== null) {
      this.changed.add(path);
      return null;
    }
    const read = readText({ diskPath: insideRoot(root, path).diskPath });
    return read.ok ? read.text.split('\n') : null;
  }
}
