import { readFileSync, statfsSync } from 'node:fs';

/** File systems that are also written by other machines, whose writes nobody tells us: magic numbers of `statfs(2)`. */
const SHARED_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x47504653, 'GPFS'],
  [0x0bd00bd0, 'Lustre'],
]);

/**
 * Why a folder cannot be watched so that every change is told, and in the order in which they are made; null when it
 * can. Only Linux gives that order for folders of different trees (one inotify queue per event loop).
 */
export function whyNotWatched(root: string, platform: string = process.platform): string | null {
  if (platform !== 'linux') return `changes are not told in their order on ${platform}`;
  try {
    const name = SHARED_FILE_SYSTEMS.get(statfsSync(root).type);
    return name === undefined ? null : `other machines can write to its file system (${name})`;
  } catch {
    return 'its file system cannot be looked at';
  }
}

/** Events that the kernel holds for one event loop; it drops those beyond. The kernel's default where nobody says. */
export function longestQueue(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    return 16_384;
  }
}
