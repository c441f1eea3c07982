import { lowered } from '../lowered.js';
import { withFirstBranches } from './conditions.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** C#. */
export const csharp = lowered({
  rules,
  link,
  version: 2,
  extensions: ['.cs'],
  grammar: 'tree-sitter-c-sharp.wasm',
  ecosystem: 'nuget',
  repair: withFirstBranches,
  isTestPath: (path) => /(?:^|\/)[\w.]*\.?Tests?\/|Tests?\.cs$/.test(path),
  testRunners: ['global.json', 'Directory.Build.props', 'NuGet.Config'].map((manifest) => ({
    manifest,
    command: (_: string, tests: readonly string[]) => [
      'dotnet',
      'test',
      ...(tests.length === 0
        ? []
        : ['--filter', tests.map((test) => `FullyQualifiedName~${test}`).join('|')]),
    ],
  })),
});
