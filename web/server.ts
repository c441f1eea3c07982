import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { CodewalkError, isRecord, toCodewalkError } from '../schema/index.js';
import { type ApiOptions, ExplorerApi } from './api.js';
import { LiveUpdates } from './live.js';

/** Only this machine reaches the server. */
const ADDRESS = '127.0.0.1';
/** Bytes of a request's body, at most. */
const MOST_BODY = 1_000_000;
/** Bytes from which an answer is compressed. */
const LEAST_ZIPPED = 1000;

/** What every answer says to the browser: the page loads nothing from elsewhere, runs no text as a script, and is framed nowhere. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** What an explorer's server needs. */
export interface ExplorerOptions extends ApiOptions {
  /** The folder of the built page. */
  readonly page: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** A server at work. */
export interface RunningExplorer {
  /** With the token: whoever has it may look. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves the page and the API of one project on the loopback address.
 *
 * @throws CodewalkError `PORT_IN_USE`
 */
export async function serveExplorer(options: ExplorerOptions): Promise<RunningExplorer> {
  const token = randomBytes(24).toString('base64url');
  const { project } = await options.status();
  const live = new LiveUpdates(options);
  const site = new Site(new ExplorerApi(options), live, pageFiles(options.page), token);
  const server = createServer((request, response) => void site.answer(request, response));
  const port = await listening(server, options.port);
  if (project?.indexed_at == null) void live.index();
  return {
    url: `http://${ADDRESS}:${port}/?token=${token}`,
    port,
    token,
    close: () => {
      live.close();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const why = error.code === 'EACCES' ? 'may not be opened by you' : 'is in use';
      fail(
        isTaken
          ? new CodewalkError('PORT_IN_USE', `port ${port} ${why}`, {
              input: port,
              suggestion: 'Leave --port out, and a free one is taken.',
              cause: error,
            })
          : error,
      );
    });
    server.listen(port, ADDRESS, () => done((server.address() as AddressInfo).port));
  });
}

/** A file of the page as it is sent. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the built page by their path: `/` is the page itself. They are few and small, and are held in memory: what is
 * not among them is not served.
 *
 * @param folder Where the build put the page.
 */
function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      const type = TYPES[extname(name)] ?? '';
      return [name === 'index.html' ? '/' : `/${name}`, { type, bytes, zipped: gzipSync(bytes) }];
    }),
  );
}

/** A refusal of the server's own, before any walker is asked. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly suggestion = '',
  ) {
    super(message);
  }
}

/** What walkers take: an object. */
const Input = z.record(z.string(), z.unknown());

class Site {
  /**
   * What the browser sends by itself: it opens the page's files and nothing else, since browsers send a cookie of 127.0.0.1 to
   * whatever listens on another port.
   */
  readonly #cookie: string;

  constructor(
    private readonly api: ExplorerApi,
    private readonly live: LiveUpdates,
    private readonly files: ReadonlyMap<string, PageFile>,
    private readonly token: string,
  ) {
    this.#cookie = createHmac('sha256', token).update('files').digest('base64url');
  }

