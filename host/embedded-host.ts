import type { Host } from './host.js';

/**
 * A host in this process. The engine and the walkers are loaded when it is asked for something for the first time: who
 * only might need it starts without them.
 *
 * @param home where graphs are kept; default: `GRAPHS_HOME`, else `~/.graphs`.
 */
export function embeddedHost(home?: string): Host {
  let loaded: Promise<Host> | null = null;
  const host = () => {
    loaded ??= import('./direct-host.js').then(({ directHost }) => directHost(home));
    return loaded;
  };
  const close = async () => {
    await (await loaded)?.close();
  };
  return {
    spawn: async (request, options) => (await host()).spawn(request, options),
    describe: async (folders, deadlineMs) => (await host()).describe(folders, deadlineMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
