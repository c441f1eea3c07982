import { answer, type OpenGraph } from '../../../host/index.js';
import type { PackOutput } from '../../../walkers/search/pack-snippets.js';
import type { CodebaseOutput } from '../../../walkers/search/query-codebase.js';
import type { SearchOutput } from '../../../walkers/search/search-code.js';
import type { Files } from '../project.js';

type WithState<T> = T & { readonly state: { readonly cut: readonly string[] } };

/** A small library: authentication, a database, and what lies beside the code. */
export const LIBRARY: Files = {
  'package.json': '{"name": "library"}\n',
  'src/auth.ts': `import { Database } from './database';
import { hash } from './crypto';

/** Who may come in. */
export class Authenticator {
  constructor(private readonly database: Database) {}

  /** Checks a password, for authentication. */
  login(name: string, password: string): boolean {
    const known = this.database.find(name);
    return known === hash(password);
  }

  logout(): void {}
}

export function authenticationHeader(token: string): string {
  return \`Bearer \${token}\`;
}
`,
  'src/database.ts': `export class Store {
  open(): void {}
  close(): void {}
}

export class Database extends Store {
  find(name: string): string {
    this.open();
    return name;
  }
}

export class Archive extends Store {
  compress(): void {}
}
`,
  'src/crypto.ts': `export function hash(text: string): string {
  const salted = salt(text);
  return salted;
}

function salt(text: string): string {
  return \`\${text}pepper\`;
}
`,
  'src/session.ts': `import { Authenticator } from './auth';

export function expireSession(age: number): boolean {
  return age > 3600;
}

export function renewSession(auth: Authenticator): void {
  auth.login('root', 'secret');
}
`,
  'test/session.test.ts': `import { expireSession } from '../src/session';
it('expires a session that is too old', () => {
  expireSession(4000);
});
`,
  'docs/sessions.md': '# Sessions\n\nA session expires after an hour: expireSession says when.\n',
};

/** What `search_code` answers. */
export async function search(graph: OpenGraph, query: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'search_code', { query, ...input });
  const found = body as unknown as WithState<SearchOutput>;
  return { body: found, markdown, ids: found.hits.map(({ id }) => id) };
}

/** What `query_codebase` answers. */
export async function codebase(graph: OpenGraph, q: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'query_codebase', { q, ...input });
  return { body: body as unknown as WithState<CodebaseOutput>, markdown };
}

/** What `pack_snippets` answers. */
export async function pack(graph: OpenGraph, q: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'pack_snippets', { q, ...input });
  return { body: body as unknown as WithState<PackOutput>, markdown };
}
