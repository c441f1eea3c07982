import { readFileSync } from 'node:fs';

/** The version of this package. */
export function packageVersion(): string {
  // One folder below the package, built or not.
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version }: { readonly version?: unknown } = JSON.parse(text);
  return String(version);
}
