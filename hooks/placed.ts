import { isAbsolute, join } from 'node:path/posix';
import { isAbsolute as isAbsoluteOnWindows, join as joinOnWindows } from 'node:path/win32';

/** A path as it is from anywhere, where the working directory is told. */
export function placed(path: string, cwd: string | undefined): string {
  const file = path.startsWith('file://') ? decoded(path.slice('file://'.length)) : path;
  if (cwd === undefined || isAbsolute(file) || isAbsoluteOnWindows(file)) return file;
  return isAbsolute(cwd) ? join(cwd, file) : joinOnWindows(cwd, file);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
