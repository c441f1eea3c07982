import { directoryOf, joined, resolvedFrom } from '../resolution/file-path.js';

/** Folders that modules are looked for in, in each folder around the file that asks. */
const ROOTS = ['', 'src', 'lib', 'lua'];

/** The files that a module may be, the nearest first: `a.b` is `a/b.lua` or `a/b/init.lua`. */
export function luaFiles(from: string, module: string): string[] {
  const path = module.replaceAll('.', '/');
  const found: string[] = [];
  for (let folder: string | null = directoryOf(from); folder !== null; folder = resolvedFrom(folder, '..'))
    for (const root of ROOTS)
      for (const end of ['.lua', '/init.lua']) found.push(joined(joined(folder, root), `${path}${end}`));
  return found;
}
