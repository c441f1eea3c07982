import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { CodewalkError } from '../../schema/index.js';
import { daemonAddress } from './address.js';

/** Places that are tried where strangers listen. */
const PLACES = 4;

/** A server and where it listens. */
export interface Listening {
  readonly server: Server;
  readonly address: string;
}

/**
 * Listens for the clients of a home. Only who holds the home's lock may call it: then a socket that nobody answers on
 * was left by the dead, and one that somebody answers on is a stranger's, and left alone.
 *
 * @throws CodewalkError `DAEMON_FAILED`.
 */
export async function listenAt(home: string, onClient: (socket: Socket) => void): Promise<Listening> {
  let cause: unknown;
  for (let place = 0; place < PLACES; place++) {
    const address = daemonAddress(home, place);
    if (await answers(address)) continue;
    try {
      if (process.platform !== 'win32') rmSync(address, { force: true });
      return { server: await listening(address, onClient), address };
    } catch (error) {
      cause = error;
    }
  }
  throw new CodewalkError('DAEMON_FAILED', `the daemon cannot listen at ${daemonAddress(home)}`, {
    input: daemonAddress(home),
    suggestion: 'Something else holds that path: remove it, or use --embedded.',
    cause,
  });
}

function listening(address: string, onClient: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onClient);
  return new Promise((done, fail) => {
    server.once('error', fail);
    // The socket is the user's alone from the moment it is there.
    const mask = process.umask(0o077);
    server.listen(address, () => {
      process.umask(mask);
      if (process.platform !== 'win32') chmodSync(address, 0o600);
      server.off('error', fail);
      done(server);
    });
  });
}

/** Whether anybody accepts connections there. */
function answers(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
