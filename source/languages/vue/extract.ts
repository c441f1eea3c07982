import type { FileFacts } from '../../facts.js';
import type { ParsedFile } from '../language.js';
import { type ComponentFile, extractComponentFile } from '../typescript/index.js';
import { type Block, blocksOf } from './blocks.js';
import { statementStart } from './script-text.js';
import { scriptsOf } from './template.js';

/** The facts of one single-file component. */
export function extract(file: ParsedFile): FileFacts {
  return extractComponentFile('vue', file, componentFile(file));
}

function componentFile({ path, text }: ParsedFile): ComponentFile {
  const blocks = blocksOf(text);
  const scripts = blocks.filter(({ kind }) => kind === 'script');
  const main = scripts.find(({ isSetup }) => isSetup) ?? scripts[0] ?? blocks[0];
  const templates = blocks.filter(({ kind }) => kind === 'template');
  return {
    name: optionName(text, main) ?? componentName(path),
    head: main ? [main.tag.start, main.tag.end] : [0, 0],
    end: text.trimEnd().length,
    scripts: scripts.map(({ from, to, isSetup, src }) => ({ from, to, isSetup, src })),
    pieces: templates.flatMap((block) =>
      scriptsOf(text, block).map((script) => ({
        ...script,
        start: statementStart(text, script),
        name: text.slice(script.from, script.to),
      })),
    ),
  };
}

/** The name that a setup script gives: `defineOptions({ name: 'UserCard' })`. */
function optionName(text: string, main: Block | undefined): string | null {
  if (!main?.isSetup) return null;
  const script = text.slice(main.from, main.to);
  return (
    /\bdefineOptions\(\s*\{(?:(?!\bdefineOptions\()[^}])*?\bname\s*:\s*(['"])([^'"\n]+)\1/.exec(
      script,
    )?.[2] ?? null
  );
}

/**
 * What a component is called that does not say so: after its file, `user-card.vue` and `UserCard.vue` alike; `index.vue`
 * after its folder. A name that is no word, `[id].vue`, stays as it is.
 */
function componentName(path: string): string {
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(/\.vue$/i, '');
  const name = /^index$/i.test(file) ? (parts.pop() ?? file) : file;
  if (!/^[\w-]+$/.test(name)) return name;
  return name.replace(/(?:^|(?<!-)-+)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
