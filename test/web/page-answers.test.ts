import { expectTypeOf, it } from 'vitest';
import type { OutputOf } from '../../runtime/index.js';
import type { Explain } from '../../walkers/code/explain.js';
import type { GraphStats } from '../../walkers/code/graph-stats.js';
import type { ExploreCode } from '../../walkers/explore/explore-code.js';
import type { ExploreHealth } from '../../walkers/explore/explore-health.js';
import type { ExploreHistory } from '../../walkers/explore/explore-history.js';
import type { ExploreMap } from '../../walkers/explore/explore-map.js';
import type { MemoryGet } from '../../walkers/memory/memory-get.js';
import type { MemoryHistory } from '../../walkers/memory/memory-history.js';
import type { MemoryRelated } from '../../walkers/memory/memory-related.js';
import type { MemorySearch } from '../../walkers/memory/memory-search.js';
import type { QueryCallers } from '../../walkers/query/query-callers.js';
import type { QueryCypher } from '../../walkers/query/query-cypher.js';
import type { QueryReferences } from '../../walkers/query/query-references.js';
import type { QueryTests } from '../../walkers/query/query-tests.js';
import type { SearchCode } from '../../walkers/search/search-code.js';
import type { Errors } from '../../walkers/trace/errors.js';
import type { Show } from '../../walkers/trace/show.js';
import type { Tasks } from '../../walkers/trace/tasks.js';
import type { TraceImpact } from '../../walkers/trace/trace-impact.js';
import type * as Page from '../../web/page/answers.js';

/** Compiles where what a walker gives is what the page reads. */
function reads<P, O extends P>(): void {
  expectTypeOf<O>();
}

it('the page reads of answers what walkers give: the compiler says so', () => {
  reads<Page.CodeAnswer, OutputOf<typeof ExploreCode>>();
  reads<Page.HistoryAnswer, OutputOf<typeof ExploreHistory>>();
  reads<Page.MapAnswer, OutputOf<typeof ExploreMap>>();
  reads<Page.HealthAnswer, OutputOf<typeof ExploreHealth>>();
  reads<Page.CallersAnswer, OutputOf<typeof QueryCallers>>();
  reads<Page.TestsAnswer, OutputOf<typeof QueryTests>>();
  reads<Page.ReferencesAnswer, OutputOf<typeof QueryReferences>>();
  reads<Page.CypherAnswer, OutputOf<typeof QueryCypher>>();
  reads<Page.ExplainAnswer, OutputOf<typeof Explain>>();
  reads<Page.StatsAnswer, OutputOf<typeof GraphStats>>();
  reads<Page.SearchAnswer, OutputOf<typeof SearchCode>>();
  reads<Page.TasksAnswer, OutputOf<typeof Tasks>>();
  reads<Page.TaskAnswer, OutputOf<typeof Show>>();
  reads<Page.ErrorsAnswer, OutputOf<typeof Errors>>();
  reads<Page.ImpactAnswer, OutputOf<typeof TraceImpact>>();
  reads<Page.MemoriesAnswer, OutputOf<typeof MemorySearch>>();
  reads<Page.MemoryAnswer, OutputOf<typeof MemoryGet>>();
  reads<Page.RelatedAnswer, OutputOf<typeof MemoryRelated>>();
  reads<Page.VersionsAnswer, OutputOf<typeof MemoryHistory>>();
});
