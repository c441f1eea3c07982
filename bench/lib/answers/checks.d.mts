/** See checks.mjs. */
export function wrongAnswers(
  lines: readonly object[],
  ask: (walker: string, input: Record<string, unknown>) => Promise<unknown>,
  options?: { readonly only?: (walker: string) => boolean },
): Promise<{
  readonly asked: Readonly<Record<string, number>>;
  readonly wrong: readonly {
    readonly walker: string;
    readonly input: object;
    readonly wrong: readonly string[];
  }[];
}>;
