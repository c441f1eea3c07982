export {
  type Backup,
  type BackupLine,
  listBackups,
  outdatedBackups,
  readBackup,
  rewriteBackups,
} from './backup-file.js';
export { type MadeBackup, makeBackup, RollingBackups } from './make-backup.js';
