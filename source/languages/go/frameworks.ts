import type { RouteCall, RouteRules } from '../../lower/index.js';

const VERBS = 'Get Post Put Patch Delete Head Options Trace Connect'.split(' ');
const UPPER = VERBS.map((verb) => verb.toUpperCase());

/** `mux.HandleFunc("GET /x", handler)` */
const HANDLE: RouteCall = {
  names: ['Handle', 'HandleFunc'],
  does: 'route',
  method: 'pattern',
  path: 0,
  handler: 1,
};

/** `router.GET("/x", handler)`, `router.Group("/v1")`: gin and echo. */
const UPPER_CASE: readonly RouteCall[] = [
  { names: UPPER, does: 'route', method: 'name', path: 0, handler: 1 },
  { names: ['Any'], does: 'route', method: { is: 'ALL' }, path: 0, handler: 1 },
  { names: ['Handle', 'Add'], does: 'route', method: 0, path: 1, handler: 2 },
  { names: ['Group'], does: 'group', path: 0, handler: -1 },
];

/** Frameworks whose routes are known. */
export const routes: readonly RouteRules[] = [
  { module: /^net\/http$/, routers: ['ServeMux', 'NewServeMux'], onPackage: true, calls: [HANDLE] },
  {
    module: /^github\.com\/go-chi\/chi(?:\/v\d+)?$/,
    routers: ['Router', 'Mux', 'NewRouter', 'NewMux', 'Routes', 'With', 'Group', 'Route'],
    calls: [
      { names: VERBS, does: 'route', method: 'name', path: 0, handler: 1 },
      HANDLE,
      { names: ['Method', 'MethodFunc'], does: 'route', method: 0, path: 1, handler: 2 },
      { names: ['Route'], does: 'group', path: 0, handler: 1 },
      { names: ['Group'], does: 'group', path: -1, handler: 0 },
      { names: ['Mount'], does: 'mount', path: 0, handler: 1 },
    ],
  },
  {
    module: /^github\.com\/gorilla\/mux$/,
    routers: ['Router', 'NewRouter', 'Route'],
    calls: [HANDLE],
  },
  {
    module: /^github\.com\/gin-gonic\/gin$/,
    routers: ['Engine', 'RouterGroup', 'IRouter', 'IRoutes', 'New', 'Default', 'Group'],
    calls: UPPER_CASE,
  },
  {
    module: /^github\.com\/labstack\/echo(?:\/v\d+)?$/,
    routers: ['Echo', 'Group', 'New', 'Router'],
    calls: UPPER_CASE,
  },
];
