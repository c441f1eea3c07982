/** Names that queries use. */
export interface QueryWords {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
  readonly parameters: readonly string[];
}

export declare function randomQueries(
  seed: number,
  words?: QueryWords,
): {
  query(): string;
  conditional(): { readonly text: string; readonly names: readonly string[]; readonly condition: string };
  match(): { readonly patterns: readonly string[]; readonly names: readonly string[] };
};
