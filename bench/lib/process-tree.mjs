// Runs a command and watches it with all that it starts: wall time, processor time, and the most memory at once.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 20;
/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

/**
 * @returns seconds, and where there is a /proc: `treeCpuSeconds` and `treeMegabytes`, the largest sum of resident
 * memory of the process and its descendants (sampled: what lives shorter than 20 ms may be missed); else null
 * @throws Error when it fails, with the end of what it said
 */
export function watched(command, args, options = {}) {
  const from = performance.now();
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (said.stdout += text));
  child.stderr.on('data', (text) => (said.stderr += text));
  const cpu = new Map();
  let peak = 0;
  const sample = () => {
    let kibibytes = 0;
    for (const { pid, ticks, resident } of treeOf(child.pid)) {
      cpu.set(pid, ticks);
      kibibytes += resident;
    }
    peak = Math.max(peak, kibibytes);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code !== 0)
        return fail(
          new Error(
            `${command} ${args[0] ?? ''} failed (${code}): ${(said.stderr || said.stdout).slice(-2000)}`,
          ),
        );
      const seconds = (performance.now() - from) / 1000;
      const ticks = [...cpu.values()].reduce((sum, one) => sum + one, 0);
      done({
        seconds,
        treeCpuSeconds: cpu.size > 0 ? ticks / TICKS_PER_SECOND : null,
        treeMegabytes: peak > 0 ? peak / 1024 : null,
        stdout: said.stdout,
      });
    });
  });
}

/** The process and its descendants, as /proc tells; none where there is no /proc. */
function treeOf(root) {
  const all = new Map();
  for (const name of list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = text(`/proc/${name}/stat`);
    // The name stands in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent] = fields;
    if (parent !== undefined)
      all.set(Number(name), { parent: Number(parent), ticks: Number(fields[11]) + Number(fields[12]) });
  }
  const isInTree = (pid) => pid === root || (all.has(pid) && isInTree(all.get(pid).parent));
  return [...all]
    .filter(([pid]) => isInTree(pid))
    .map(([pid, { ticks }]) => ({ pid, ticks, resident: residentOf(pid) }));
}

/** KiB. */
function residentOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0);
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
