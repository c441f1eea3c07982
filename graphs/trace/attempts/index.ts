/** Placeholder until the branch of the attempts is merged. */
export async function storeAttempts(_tasks: Iterable<string>, _context: unknown, _options: { readonly whole?: boolean } = {}): Promise<void> {}
