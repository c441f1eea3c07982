import { describe, expect, it } from 'vitest';
import { LANGUAGE_NAMES, languageName } from '../../source/discovery/index.js';

describe('the language of a file', () => {
  it.each([
    ['src/a.ts', 'typescript'],
    ['src/a.d.mts', 'typescript'],
    ['A.TSX', 'tsx'],
    ['a.cjs', 'javascript'],
    ['a.pyi', 'python'],
    ['main.go', 'go'],
    ['a.hpp', 'cpp'],
    ['App.vue', 'vue'],
    ['README.md', 'markdown'],
    ['.github/workflows/ci.yml', 'yaml'],
    ['logo.svg', 'svg'],
    ['sub.v2/Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['CMakeLists.txt', 'cmake'],
    ['.env.example', 'dotenv'],
    ['.gitignore', 'ignore'],
    ['unknown.zzz', 'text'],
    ['constructor', 'text'],
    ['LICENSE', 'text'],
  ])('%s is %s', (path, language) => {
    expect(languageName(path)).toBe(language);
  });

  it.each([
    ['#!/bin/sh', 'shell'],
    ['#!/usr/bin/env node', 'javascript'],
    ['#!/usr/bin/env -S PYTHONUTF8=1 python3.12 -u', 'python'],
    ['#! /usr/bin/ruby -w', 'ruby'],
    ['#!/opt/what', 'text'],
    ['# not a first line', 'text'],
  ])('without an ending is told by its first line: %s is %s', (head, language) => {
    expect(languageName('bin/run', head)).toBe(language);
  });

  it('has a lower-case name', () => {
    expect(LANGUAGE_NAMES.length).toBeGreaterThan(80);
    for (const name of LANGUAGE_NAMES) expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
  });
});
