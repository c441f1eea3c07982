/** Files that grow in one construct; see large-files.mjs. */
export const largeFiles: readonly {
  readonly name: string;
  readonly path: string;
  readonly text: (size: number) => string;
}[];
