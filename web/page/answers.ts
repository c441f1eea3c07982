/* What the page reads of walkers' answers. Everything else that they say is not looked at. */

/** How a request failed. */
export interface Failure {
  readonly error: string;
  readonly error_code: string;
  readonly suggestion?: string | undefined;
  readonly provided_input?: unknown;
}

/** One part of a view: a walker's answer, or why there is none. */
export type Part<T> = { readonly body: T } | { readonly error: Failure };

/** What `/api/view/…` answers. */
export interface Answer {
  readonly view: string;
  readonly parts: Readonly<Record<string, Part<unknown>>>;
  readonly revision: number;
}

/** What an answer says of itself. */
export interface Stated {
  readonly state?:
    | { readonly cut?: readonly string[] | undefined; readonly pending?: number | undefined }
    | undefined;
}

/** The part of a JSON schema that forms are made from. */
export interface Schema {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** A walker that can be asked. */
export interface WalkerInfo {
  readonly name: string;
  readonly description: string;
  readonly access: 'read' | 'write';
  readonly input: Schema;
  readonly examples?: readonly {
    readonly title: string;
    readonly input: Readonly<Record<string, unknown>>;
  }[];
}

/** What `/api/project` answers. */
export interface ProjectInfo {
  readonly root: string;
  readonly name: string;
  readonly version: string;
  readonly walkers: readonly WalkerInfo[];
  /** Names of Cypher that queries may use. */
  readonly vocabulary?: {
    readonly labels: readonly string[];
    readonly types: readonly string[];
    readonly properties: readonly string[];
  };
}

/** How sure an edge is. */
export type Certainty = 'certain' | 'likely' | 'candidate';

/** Where a symbol or file stands. */
export interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly path: string | null;
  readonly line: number | null;
}

/** A place at which something of the project is called, or used in another way. */
export interface CallRow {
  readonly line: number;
  /** Null: the line does not show it. */
  readonly column: number | null;
  readonly length: number;
  readonly to: NodeRow;
  readonly kind: 'CALLS' | 'MAY_CALL' | 'REFERENCES';
  readonly use: string;
  readonly certainty: Certainty;
  readonly resolution: string;
  /** Of a candidate: why it is no fact. */
  readonly cause: string | null;
  /** As it is written. */
  readonly evidence: string;
}

/** A call that leads to nothing known. */
export interface UnresolvedRow {
  readonly line: number;
  readonly column: number | null;
  readonly name: string;
  readonly cause: string;
  readonly package: string | null;
}

/** A symbol of a file, or a member of a class. */
export interface OutlineRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly qualified_name: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly depth: number;
  readonly callers: number;
  readonly tests: number;
  /** Of a member that stands in another file than its owner. */
  readonly path?: string | undefined;
}

/** What `explore_code` answers. */
export interface CodeAnswer extends Stated {
  readonly node: {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly qualified_name: string;
    readonly path: string | null;
    readonly language: string | null;
    readonly start_line: number;
    readonly end_line: number;
    readonly signature: string;
    readonly docstring: string | null;
  };
  /** The symbols around it, the outermost first. */
  readonly parents?: readonly NodeRow[] | undefined;
  readonly others: readonly (Omit<NodeRow, 'name'> & { readonly qualified_name: string })[];
  readonly source: {
    readonly path: string | null;
    readonly from_line: number;
    readonly lines: readonly string[];
    readonly total_lines: number;
    readonly missing: string | null;
  };
  readonly calls: readonly CallRow[];
  readonly unresolved: readonly UnresolvedRow[];
  readonly symbols: readonly OutlineRow[];
  readonly symbols_total: number;
  /** By the name of a list: how many rows it has before the cut. */
  readonly totals?: Readonly<Record<string, number>> | undefined;
  readonly bases: readonly NodeRow[];
  readonly derived: readonly NodeRow[];
  readonly overrides: readonly NodeRow[];
  readonly overridden_by: readonly NodeRow[];
  readonly implementers: readonly NodeRow[];
  readonly importers: readonly { readonly path: string; readonly line: number | null }[];
  readonly imports: readonly {
    readonly path?: string | null | undefined;
    readonly package?: string | null | undefined;
    readonly line: number | null;
  }[];
  readonly changes_with?: readonly {
    readonly path: string;
    readonly commits?: number | undefined;
    readonly weight?: number | undefined;
  }[];
}

