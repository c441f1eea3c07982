import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Level } from 'level';
import { test } from 'vitest';
import { open, scratch, write } from '../walkers/project.js';
import { randomOf, SHAPES } from '../secrets/shapes.mjs';

async function bytesBelow(folder: string): Promise<[string,string][]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  const parts: [string, string][] = files.map((f) => [f, readFileSync(f).toString('utf8')]);
  for (const store of files.filter((f) => basename(f) === 'CURRENT').map((f) => dirname(f))) {
    const level = new Level<Uint8Array, Uint8Array>(store, { keyEncoding: 'view', valueEncoding: 'view' });
    for await (const [key, value] of level.iterator()) {
      const k = Buffer.from(key).toString('latin1').slice(0, 80);
      parts.push([k, Buffer.concat([key, Buffer.from('\n'), value]).toString('utf8')]);
      for (let at = value.indexOf(1); value.length > 300 && at >= 0 && at < 4000; at = value.indexOf(1, at + 1)) { try { parts.push([k+'z', inflateRawSync(value.subarray(at + 1)).toString('utf8')]); } catch {} }
    }
    await level.close();
  }
  return parts;
}
test('index', async () => {
  const random = randomOf(5);
  const told: [string, string][] = [];
  const tok = (door: string, prefix = 'ghp_') => { const s = SHAPES.find(({ name }) => name.startsWith(prefix))!.make(random); for (const c of s.cores) told.push([c, door]); return s.text; };
  const home = scratch();
  const root = write({
    'a.ts': `/** file doc ${tok('ts file doc')} */\nimport { x } from './${tok('ts import')}';\n/** doc ${tok('ts doc')} */\n// line ${tok('ts comment')}\nexport function alpha(a = '${tok('ts default')}', b: '${tok('ts type')}'): '${tok('ts return type')}' { // TODO ${tok('ts todo')}\n  return beta('${tok('ts call arg')}');\n}\nexport const beta = '${tok('ts const')}';\nexport const K = { '${tok('ts key')}': 1, k2: '${tok('ts objval')}' };\n@dec('${tok('ts decorator')}')\nexport class G extends H('${tok('ts extends')}') { ['${tok('ts computed')}']() {} \n f = '${tok('ts field')}'; }\napp.get('/x/${tok('ts route')}', alpha);\nfetch('https://user:${tok('ts url')}@example.com/x');\nenum E { A = '${tok('ts enum')}' }\ntype T = '${tok('ts alias')}';\nprocess.env.${tok('ts env')};\nfunction ${tok('ts funcname')}() {}\nclass ${tok('ts classname')} {}\nconsole['${tok('ts member')}']();\nthrow new Error('${tok('ts throw')}');\nrequire('${tok('ts require')}');\n`,
    'b.py': `"""${tok('py module doc')}"""\nimport os\n@dec("${tok('py dec')}")\ndef d(a="${tok('py default')}") -> "${tok('py ret')}":\n    """${tok('py doc')}"""\n    # FIXME ${tok('py fixme')}\n    return e("${tok('py arg')}")\nclass Z(B, metaclass=M("${tok('py meta')}")):\n    """${tok('py class doc')}"""\n    x = "${tok('py attr')}"\nTOKEN = "${tok('py const')}"\ndef ${tok('py funcname')}(): pass\nfrom x import ${tok('py import')}\n__all__ = ["${tok('py all')}"]\n`,
    'a.test.ts': `describe('${tok('describe')}', () => { it('${tok('it')}', () => { alpha(); }); });\n`,
    'c.vue': `<script setup lang="ts">\n/** ${tok('vue doc')} */\nconst t = alpha('${tok('vue arg')}');\n</script>\n<template><p title="${tok('vue title')}">${tok('vue text')}</p></template>\n`,
    'package.json': JSON.stringify({ name: 'p' + tok('pkg name'), description: tok('pkg desc'), scripts: { test: 'x ' + tok('pkg script'), [tok('pkg scriptname')]: 'y' }, dependencies: { ['d' ]: 'git+https://' + tok('pkg dep') + '@github.com/x/y' }, repository: 'https://' + tok('pkg repo') + '@github.com/x' }),
    's.yaml': `plain: ${tok('yaml value')}\n${tok('yaml key')}: 1\nlist:\n  - ${tok('yaml item')}\n# ${tok('yaml comment')}\n`,
    'p.toml': `[project]\nx = "${tok('toml')}"\n["${tok('toml table')}"]\ny=1\n`,
    'i.ini': `[${tok('ini section')}]\nz=${tok('ini')}\n`,
    '.env.example': `FOO=${tok('env example')}\nTOKEN=${tok('env example2')}\n`,
    'README.md': `# H ${tok('md head')}\n\ntext ${tok('md text')}\n[l](https://x:${tok('md url')}@h/)\n`,
    'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { ['@/' + tok('tsconfig path')]: ['./' + tok('tsconfig path2')] } } }),
    [`f-${tok('file name')}.ts`]: 'export const nn = 1;\n',
    [`d-${tok('folder name')}/q.ts`]: 'export const mm = 1;\n',
    'CODEOWNERS': `* @${tok('codeowners')}\n`, 'requirements.txt': `--extra-index-url https://u:${tok('requirements')}@h/simple\nx @ git+https://${tok('req2')}@github.com/x\n`,
    '.gitmodules': `[submodule "x"]\n url = https://${tok('gitmodules')}@github.com/x\n`,
  });
  const git = (...w: string[]) => execFileSync('git', ['-C', root, '-c', `user.name=a ${tok('author')}`, '-c', 'user.email=a@b', ...w], { stdio: 'pipe' });
  git('init', '-qb', `feature/${tok('branch')}`); git('remote', 'add', 'origin', `https://x:${tok('remote')}@github.com/a/b`); git('add', '-A'); git('commit', '-qm', `alpha ${tok('subject')} change`, '-m', `body ${tok('body')} more`);
  const graph = await open(root, home);
  await graph.spawn('graph_index_project', null, {});
  await graph.spawn('memory_store', null, { type: 'fix', title: 'a title', content: 'c' });
  await graph.spawn('memory_store', null, { type: 'fix', title: 'b title', content: 'd', request_id: `r-${tok('request_id')}`, context: { git_branch: tok('ctx branch') } }).catch((e) => console.log('store', e.message));
  await graph.spawn('query_impact', null, { name: 'alpha' });
  await graph.spawn('project_texts', null, {}).catch((e) => console.log(e.message));
  await graph.spawn('etg_log_event', null, { kind: 'task_start', payload: { user_prompt: 'x', git_branch: tok('task branch'), [tok('undeclared key')]: tok('undeclared') }, session_id: 's' }).catch((e) => console.log(e.message));
  await graph.close();
  const parts = await bytesBelow(home);
  const out: string[] = [];
  for (const [core, door] of told) { const hits = parts.filter(([, t]) => t.includes(core)); if (hits.length) out.push(`${door}: ${hits.map(([w, t]) => w.replace(home, '') + ' … ' + t.slice(Math.max(0, t.indexOf(core) - 70), t.indexOf(core) + 8).replace(/[^ -~]/g, '.')).slice(0, 6).join('\n      ')}`); }
  writeFileSync('/tmp/text26/index.txt', out.join('\n'));
}, 100000);
