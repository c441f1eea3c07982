/** Projects that grow in one shape over many files; see large-projects.mjs. */
export const largeProjects: readonly {
  readonly name: string;
  readonly files: (edges: number) => Readonly<Record<string, string>>;
}[];
