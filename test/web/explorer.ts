import { request } from 'node:http';
import { ended, type Scratch } from '../cli/scratch.js';

/** A started `codewalk explore`, and what it printed of itself. */
export interface Explorer {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** Ends it as a terminal would; answers with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the explorer of a project and waits until it says where it is. */
export async function startExplorer(scratch: Scratch, args: readonly string[] = []): Promise<Explorer> {
  const child = scratch.start(['explore', '--no-open', '--json', ...args]);
  const end = ended(child);
  const line = await new Promise<string>((done, fail) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) done(text);
    });
    void end.then(({ stdout, stderr }) => fail(new Error(`it ended: ${stdout}${stderr}`)));
  });
  return {
    ...JSON.parse(line),
    stop: async () => {
      child.kill('SIGTERM');
      return (await end).code;
    },
  };
}

/** An answer of the server. */
export interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Sends a request as it is given: a browser's client would not let us set its `Host`. */
export function ask(
  { port, token }: Explorer,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; bare?: boolean } = {},
): Promise<Reply> {
  const { method = 'GET', headers = {}, body, bare = false } = options;
  const auth = bare ? {} : { authorization: `Bearer ${token}` };
  return new Promise((done, fail) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { ...auth, ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      },
    );
    sent.on('error', fail);
    sent.end(body);
  });
}
