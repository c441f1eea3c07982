import type { MadeBackup } from '../backups/make-backup.js';
import type { Ask } from '../daemon/wire.js';
import type { Host, Spawned, SpawnOptions, SpawnRequest } from '../host.js';
import type { WalkerSignature } from '../signature.js';

/** A host that passes on what it is asked as plain data: to a thread, or over a socket. */
export abstract class TransportHost implements Host {
  /** Answers with plain data. @throws CodewalkError */
  protected abstract ask(ask: Ask, options?: SpawnOptions): Promise<unknown>;
  abstract release(root: string): Promise<void>;
  abstract close(): Promise<void>;

  async spawn(request: SpawnRequest, options?: SpawnOptions): Promise<Spawned> {
    return (await this.ask({ spawn: request }, options)) as Spawned;
  }

  async describe(folders: readonly string[], deadlineMs: number | null): Promise<readonly WalkerSignature[]> {
    return (await this.ask({ describe: folders, deadlineMs })) as readonly WalkerSignature[];
  }

  async backup(root: string): Promise<MadeBackup> {
    return (await this.ask({ backup: root })) as MadeBackup;
  }

  /** Takes in what is in the journal. @param of A root, for a host in this process: only its history's events. */
  async drain(_of?: string): Promise<void> {
    await this.ask({ drain: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
