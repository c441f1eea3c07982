/** Placeholder until the branch of the attempts is merged. */
export async function storeAttempts(
  _tasks: Iterable<string>,
  _context: unknown,
  _options: { readonly whole?: boolean } = {},
): Promise<void> {}
export type Ranked = any;
export class AttemptStore {
  constructor(_c: unknown) {}
  async latest(_n: number): Promise<string[]> {
    return [];
  }
}
export async function latestAtFile(_p: string, _c: unknown): Promise<any[]> {
  return [];
}
export async function rankAttempts(_c: unknown, _q: unknown): Promise<any[]> {
  return [];
}