  /** Answers a request. Never throws: whatever goes wrong is an answer. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      await this.#route(request, response);
    } catch (thrown) {
      if (response.headersSent) return void response.destroy();
      this.#refuse(request, response, thrown);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = checkedUrl(request);
    this.#checkToken(request, url, response);
    const { pathname } = url;
    const file = this.files.get(pathname);
    if (file) {
      checkMethod(request, ['GET', 'HEAD']);
      return sendFile(request, response, file);
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    // What a question waits for, an index above all, is for everybody who looks.
    const options = { signal: gone.signal, onProgress: this.live.onProgress };
    const walker = /^\/api\/walkers\/([\w-]+)$/u.exec(pathname)?.[1];
    if (walker !== undefined) {
      checkMethod(request, ['POST']);
      const mayWrite = request.headers['x-codewalk-write'] === 'yes';
      return sendJson(
        request,
        response,
        await this.api.run(walker, await inputOf(request), mayWrite, options),
      );
    }
    if (!pathname.startsWith('/api/')) throw new Refusal(404, `there is nothing at ${pathname}`);
    checkMethod(request, pathname === '/api/events' ? ['GET'] : ['GET', 'HEAD']);
    if (pathname === '/api/project') return sendJson(request, response, this.api.project());
    if (pathname === '/api/events') return this.live.add(response);
    const path = viewPathOf(url);
    if (path !== null) return sendJson(request, response, await this.api.view(path, options));
    throw new Refusal(404, `there is nothing at ${pathname}`);
  }

  /** Lets in who has the token. Who opens the page with it gets a cookie for the page's files. */
  #checkToken({ headers, socket }: IncomingMessage, url: URL, response: ServerResponse): void {
    const name = `codewalk_${socket.localPort}`;
    const given = url.searchParams.get('token');
    const bearer = /^Bearer (\S+)$/iu.exec(headers.authorization ?? '')?.[1];
    const held = (headers.cookie ?? '').split(/;\s*/u).find((one) => one.startsWith(`${name}=`));
    const opens = (value: string | null | undefined, secret: string) =>
      value != null && isEqual(value, secret);
    const hasToken = opens(given, this.token) || opens(bearer, this.token);
    const isFile = this.files.has(url.pathname);
    if (!hasToken && !(isFile && opens(held?.slice(name.length + 1), this.#cookie)))
      throw new Refusal(
        401,
        'the token is missing or wrong',
        "Open the address that 'codewalk explore' printed.",
      );
    if (hasToken && isFile)
      response.setHeader('set-cookie', `${name}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
    const { status, error, suggestion, code } = refusalOf(thrown);
    if (!request.url?.startsWith('/api/') && status === 401) {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      response.end(LOCKED);
      return;
    }
    response.statusCode = status;
    sendJson(request, response, { error, error_code: code, suggestion });
  }
}

/** The page of who comes without a token. */
const LOCKED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Codewalk: no entry</title>
<main><h1>This page needs its token</h1><p>Open the address that <code>codewalk explore</code> printed. When it was started again, it has a new one.</p></main></html>
`;

function refusalOf(thrown: unknown) {
  if (thrown instanceof Refusal) {
    const { status, message: error, suggestion } = thrown;
    return { status, error, suggestion, code: status === 401 ? 'UNAUTHORIZED' : 'REFUSED' };
  }
  const known = toCodewalkError(thrown);
  const status = STATUS[known.code] ?? 500;
  return { status, error: known.message, suggestion: known.suggestion, code: known.code };
}

const STATUS: Partial<Readonly<Record<string, number>>> = {
  INVALID_INPUT: 400,
  READ_ONLY: 403,
  WALKER_NOT_FOUND: 404,
};

/**
 * The URL of a request that a page of ours may have sent: a name that leads to this machine from elsewhere (DNS rebinding),
 * and a page of another origin, are refused.
 */
function checkedUrl({ headers, url = '/', socket }: IncomingMessage): URL {
  const { host = '', origin } = headers;
  const port = socket.localPort;
  // Browsers leave out the port that all use.
  const hosts = [ADDRESS, 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
  if (!hosts.includes(host)) throw new Refusal(403, `the host '${host}' is not this server`);
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Refusal(403, `the origin '${origin}' may not ask this server`);
  // `//name/` and `http://name/` would name another server.
  if (!/^\/(?![/\\])/u.test(url)) throw new Refusal(400, 'the address is no path');
  let read: URL;
  try {
    read = new URL(url, `http://${host}`);
  } catch {
    throw new Refusal(400, 'the address cannot be read');
  }
  const from = headers['sec-fetch-site'] ?? 'none';
  if (read.pathname.startsWith('/api/') && from !== 'none' && from !== 'same-origin')
    throw new Refusal(403, 'pages of others may not ask this server');
  return read;
}

/**
 * The path of the view that is asked for: `/api/view?path=symbol/…`, or readable behind `/api/view/`, where `..` means what it
 * means in any address. Null: none is.
 */
function viewPathOf({ pathname, searchParams }: URL): string | null {
  if (pathname === '/api/view') return searchParams.get('path') ?? '';
  if (!pathname.startsWith('/api/view/')) return null;
  const query = new URLSearchParams([...searchParams].filter(([name]) => name !== 'token')).toString();
  return `${pathname.slice('/api/view/'.length)}${query === '' ? '' : `?${query}`}`;
}

function checkMethod({ method = '' }: IncomingMessage, methods: readonly string[]): void {
  if (!methods.includes(method))
    throw new Refusal(405, `${method} is not taken here`, `Use ${methods.join(' or ')}.`);
}

async function inputOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/iu.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'the body is not application/json');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BODY) throw new Refusal(413, `the body has more than ${MOST_BODY} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
  const parsed = Input.safeParse(value);
  if (!parsed.success || !isRecord(value))
    throw new Refusal(400, "the body is not an object: a walker's input is one");
  return parsed.data;
}

function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  const isZipped = bytes.length >= LEAST_ZIPPED && takesGzip(request);
  send(request, response, isZipped ? gzipSync(bytes, { level: 3 }) : bytes, isZipped);
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { type, bytes, zipped }: PageFile,
): void {
  response.setHeader('content-type', type);
  // A build gives files of other content other names, but for the page itself.
  response.setHeader('cache-control', type.startsWith('text/html') ? 'no-store' : 'max-age=86400');
  const isZipped = takesGzip(request);
  send(request, response, isZipped ? zipped : bytes, isZipped);
}

function send({ method }: IncomingMessage, response: ServerResponse, bytes: Buffer, isZipped: boolean): void {
  if (isZipped) response.setHeader('content-encoding', 'gzip');
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('content-length', bytes.length);
  response.end(method === 'HEAD' ? undefined : bytes);
}

function takesGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b/u.test(String(headers['accept-encoding'] ?? ''));
}

function isEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
