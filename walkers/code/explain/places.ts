import type { EdgeRef, ReadContext } from '../../../runtime/index.js';
import { exportEdgeKind, parseId } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { SourceTexts } from '../source-texts.js';
import { EdgeProps, type EdgeRow, type PlaceRow } from './explain-rows.js';

/** Places of one edge that are shown. */
const MOST_PLACES = 10;

/** Makes rows of edges, with the lines that they rest on as they stand in the files. */
export class Places {
  readonly #texts: SourceTexts;

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot'>) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** An edge with its evidence, and the text of each line where the file is what was indexed. */
  async row(edge: EdgeRef): Promise<EdgeRow> {
    const { line, evidence, ...told } = EdgeProps.parse(edge);
    const { from, to, archetype } = edge;
    const path = parseId(from)?.path ?? null;
    const lines = path === null ? null : await this.#texts.linesOf(path);
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
}
