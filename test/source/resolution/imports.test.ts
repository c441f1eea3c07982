import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

describe('a TypeScript specifier', () => {
  it('ending in .js names the .ts source', () => {
    expect(resolved({ 'a.ts': "import './b.js'", 'b.ts': '' }).imports('a.ts')).toEqual(['b.ts']);
  });

  it('without an extension prefers sources to what is built from them', () => {
    expect(resolved({ 'a.ts': "import './b'", 'b.js': '', 'b.ts': '' }).imports('a.ts')).toEqual(['b.ts']);
  });

  it('of a folder names its index file', () => {
    const sources = { 'x/a.ts': "import '../lib'\nimport '.'", 'lib/index.tsx': '', 'x/index.ts': '' };
    expect(resolved(sources).imports('x/a.ts')).toEqual(['lib/index.tsx', 'x/index.ts']);
  });

  it('may name a file without facts', () => {
    expect(resolved({ 'a.ts': "import './a.css'", 'a.css': '' }).imports('a.ts')).toEqual(['a.css']);
  });

  it('may name a folder with # or ? in its name; elsewhere they begin what a bundler wants to know', () => {
    const sources = {
      'a.ts': "import './x#y/index'\nimport './x#y'\nimport './what?'\nimport './b?raw'\nimport './b#part'",
      'x#y/index.ts': '',
      'what?.ts': '',
      'b.ts': '',
      'x.ts': '',
    };
    expect(resolved(sources).imports('a.ts')).toEqual([
      'x#y/index.ts',
      'x#y/index.ts',
      'what?.ts',
      'b.ts',
      'b.ts',
    ]);
  });

  it('of a package is the package, and of Node the standard library', () => {
    const source = "import '@s/p/deep'\nimport 'fs/promises'\nimport 'node:test'";
    expect(resolved({ 'a.ts': source }).imports('a.ts')).toEqual([
      'package:@s/p',
      'stdlib:fs/promises',
      'stdlib:test',
    ]);
  });

  it('that names nothing, leaves the root or is an alias stays as written', () => {
    const source = "import './gone'\nimport '../../up'\nimport '#in'\nimport '@/x'";
    expect(resolved({ 'a.ts': source }).imports('a.ts')).toEqual(['?./gone', '?../../up', '?#in', '?@/x']);
  });
});

describe('a Python import', () => {
  it('counts leading dots from the package of the file', () => {
    const sources = {
      'p/__init__.py': '',
      'p/a.py': '',
      'p/s/__init__.py': '',
      'p/s/m.py': 'from ..a import f\nfrom .. import a\nfrom ... import x',
    };
    expect(resolved(sources).imports('p/s/m.py')).toEqual(['p/a.py', 'p/__init__.py', 'p/a.py', '?...']);
  });

  it('is found in a source root', () => {
    const sources = {
      'src/flask/__init__.py': '',
      'src/flask/app.py': '',
      'tests/test_a.py': 'import flask.app',
    };
    expect(resolved(sources).imports('tests/test_a.py')).toEqual(['src/flask/app.py']);
  });

  it('of a package brings the submodules it names', () => {
    const sources = { 'p/__init__.py': 'x = 1', 'p/m.py': '', 'a.py': 'from p import m, x' };
    expect(resolved(sources).imports('a.py')).toEqual(['p/__init__.py', 'p/m.py']);
  });

  it('of a standard module is not a file of another folder that has the same name', () => {
    const sources = { 'tools/json.py': '', 'p/__init__.py': '', 'p/a.py': 'import json\nimport os.path' };
    expect(resolved(sources).imports('p/a.py')).toEqual(['stdlib:json', 'stdlib:os']);
  });

  it('of anything else is a package', () => {
    expect(resolved({ 'a.py': 'from werkzeug.utils import x' }).imports('a.py')).toEqual([
      'package:werkzeug',
    ]);
  });

  it('that two equally near files answer to stays open', () => {
    const sources = { 'x/conf.py': '', 'y/conf.py': '', 'z/a.py': 'import conf' };
    expect(resolved(sources).imports('z/a.py')).toEqual(['package:conf']);
  });
});
