import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

/** Milliseconds that a client has to tell its roots. */
const PATIENCE = 2000;

/** The URIs of the client's workspace folders, asked for once and again after they changed; empty when it has none. */
export function clientRootsOf(server: Server): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | null = null;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = null;
  });
  return () => {
    known ??= askedRoots(server);
    return known;
  };
}

async function askedRoots(server: Server): Promise<readonly string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: PATIENCE });
    return roots.map(({ uri }) => uri);
  } catch {
    // A client that promises roots and does not tell them: the working directory is next.
    return [];
  }
}
