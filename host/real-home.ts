import { realpathSync } from 'node:fs';

/** The real path of a home; null where it is not there. */
export function realHome(home: string): string | null {
  try {
    return realpathSync(home);
  } catch {
    return null;
  }
}
