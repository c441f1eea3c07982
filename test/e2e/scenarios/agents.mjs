import { delegate, edit, read, run, says } from './calls.mjs';

/* Two sub agents at once, which read, fail and edit while the one that sent them waits; then the same session resumed. */

const FIRST = 'SUBTASK make greet in greet.js polite';
const SECOND = 'SUBTASK make leave in leave.js polite';

const part = (match, file, old, now) => ({
  match,
  steps: [
    says('', read(file)),
    says('', edit(file, 'not in there', now)),
    says('', edit(file, old, now)),
    says('', run(`node --check ${file}`)),
    says(`${file} is polite.`),
  ],
});

export default {
  name: 'agents',
  project: {
    files: {
      'package.json': '{ "name": "manners", "version": "1.0.0", "type": "module" }\n',
      'greet.js': "export const greet = (name) => 'hey ' + name;\n",
      'leave.js': "export const leave = (name) => 'so long ' + name;\n",
    },
  },
  sessions: [
    {
      prompt: 'Make both functions polite; give each to a sub agent.',
      scripts: [
        part(FIRST, 'greet.js', "'hey '", "'good day '"),
        part(SECOND, 'leave.js', "'so long '", "'good bye '"),
      ],
      steps: [
        says('Both at once.', delegate(FIRST), delegate(SECOND)),
        says('', run('node --check greet.js')),
        says('Both are polite.'),
      ],
    },
    {
      prompt: 'Is greet.js still as you left it?',
      resume: true,
      steps: [says('', read('greet.js')), says('It is.')],
    },
  ],
};
