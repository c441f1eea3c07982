import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** A page without blocks and spans of code: nothing in them is a link. */
function prose(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
    .replace(/^(`{3,}).*\n[\s\S]*?^\1$/gmu, '')
    .replace(/`[^`\n]*`/gu, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^(`{3,}).*\n[\s\S]*?^\1$/gmu, '');
  return [...text.matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(PAGES)('%s links to files and headings that exist', (page) => {
  const targets = [
    ...[...prose(page).matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target = '']) => target),
    ...[...prose(page).matchAll(/\bsrc="([^"]+)"/gu)].map(([, target = '']) => target),
  ].filter((target) => !/^[a-z]+:/u.test(target));
  const broken = targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchors(file).includes(anchor);
  });
  expect(broken).toEqual([]);
});

it('every page of docs/ is reached from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const page of reached)
    for (const [, target = ''] of prose(page).matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/gu)) {
      const file = relative(ROOT, join(ROOT, dirname(page), target));
      if (existsSync(join(ROOT, file))) reached.add(file);
    }
  expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
});
