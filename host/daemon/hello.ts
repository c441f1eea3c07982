import { statSync } from 'node:fs';
import { packageVersion } from '../version.js';
import { type Hello, PROTOCOL } from './lines.js';

/** What this program says of itself. @param script The daemon's, which is built with all else. */
export function ownHello(script: URL): Hello {
  return { protocol: PROTOCOL, version: packageVersion(), built: builtAt(script) };
}

function builtAt(script: URL): number {
  try {
    return Math.round(statSync(script).mtimeMs);
  } catch {
    // Sources that run as they are were never built.
    return 0;
  }
}
