import express, { type Application, Router as makeRouter } from 'express';
import { Hono } from 'hono';
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import axios from 'axios';
import { listUsers, createUser, requireUser } from './users';
import imported from './imported';

const app = (module.exports = express());
const api = express.Router();
const deep = makeRouter();
app.use('/api', api);
api.use('/v1', deep);
app.get('/', (request, response) => response.send(listUsers()));
api.post('/users', requireUser('admin'), async (request, response) => {
  response.json(await createUser(request.body));
});
deep.get('/users/:id', listUsers);
deep.delete('users/:id', function removeUser(request, response) {
  const removed = createUser(null);
  function answer() {
    return listUsers();
  }
  response.json(answer(removed));
});
deep.route('/books').get(listUsers).post(createUser);
app.all(['/a', '/b'], listUsers);
app.get(/^\/files\/(.*)$/, listUsers);
app.get(`/static/${app.name}`, listUsers);
app.get(PREFIX + '/x', listUsers);
app.use('/logged', requireUser);
app.use('/imported', imported);
app.use(requireUser);
app.get('/', listUsers);

// No routes: a setting, a client, a map, somebody else's router.
app.get('env');
axios.get('/users', { params: {} });
new Map().get('/x', 1);
imported.get('/x', listUsers);
const cache = { get: (key: string, make: () => void) => make() };
cache.get('/x', () => listUsers());

const hono = new Hono().basePath('/h');
const sub = new Hono()
  .get('/one', (c) => c.json(listUsers()))
  .post('/two', listUsers);
hono.route('/sub', sub);
hono.on(['PUT', 'PATCH'], '/both', (c) => c.json(createUser(c)));
hono.get('/', listUsers).use('*', requireUser);

class Server {
  private readonly app: Application;
  readonly router = makeRouter();
  constructor(readonly other: FastifyInstance) {
    this.app = express();
  }
  routes(typed: FastifyInstance, untyped: any) {
    this.app.put('/server', this.handle);
    this.router.get('/router', () => this.handle());
    typed.patch('/typed', listUsers);
    untyped.get('/untyped', listUsers);
  }
  handle() {}
}

const fastify = Fastify({ logger: true });
fastify.route({ method: ['GET', 'HEAD'], url: '/options', handler: listUsers });
fastify.route({
  method: 'POST',
  path: '/inline',
  preHandler: requireUser,
  async handler(request, reply) {
    return createUser(request.body);
  },
});
fastify.get('/schema', { schema: {} }, async () => listUsers());
fastify.register(
  async (child) => {
    child.get('/child', listUsers);
    child.register(async (inner) => inner.get('/', listUsers), { prefix: '/inner' });
  },
  { prefix: '/v2' },
);
export const plugin: FastifyPluginAsync = async (instance) => {
  instance.get('/plugin', listUsers);
};
export default async function (fastify, options) {
  fastify.get('/named-after-it', listUsers);
}
