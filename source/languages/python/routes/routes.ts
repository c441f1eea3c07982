import type { ImportFact, RouteFact } from '../../../facts.js';
import { isInTestFolder } from '../../test-folder.js';
import type { Definitions } from '../definitions.js';
import type { Scopes } from '../scopes.js';
import { endOf, type Syntax, startOf } from '../syntax.js';
import type { SourceText } from '../text.js';
import { foundNodes } from './found.js';
import { PatternReader } from './patterns.js';
import { type Registration, RegistrationReader } from './registrations.js';
import { Routers } from './routers.js';

/** What registers a route, as text: nearly no file has it, and it costs the least to ask. */
const NAMED =
  /\.(?:route|api_route|websocket|get|post|put|patch|delete|head|options|trace|add_url_rule|add_api_route)\s*\(|\bdjango\b/;

/** What the routes of a file are read from. */
export interface RouteSources {
  readonly path: string;
  readonly isTest: boolean;
  readonly root: Syntax;
  readonly text: SourceText;
  readonly definitions: Definitions;
  readonly scopes: Scopes;
  readonly imports: readonly ImportFact[];
}

/**
 * The routes that a file registers with Flask, FastAPI or Django, in the order of the text. A test's own application is
 * part of the test.
 */
export function routesOf(sources: RouteSources): RouteFact[] {
  const { path, isTest, root, text, definitions, scopes, imports } = sources;
  if (isTest || isInTestFolder(path) || !NAMED.test(text.text)) return [];
  const found = foundNodes(root, scopes);
  const routers = new Routers({ found, text, imports, definitions: definitions.list });
  const reader = new RegistrationReader(text, routers, definitions);
  const registrations = [
    ...found.decorations.map((one) => reader.ofDecoration(one)),
    ...found.calls.map((one) => reader.ofCall(one)),
    ...new PatternReader(root, text, imports).registrations(),
  ];
  return numbered(
    registrations.filter((one) => one !== null),
    text,
  );
}

function numbered(registrations: readonly Registration[], text: SourceText): RouteFact[] {
  const ordinals = new Map<string, number>();
  return [...registrations]
    .sort((a, b) => a.start - b.start)
    .map(({ names, start, end, head, body, handlers, named }) => ({
      routes: names.map((name) => {
        const ordinal = (ordinals.get(name) ?? 0) + 1;
        ordinals.set(name, ordinal);
        return { name, ordinal };
      }),
      signature: `${text.signature(start, head)})`,
      span: text.span(start, end),
      body: body && text.span(...body),
      handlers: [...handlers],
      named: named === null ? [] : [text.span(startOf(named), endOf(named))],
    }));
}
