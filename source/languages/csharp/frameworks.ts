import type { RouteDecorator, RouteRules } from '../../lower/index.js';

const VERBS = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options'];

const MAPPED = VERBS.map((verb): RouteDecorator => {
  return { names: [`Http${verb}`], does: 'route', method: { is: verb.toUpperCase() } };
});

/** Frameworks whose routes are known. */
export const routes: readonly RouteRules[] = [
  {
    module: /^Microsoft\.AspNetCore/,
    routers: ['WebApplication', 'RouteGroupBuilder', 'IEndpointRouteBuilder', 'RouteGroupBuilder'],
    calls: VERBS.map((verb) => {
      return {
        names: [`Map${verb}`],
        does: 'route',
        method: { is: verb.toUpperCase() },
        path: 0,
        handler: 1,
      };
    }),
    decorators: [...MAPPED, { names: ['Route'], does: 'prefix' }],
  },
];
