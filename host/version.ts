import { readFileSync } from 'node:fs';
import type { WalkerSignature } from './host.js';

/** The version of this package. */
export function packageVersion(): string {
  // One folder below the package, built or not.
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version }: { readonly version?: unknown } = JSON.parse(text);
  return String(version);
}

/** The signatures of the built-in walkers, in the order of their registry, as the build wrote them down. */
export function builtInSignatures(): readonly WalkerSignature[] {
  // Next to the bundle that this code is in.
  return JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8'));
}
