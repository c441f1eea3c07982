import { execFileSync } from 'node:child_process';

/** Megabytes that a process holds in memory. */
export function memoryOf(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
