import { type Found, found, type Sighting } from './found.js';
import { indexFrom } from './lines.js';

/** Mocha: behind `2 failing` each as `  1) suite`, its title in further lines up to a colon, then why. */
export function readMocha(lines: readonly string[]): Found | null {
  const from = lines.findIndex((line) => /^ {2}\d+ failing$/u.test(line));
  if (from < 0) return null;
  const sightings: Sighting[] = [];
  for (let index = from + 1; index < lines.length; index++) {
    const first = /^ {2}\d+\) (.*)$/u.exec(lines[index] ?? '')?.[1];
    if (first === undefined) continue;
    const end = indexFrom(lines, index, /:$/u);
    const titles = [first, ...lines.slice(index + 1, end + 1).map((line) => line.trim())];
    const name = titles
      .slice(0, end - index + 1)
      .join(' > ')
      .replace(/:$/u, '');
    const reason =
      lines
        .slice(end + 1, end + 8)
        .find((line) => line.trim() !== '')
        ?.trim() ?? '';
    sightings.push({ name, reason, line: index });
    index = end;
  }
  return found('test_failure', sightings);
}
