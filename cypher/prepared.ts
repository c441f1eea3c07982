import { LIMITS } from '../schema/index.js';
import type { Query } from './ast.js';
import { check } from './check/index.js';
import type { CypherGraph } from './graph.js';
import { build, type Open } from './operators/index.js';
import {
  type Counts,
  countsFor,
  isSameCounts,
  type PlannedQuery,
  plan,
  type Survey,
  surveyOf,
} from './plan/index.js';
import { parse } from './text/index.js';
import type { Watch } from './watch.js';

/** A plan and what runs it. */
export interface ReadyPlan {
  readonly counts: Counts;
  readonly planned: PlannedQuery & { readonly width: number };
  readonly open: Open;
}

/** A query that was read and checked. Its plan is made for the first graph, and again where another has other counts. */
export class PreparedQuery {
  readonly text: string;
  readonly query: Query;
  readonly survey: Survey;
  #ready: ReadyPlan | null = null;

  /**
   * @param watch The time of whoever asks. Default: nobody's.
   * @throws {CypherError} where the text is no query that the engine runs, or as the watch does.
   */
  constructor(text: string, watch?: Watch) {
    this.text = text;
    this.query = parse(text, (items) => watch?.spend(items));
    check(this.query, text);
    watch?.look();
    this.survey = surveyOf(this.query);
  }

  /** The plan for a graph: the same for the same counts, so that rows come in the same order. */
  async planFor(graph: CypherGraph): Promise<ReadyPlan> {
    const { survey, query } = this;
    const counts = await countsFor(survey, graph);
    if (this.#ready !== null && isSameCounts(this.#ready.counts, counts)) return this.#ready;
    const hasIndex = (label: string | null, property: string) => {
      const probe = graph.seek(label, property, { kind: 'in', values: [] }, []);
      probe?.catch(() => undefined);
      return probe !== null;
    };
    const planned = plan(query, { survey, counts, hasIndex });
    const open = build(planned.plan);
    this.#ready = { counts, planned: { ...planned, width: planned.frame.width }, open };
    return this.#ready;
  }
}

/** Prepared queries by their text: those that were used last, as many as have room. */
export class PreparedQueries {
  readonly #byText = new Map<string, PreparedQuery>();
  #size = 0;

  /** @param characters Of all texts together: what a query was read into takes many times as much. */
  constructor(
    private readonly most: number = LIMITS.cypherPlans.max,
    private readonly characters: number = LIMITS.cypherPlanText.max,
  ) {}

  /** @throws {CypherError} as {@link PreparedQuery}. */
  of(text: string, watch?: Watch): PreparedQuery {
    const known = this.#byText.get(text);
    const prepared = known ?? new PreparedQuery(text, watch);
    this.#byText.delete(text);
    this.#byText.set(text, prepared);
    if (known === undefined) this.#size += text.length;
    for (const oldest of this.#byText.keys()) {
      if (this.#byText.size <= this.most && this.#size <= this.characters) break;
      this.#byText.delete(oldest);
      this.#size -= oldest.length;
    }
    return prepared;
  }
}