/** What `query_callers` answers. */
export interface CallersAnswer extends Stated {
  readonly results: {
    readonly callers: readonly {
      readonly id?: string | undefined;
      readonly kind: string;
      readonly name: string;
      readonly qualified_name: string;
      readonly class_name?: string | undefined;
      readonly file_path?: string | undefined;
      readonly line_start?: number | undefined;
      readonly via?: string | undefined;
      /** Absent: certain. */
      readonly certainty?: Certainty | undefined;
      readonly calls?:
        | readonly {
            readonly line: number;
            readonly text?: string | undefined;
            readonly via?: string | undefined;
          }[]
        | undefined;
    }[];
    /** The callers in tests, by file. */
    readonly tests?:
      | readonly {
          readonly file_path: string;
          readonly callers: number;
          readonly lines: readonly number[];
          readonly via?: string | undefined;
        }[]
      | undefined;
    /** How many callers are not in tests, and how many are. */
    readonly callers_total?: number | undefined;
    readonly tests_total?: number | undefined;
    readonly may_call?:
      | readonly {
          readonly caller: string;
          readonly file_path?: string | undefined;
          readonly cause: string;
          readonly calls?:
            | readonly { readonly line: number; readonly text?: string | undefined }[]
            | undefined;
        }[]
      | undefined;
  };
  readonly metadata: { readonly total_count: number };
  readonly state?:
    | { readonly cut?: readonly string[] | undefined; readonly unresolved?: number | undefined }
    | undefined;
}

/** What `query_tests` answers. */
export interface TestsAnswer extends Stated {
  readonly results: {
    readonly tests: readonly {
      readonly file_path: string;
      readonly distance: number;
      readonly may?: true | undefined;
      readonly tests: readonly { readonly name: string; readonly line: number; readonly distance: number }[];
      readonly test_count: number;
      readonly path?: readonly string[] | undefined;
      readonly command: string | null;
    }[];
  };
  readonly metadata: { readonly total_count: number };
}

/** What `query_references` answers. */
export interface ReferencesAnswer extends Stated {
  readonly results: {
    readonly references: readonly {
      readonly path: string;
      readonly line: number;
      readonly kind: string;
      readonly by_name?: true | undefined;
      readonly in?: string | undefined;
      readonly text?: string | undefined;
    }[];
    readonly kinds: Readonly<Record<string, number>>;
  };
  readonly metadata: { readonly total_count: number };
}

/** One change of a fix. */
export interface ChangeRow {
  readonly kind: 'edit' | 'command';
  readonly tool_id: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly removed?: readonly string[] | undefined;
  readonly now?: readonly string[] | undefined;
  readonly command?: string | null | undefined;
  readonly reported?: string | undefined;
}

/** What made an error go away. */
export interface FixRow {
  readonly step_id?: string | undefined;
  readonly task_id?: string | undefined;
  readonly changes: readonly ChangeRow[];
  readonly passed: boolean;
  readonly tried: readonly ChangeRow[];
}

/** A memory as lists have it. */
export interface MemoryRow {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly confidence: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly usage_count: number;
}

/** How what a memory is about stands now. */
export type Freshness = 'fresh' | 'drifted' | 'orphaned' | null;

/** What a memory is about, and how it stands. */
export interface AboutFields {
  readonly about: readonly { readonly id: string; readonly kind: string; readonly state: string }[];
  readonly freshness: Freshness;
  /** What speaks against it; left out where nothing does. */
  readonly standing?:
    | {
        readonly state: string;
        readonly by: { readonly id: string; readonly title: string } | null;
      }
    | undefined;
}

/** Errors of one fingerprint: one failure, however often it was met. */
export interface ErrorRow {
  readonly fingerprint: string | null;
  readonly error_type: string;
  readonly message: string;
  readonly error_id: string;
  readonly count: number;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly tasks: readonly { readonly task_id: string; readonly status: string }[];
  readonly tests: readonly string[];
  readonly resolved_by: readonly FixRow[];
  readonly later: string | null;
}

/** What `explore_history` answers. */
export interface HistoryAnswer extends Stated {
  readonly memories: readonly {
    readonly id: string;
    readonly type: string;
    readonly title: string;
    readonly says?: string | undefined;
    readonly freshness: Freshness;
    readonly about: readonly string[];
    readonly of_file?: true | undefined;
  }[];
  readonly memories_total: number;
  readonly failures: readonly (Omit<ErrorRow, 'tasks' | 'resolved_by'> & {
    readonly fixed_by: readonly FixRow[];
    /** It is of the file of the symbol, and is not known to be of the symbol itself. */
    readonly of_file?: true | undefined;
  })[];
  readonly failures_total: number;
  readonly tasks: readonly {
    readonly task_id: string;
    readonly status: string;
    readonly created_at: string;
    readonly client: string | null;
    readonly prompt: string;
    readonly how: string;
    readonly of_file?: true | undefined;
  }[];
  readonly tasks_total: number;
}

