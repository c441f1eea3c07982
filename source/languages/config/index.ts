import { isCompilerConfig } from '../../manifest-names.js';
import type { TextFormat } from '../language.js';
import { dotenvFacts } from './dotenv-keys.js';
import { jsonFacts } from './json-keys.js';
import { tomlFacts } from './toml-keys.js';

/** Of all three: they share how keys are named and shown. */
const shared = { grammar: null, version: 1 } as const;

/** Manifests of npm packages and configurations of TypeScript, which may have comments. */
export const json: TextFormat = {
  ...shared,
  name: 'json',
  takes: (name) => name === 'package.json' || isCompilerConfig(name),
  extract: jsonFacts,
};

/** The configuration of a Python project. */
export const toml: TextFormat = {
  ...shared,
  name: 'toml',
  takes: (name) => name === 'pyproject.toml',
  extract: tomlFacts,
};

/** What shows which variables an environment has to have. Files that hold their values are never read (spec P-04). */
export const dotenv: TextFormat = {
  ...shared,
  name: 'dotenv',
  takes: (name) => /^\.?env(?:\.[\w-]+)*\.(?:example|sample|template)$/i.test(name),
  extract: dotenvFacts,
};
