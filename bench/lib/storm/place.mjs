// Where a storm happens: a project, a graphs home, and the commands of one build, with all processes that they start.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateProject } from '../generated.mjs';

/** The variable that every process of a storm has in its environment: by it they are found again. */
const MARK = 'CODEWALK_STORM';

/** A scratch project with the commands of a build. */
export class Place {
  /**
   * @param folder a scratch folder
   * @param libraryFile `index.js` of the build; its commands lie beside it
   * @param options `files` of the project, and `env` beside what every process gets
   */
  constructor(folder, libraryFile, { files = 40, env = {} } = {}) {
    this.folder = folder;
    this.dist = dirname(libraryFile);
    this.root = join(folder, 'project');
    this.home = join(folder, 'graphs');
    const userHome = join(folder, 'home');
    for (const made of [this.root, userHome]) mkdirSync(made, { recursive: true });
    writeFileSync(join(this.root, 'package.json'), '{"name": "storm"}\n');
    generateProject(this.root, files);
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: userHome,
      GRAPHS_HOME: this.home,
      NO_COLOR: '1',
      ...env,
    };
    this.env[MARK] = folder;
  }

  /** What starts from now on has nothing in its environment that makes it fail. */
  calm() {
    for (const name of Object.keys(this.env)) if (name.startsWith('CODEWALK_FAULT')) delete this.env[name];
  }

  /** The same project with another home. */
  withHome(home) {
    const other = Object.create(this);
    other.home = home;
    other.env = { ...this.env, GRAPHS_HOME: home };
    return other;
  }

  /** Starts `codewalk` with arguments, as the head of a process group. */
  start(args, options = {}) {
    return this.startProgram(process.execPath, [join(this.dist, 'cli.js'), ...args], options);
  }

  /** Starts `codewalk-record`. */
  startRecorder() {
    return this.startProgram(join(this.dist, 'record.sh'), ['--root', this.root]);
  }

  /** Starts any program here. */
  startProgram(command, args, { env = {} } = {}) {
    return spawn(command, args, { cwd: this.root, env: { ...this.env, ...env }, detached: true });
  }

  /** Runs `codewalk` to its end. */
  run(args, { input = '', ...options } = {}) {
    return ended(this.start(args, options), input);
  }

  /** Raw payloads that wait in the journal. */
  get waiting() {
    return filesIn(join(this.home, 'journal', 'new'));
  }

  /** Running processes of this storm: pid and command line. Linux alone tells them. */
  processes() {
    const all = filesIn('/proc').filter((name) => /^\d+$/.test(name));
    return all.flatMap((pid) => {
      if (!textOf(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${this.folder}`)) return [];
      const command = textOf(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
      return command === '' ? [] : [{ pid: Number(pid), command }];
    });
  }

  /** The daemons of this home. */
  daemons() {
    const ours = this.processes().filter(({ command }) => DAEMON.test(command));
    return ours.filter(({ pid }) => textOf(`/proc/${pid}/environ`).includes(`GRAPHS_HOME=${this.home}\0`));
  }

  /** Ends every process that is left; their command lines. */
  sweep() {
    const left = this.processes();
    for (const { pid } of left) killed(pid);
    return left.map(({ command }) => command);
  }
}

const DAEMON = /\bdaemon\b/;

/** How a process ended, with what it printed. */
export function ended(child, input = '') {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  // Who was killed reads no more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((done) => {
    child.on('error', (error) => done({ code: null, signal: null, ...said, stderr: error.message }));
    child.on('close', (code, signal) => done({ code, signal, ...said }));
  });
}

/** Ends a process, or a group (`-pid`), with SIGKILL. @returns whether it was there */
export function killed(pid) {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process so far; 0 where the system does not tell. */
export function cpuSecondsOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
}

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