/** A task as lists have it. */
export interface TaskRow {
  readonly task_id: string;
  readonly status: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly client: string | null;
  readonly session_id: string | null;
  readonly prompt: string;
  readonly steps: number;
  readonly tools: number;
  readonly errors: number;
  readonly files: readonly string[];
}

/** What `tasks` answers. */
export interface TasksAnswer extends Stated {
  readonly tasks: readonly TaskRow[];
  readonly total: number;
}

/** One event of a step. */
export type EventRow =
  | {
      readonly kind: 'tool';
      readonly tool_id: string;
      readonly at: string | null;
      readonly tool_name: string;
      readonly command: string | null;
      readonly file: string | null;
      readonly added: number | null;
      readonly removed: number | null;
      readonly duration_ms: number | null;
      readonly success: boolean | null;
      readonly files: readonly string[];
      readonly symbols: readonly string[];
      readonly said: string;
      /** What an edit changed; null: it is none. */
      readonly edit?:
        | { readonly removed: readonly string[]; readonly now: readonly string[]; readonly left_out: number }
        | null
        | undefined;
    }
  | {
      readonly kind: 'error';
      readonly error_id: string;
      readonly at: string | null;
      readonly error_type: string;
      readonly message: string;
      readonly tests: readonly string[];
      readonly resolved_by: FixRow | null;
      readonly later: string | null;
    }
  | {
      readonly kind: 'checkpoint';
      readonly checkpoint_id: string;
      readonly at: string | null;
      readonly checkpoint_file: string;
    };

/** One step of a task. */
export interface StepRow {
  readonly step_id: string;
  readonly order: number;
  readonly role: string | null;
  readonly agent: string | null;
  readonly summary: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly events: readonly EventRow[];
  readonly left_out: number;
}

/** What `show` answers. */
export interface TaskAnswer extends Stated {
  readonly task: TaskRow;
  readonly prompt: string;
  readonly summary: string;
  readonly steps: readonly StepRow[];
}

/** What `errors` answers. */
export interface ErrorsAnswer extends Stated {
  readonly errors: readonly ErrorRow[];
  readonly total: number;
}

/** What `trace_impact` answers. */
export interface ImpactAnswer extends Stated {
  readonly tasks: readonly { readonly task_id: string; readonly prompt: string }[];
  readonly files: readonly { readonly path: string; readonly use: string | null; readonly there: boolean }[];
  readonly symbols: readonly (NodeRow & { readonly callers: number; readonly tests: number })[];
  readonly callers: readonly NodeRow[];
  readonly tests: readonly (NodeRow & { readonly failed: boolean })[];
}

/** What `memory_search` answers. */
export interface MemoriesAnswer extends Stated {
  readonly results: readonly (MemoryRow & AboutFields)[];
  readonly has_more: boolean;
}

/** What `memory_get` answers. */
export interface MemoryAnswer extends AboutFields, Stated {
  readonly memory: MemoryRow;
  readonly relationships: readonly {
    readonly id: string;
    readonly type: string;
    readonly direction: 'out' | 'in';
    readonly memory: { readonly id: string; readonly type: string; readonly title: string };
    readonly strength: number;
    readonly proposed?: boolean | undefined;
  }[];
}

/** What `memory_related` answers. */
export interface RelatedAnswer extends Stated {
  readonly results: readonly (MemoryRow & {
    readonly relationship: string;
    readonly strength: number;
    readonly distance: number;
  })[];
  readonly total: number;
}

/** What `memory_history` answers. */
export interface VersionsAnswer extends Stated {
  readonly versions: readonly {
    readonly version: number;
    readonly said_at: string;
    readonly replaced_at: string | null;
    readonly title: string;
    readonly content: string;
    readonly changed: readonly string[];
  }[];
}

/** What `search_code` answers. */
export interface SearchAnswer extends Stated {
  readonly query: string;
  readonly hits: readonly {
    readonly id: string;
    readonly kind: string;
    readonly qualified_name?: string | undefined;
    readonly file: string;
    readonly lines: string;
    readonly signature?: string | undefined;
    readonly summary?: string | undefined;
    readonly score: number;
    readonly why?: readonly string[] | undefined;
  }[];
  readonly notes: readonly string[];
}

