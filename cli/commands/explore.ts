import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  builtInSignatures,
  graphsFolderOf,
  type Host,
  hasOpen,
  homeStatus,
  packageVersion,
  readCounters,
  writeWhole,
} from '../../host/index.js';
import { CodewalkError, errorFromBody, toCodewalkError } from '../../schema/index.js';
import { type ApiOptions, ExplorerApi, serveExplorer, singlePage } from '../../web/index.js';
import type { Handler } from '../commands.js';
import type { GlobalFlags } from '../flags.js';
import { checkedRoot, DIST, hostFor, type OwnWalkers, rootOf, type Session } from '../session.js';
import { bytesText } from '../text.js';

/** The built page. */
const PAGE = join(DIST, 'web');

/** Serves the explorer of a project until the process is asked to end, or writes one of its views into a file. */
export const explore: Handler<'explore'> = async ({ session, flags, places: [path] }) => {
  const { terminal, own, signal } = session;
  const port = portOf(flags.port);
  if (flags.view !== undefined && flags.export === undefined)
    throw new CodewalkError('INVALID_INPUT', '--view says what --export writes, and there is no --export', {
      suggestion: "Add --export FILE, or open the view's address.",
    });
  const root = checkedRoot(session, rootOf(session, flags, path), flags);
  await using host = hostFor(flags);
  const options = apiOptions(host, root, own, flags);
  if (flags.export !== undefined) return exported(options, session, flags.export, flags.view ?? '');
  const explorer = await serveExplorer({ ...options, page: PAGE, port });
  const { url, token } = explorer;
  if (flags.json) terminal.json({ url, port: explorer.port, token, root, pid: process.pid });
  else terminal.out(`${url}\n`);
  const forgetFile = flags.open === false ? null : openBrowser(url, session);
  if (!flags.quiet && !flags.json) terminal.err('The explorer runs until you press Ctrl+C.\n');
  await aborted(signal);
  forgetFile?.();
  await explorer.close();
  return null;
};

/** The API of a project's explorer: for a page inside a chat. */
export function explorerApi(host: Host, root: string, own: OwnWalkers, flags: GlobalFlags): ExplorerApi {
  return new ExplorerApi(apiOptions(host, root, own, flags));
}

/** The page for inside a chat: it asks its host, and begins with what it is given. */
export function appPage(): string {
  return singlePage(PAGE, { 'mcp-app': { version: packageVersion() } });
}

function apiOptions(
  host: Host,
  root: string,
  own: OwnWalkers,
  { home, force = false, embedded = false }: GlobalFlags,
): ApiOptions {
  const graphs = graphsFolderOf({ home });
  return {
    host,
    root,
    own,
    builtIn: builtInSignatures(),
    version: packageVersion(),
    force,
    isOpen: async () => embedded || hasOpen(graphs, root),
    status: async () => {
      const { projects, ...rest } = await homeStatus(graphs);
      return {
        ...rest,
        hooks: readCounters(graphs).hooks,
        project: projects.find((project) => project.root === root) ?? null,
      };
    },
  };
}

/**
 * Writes a view as one file that works without a server.
 *
 * @param view Its address, whole or from any part on that stands in front of its name.
 * @throws CodewalkError what the view's first walker refuses; `INVALID_INPUT` for no view, or a file that cannot be written.
 */
async function exported(options: ApiOptions, { terminal, signal }: Session, file: string, view: string) {
  const api = new ExplorerApi(options);
  const path = view.replace(/^(?:[^#]*#)?\/*/u, '');
  const answer = await api.view(path, { signal });
  const [first] = Object.values(answer.parts);
  if (first && 'error' in first) throw errorFromBody(first.error);
  const project = { ...api.project(), walkers: [] };
  // Who gets the file need not know where on this machine the project lies.
  const held = { project, answers: { [path]: answer } };
  const text = JSON.stringify(held).replaceAll(JSON.stringify(options.root).slice(1, -1), project.name);
  const html = singlePage(PAGE, JSON.parse(text));
  const to = resolve(terminal.cwd, file);
  if (!isReplaceable(to))
    throw new CodewalkError('INVALID_INPUT', `--export: ${to} is there already and is no view of ours`, {
      input: file,
      suggestion: 'Name another file, or remove that one.',
    });
  try {
    writeWhole(to, html);
  } catch (thrown) {
    const why = thrown instanceof CodewalkError && thrown.cause instanceof Error ? thrown.cause : thrown;
    throw new CodewalkError('INVALID_INPUT', `--export: ${toCodewalkError(why).message}`, {
      input: file,
      suggestion: 'Name a file in a folder that can be written.',
      cause: thrown,
    });
  }
  const bytes = Buffer.byteLength(html);
  return { body: { file: to, view: path, bytes }, text: `${to} (${bytesText(bytes)})\n` };
}

/** Whether a file may be written over: it is not there, empty, or an earlier export. */
function isReplaceable(path: string): boolean {
  const bytes = existsSync(path) && statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
  return bytes.length === 0 || bytes.includes('<script type="application/json" id="answers">');
}

/** @throws CodewalkError `INVALID_INPUT` */
function portOf(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text !== '') return port;
  throw new CodewalkError('INVALID_INPUT', `--port is '${text}', no port`, {
    input: text,
    suggestion: 'A port is a number from 1 to 65535; without --port a free one is taken.',
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** What opens an address on each system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens the browser; where there is none, the address that was printed has to do. The browser is given a file that leads on:
 * everybody on a machine sees with what arguments a program is started.
 *
 * @returns removes that file.
 */
function openBrowser(url: string, { terminal }: Session): () => void {
  const { platform, env } = process;
  const failed = () => terminal.err('No browser could be opened: open the address yourself.\n');
  const [command = 'xdg-open', ...args] = OPENERS[platform] ?? ['xdg-open'];
  if (command === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY && !env.BROWSER) {
    failed();
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-explore-'));
  const file = join(folder, 'open.html');
  const text = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">Codewalk</a>\n`;
  writeFileSync(file, text, { mode: 0o600 });
  const child = spawn(command, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.on('exit', (code) => code !== 0 && failed());
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}
