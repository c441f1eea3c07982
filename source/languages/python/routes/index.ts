export { routesOf } from './routes.js';
