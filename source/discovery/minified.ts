import type { DiscoveryLimits } from './limits.js';

const LINE_FEED = 10;

/**
 * Whether a file is minified: its name says `.min.`, or it is not small and its lines are longer on average than
 * people write. `read` gives its bytes and is called only where the size leaves the question open.
 */
export function isMinified(
  path: string,
  size: number,
  limits: DiscoveryLimits,
  read: () => Uint8Array,
): boolean {
  if (/\.min\.[^./]+$/i.test(path)) return true;
  if (size < limits.minMinifiedBytes) return false;
  const bytes = read();
  const enough = bytes.length / limits.maxAverageLineBytes;
  let lines = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines += 1;
    // Ordinary files are told within their first few lines.
    if (lines >= enough) return false;
  }
  return true;
}
