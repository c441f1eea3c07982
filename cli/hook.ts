import { runHook } from '../hooks/index.js';

// `node hook.js …`, as installed hooks run it, or `codewalk hook …`.
const [, , first, ...rest] = process.argv;
await runHook(first === 'hook' ? rest : process.argv.slice(2));
// Nothing that is still open keeps an agent waiting.
process.exit(0);
