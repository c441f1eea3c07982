import { discover } from './discover.js';

/**
 * Whether the rules of discovery let a file be read (P-04): not what its name says is secret, not what git or a
 * `.codewalkignore` leaves out, not what lies in a folder that is passed over. Only its folders are looked at.
 *
 * @param root A real path.
 * @param path Root-relative, `/`, NFC.
 */
export async function mayBeRead(root: string, path: string): Promise<boolean> {
  const { files } = await discover(root, { languageOf: () => null, only: [path] });
  return files.some((file) => file.path === path);
}
