import type { RouteRules } from '../../lower/index.js';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'options'];

/** Frameworks whose routes are known. */
export const routes: readonly RouteRules[] = [
  {
    module: /^Symfony\\Component\\Routing\\(?:Attribute|Annotation)$/,
    routers: [],
    decorators: [
      { names: ['Route'], does: 'route', method: { argument: 'methods' } },
      { names: ['Route'], does: 'prefix' },
    ],
  },
  {
    module: /^Illuminate\\Support\\Facades$/,
    routers: ['Route'],
    calls: [
      { names: VERBS, does: 'route', method: 'name', path: 0, handler: 1 },
      { names: ['any'], does: 'route', method: { is: 'ALL' }, path: 0, handler: 1 },
      { names: ['prefix'], does: 'group', path: 0, handler: -1 },
      { names: ['group'], does: 'group', path: -1, handler: 0 },
    ],
  },
];
