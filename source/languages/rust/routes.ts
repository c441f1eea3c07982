import type { RouteRules } from '../../lower/index.js';

const VERBS = 'get post put patch delete head options trace'.split(' ');

/** Frameworks whose routes are known. */
export const routes: readonly RouteRules[] = [
  {
    module: /^axum\b/,
    routers: ['Router', 'Router.new', 'new'],
    calls: [
      { names: ['route'], does: 'route', method: 'call', path: 0, handler: 1 },
      { names: ['nest'], does: 'mount', path: 0, handler: 1 },
    ],
  },
  {
    module: /^actix_web\b/,
    routers: ['App', 'Scope', 'Resource'],
    calls: [{ names: ['route'], does: 'route', method: 'call', path: 0, handler: 1 }],
    decorators: VERBS.map((verb) => ({
      names: [verb],
      does: 'route' as const,
      method: { is: verb.toUpperCase() },
    })),
  },
];
