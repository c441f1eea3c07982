import { CodewalkError } from '../../schema/index.js';

/** Why a file is left as it is. Thrown before anything is written. */
export function refusal(path: string, why: string, suggestion = 'Mend it'): CodewalkError {
  return new CodewalkError('INSTALL_REFUSED', `${path} ${why}`, {
    input: path,
    suggestion: `${suggestion}, then run this again; nothing was changed.`,
  });
}
