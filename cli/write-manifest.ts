import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureOf, WalkerRegistry } from '../host/index.js';
import { toolOf } from '../mcp/index.js';

/*
 * The last step of the build, a program of its own: writes down what the faces must know of the built-in walkers, so
 * that they need not load them. Its argument is the folder of the build.
 */
const [folder = '.'] = process.argv.slice(2);
const signatures = new WalkerRegistry([], { bare: false }).list().map(signatureOf);
write('manifest.json', signatures);
write('tools.json', signatures.map(toolOf));

function write(name: string, what: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(what));
}
