import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The page as one file that needs no server: its script and styles are in it, and so is what it shows. It loads nothing, and
 * runs no script but its own.
 *
 * @param folder Where the build put the page; `single.js` is its script in one piece.
 * @param data What the page reads instead of asking a server, by the id of the element that holds it; JSON.
 */
export function singlePage(folder: string, data: Readonly<Record<string, unknown>>): string {
  const part = (name: string) => readFileSync(join(folder, name), 'utf8');
  // Neither may end its own element.
  const script = part('single.js').replaceAll('</script', '<\\/script');
  const styles = part('app.css').replaceAll('</style', '<\\/style');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const held = Object.entries(data).map(
    ([id, value]) => `<script type="application/json" id="${id}">${inElement(value)}</script>\n`,
  );
  // As functions: `$&` in a replacement text would mean something.
  return part('index.html')
    .replace(/<link rel="icon"[^>]*>\s*/u, '')
    .replace(
      /<link rel="stylesheet"[^>]*>/u,
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${styles}</style>`,
    )
    .replace(/<script type="module"[^>]*><\/script>/u, '')
    .replace('</body>', () => `${held.join('')}<script>${script}</script>\n</body>`);
}

/** JSON that ends no element and begins no comment, whatever is in it. */
function inElement(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
