export { type Backup, listBackups, outdatedBackups, readBackup, rewriteBackups } from './backup-file.js';
export type { BackupLine } from './backup-line.js';
export { type MadeBackup, makeBackup, RollingBackups } from './make-backup.js';
