import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of this package. */
export function packageVersion(): string {
  // One folder below the package, built or not.
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
