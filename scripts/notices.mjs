import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The licences of the packages that a bundle holds, as one text: their authors ask that it goes along.
 *
 * @param inputs esbuild's metafile inputs
 */
export async function noticesOf(root, inputs) {
  const folders = Object.keys(inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(path)?.[0],
  );
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  const notices = await Promise.all(packages.map((folder) => noticeOf(join(root, folder))));
  return `Codewalk's bundle holds these packages.\n\n${notices.join('\n\n')}\n`;
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/iu.test(entry));
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  return `## ${name} ${version} (${license})${text}`;
}
