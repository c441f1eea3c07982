// Another build of the package that keeps no text index: what the index costs is told beside it.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundles } from '../../scripts/bundles.mjs';
import { libraryFile } from './measure.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What takes the place of the two files that make documents of files and write them. */
const STUBS = {
  'graphs/code/text/file-text.ts': 'export const documentMaker = () => () => new Uint8Array(0);',
  'graphs/code/text/code-texts.ts': 'export class CodeTexts { put() {} remove() {} async flush() {} }',
};

/** Builds it, beside the packages that it needs; `use` gets the folder of the build, which is gone afterwards. */
export async function withoutTexts(use) {
  const folder = join(ROOT, `node_modules/.cache/codewalk-without-texts-${process.pid}`);
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  try {
    cpSync(dirname(libraryFile()), dist, { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await build({ ...bundles(ROOT).engine, outdir: relative(ROOT, dist), plugins: [stubs] });
    return await use(dist);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const stubs = {
  name: 'stubs',
  setup({ onLoad }) {
    for (const [file, contents] of Object.entries(STUBS)) {
      const filter = new RegExp(`${file.replaceAll('.', '\\.')}$`);
      onLoad({ filter }, () => ({ contents, loader: 'ts' }));
    }
  },
};
