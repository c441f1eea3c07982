/** Names that queries use. */
export interface QueryWords {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
  readonly parameters: readonly string[];
}

export declare function randomQueries(seed: number, words?: QueryWords): { query(): string };
