/** A file of the project, as a scenario of the harness spells it. */
const at = (path) => `{{PROJECT}}/${path}`;

/** What a model may call, in the harness's abstract tools: it knows each client's own. */
export const read = (path) => ({ tool: 'read', args: { path: at(path) } });
export const edit = (path, old, now) => ({ tool: 'edit', args: { path: at(path), old, new: now } });
export const write = (path, content) => ({ tool: 'write', args: { path: at(path), content } });
export const run = (command) => ({ tool: 'shell', args: { command, description: 'run it' } });
export const delegate = (prompt) => ({ tool: 'agent', args: { prompt, description: 'a part of it' } });

/** One answer of the model. */
export const says = (text, ...calls) => ({ text, calls });
