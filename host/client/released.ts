import { CodewalkError } from '../../schema/index.js';
import type { RemoteHost } from './remote-host.js';

/** Times that a daemon is asked to let go of a root's stores. */
const ATTEMPTS = 3;

/**
 * Does something with the stores of a root, which one process has at a time, once the daemon that may run has let go of
 * them.
 *
 * @throws CodewalkError as `work` does; `STORE_LOCKED` where somebody keeps them.
 */
export async function released<T>(daemon: RemoteHost, root: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await daemon.release(root);
    try {
      return await work();
    } catch (thrown) {
      // Somebody's question had the daemon open them again.
      const isHeld = thrown instanceof CodewalkError && thrown.code === 'STORE_LOCKED';
      if (!isHeld || attempt >= ATTEMPTS) throw thrown;
    }
  }
}