/** An edge that `explain` found. */
export interface ExplainEdge {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly resolution: string | null;
  readonly confidence: number | null;
  readonly places: readonly {
    readonly path: string | null;
    readonly line: number;
    readonly expression: string;
    readonly text: string | null;
  }[];
}

/** What `explain` answers. */
export interface ExplainAnswer extends Stated {
  readonly exists: boolean;
  readonly from: readonly (NodeRow & { readonly qualified_name: string })[];
  readonly to: readonly (NodeRow & { readonly qualified_name: string })[];
  readonly edges: readonly ExplainEdge[];
  readonly candidates: readonly ExplainEdge[];
  readonly reverse: readonly ExplainEdge[];
  readonly path:
    | readonly { readonly kind: string; readonly from: string; readonly to: string; readonly line: number }[]
    | null;
  readonly why_not: readonly string[];
  readonly summary: string;
}

/** A box of the map. */
export interface MapBox {
  readonly id: string;
  readonly path: string;
  readonly kind: 'folder' | 'file';
  readonly name: string;
  readonly files: number;
  readonly symbols: number;
  readonly opens: boolean;
  readonly changes: number;
  readonly failures: number;
  readonly memories: number;
  /** Which cycle of dependencies it is part of; null: none. */
  readonly cycle: number | null;
}

/** What `explore_map` answers. */
export interface MapAnswer extends Stated {
  readonly folder: string;
  readonly parents: readonly { readonly path: string; readonly name: string }[];
  readonly boxes: readonly MapBox[];
  readonly arrows: readonly {
    readonly from: string;
    readonly to: string;
    readonly imports: number;
    readonly calls: number;
  }[];
  readonly arrows_total: number;
  readonly cycles: readonly (readonly string[])[];
  readonly left_out: number;
}

/** What `graph_stats` answers. */
export interface StatsAnswer extends Stated {
  readonly nodes: number;
  readonly edges: number;
  readonly nodes_by_type: Readonly<Record<string, number>>;
  readonly edges_by_type: Readonly<Record<string, number>>;
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly extracted: number;
    readonly not_extracted: number;
    readonly symbols: number;
  }[];
  readonly package_calls: number;
  readonly unresolved_calls: number;
  readonly syntax_errors: readonly string[];
  readonly damaged_manifests: readonly string[];
  readonly complete: boolean;
  readonly generation: number;
}

/** What `explore_health` answers. */
export interface HealthAnswer extends Stated {
  readonly indexed_at: string | null;
  readonly complete: boolean;
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly extracted: number;
    readonly tier: string;
    readonly means: string;
  }[];
  readonly unresolved: readonly {
    readonly cause: string;
    readonly calls: number;
    readonly names: readonly { readonly name: string; readonly calls: number }[];
  }[];
  readonly syntax_errors: readonly { readonly path: string; readonly lines: readonly number[] }[];
  readonly syntax_errors_total: number;
  readonly not_extracted: readonly { readonly path: string; readonly reason: string }[];
  readonly not_extracted_total: number;
  readonly skipped: readonly { readonly reason: string; readonly means: string; readonly count: number }[];
  readonly masked: readonly { readonly kind: string; readonly times: number }[];
}

/** What the server says of the daemon and what is stored. */
export interface StatusAnswer {
  readonly home: string;
  readonly bytes: number;
  readonly daemon: {
    readonly pid: number;
    readonly version: string;
    readonly started: string;
    readonly memory_bytes: number;
  } | null;
  readonly journal: { readonly pending: number };
  /** How the hooks of each client that asked something ended, ever. */
  readonly hooks: Readonly<Record<string, HookEnds>>;
  readonly paused: boolean;
  readonly project: {
    readonly bytes: { readonly derived: number; readonly durable: number };
    readonly paused: boolean;
    readonly not_watched: string | null;
  } | null;
}

/** How hooks ended: with a text, with nothing to say, after their client had gone on, with a failure. */
interface HookEnds {
  readonly answered: number;
  readonly silent: number;
  readonly late: number;
  readonly failed: number;
}

/** What `query_cypher` answers. */
export interface CypherAnswer extends Stated {
  readonly results: {
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    readonly columns: readonly string[];
    readonly row_count: number;
    readonly truncated: boolean;
    readonly hints: readonly string[];
    readonly plan: string | null;
  };
  readonly metadata: { readonly total_count: number; readonly execution_time_ms: number };
}
