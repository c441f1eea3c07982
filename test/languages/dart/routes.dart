import 'package:shelf/shelf.dart';
import 'package:shelf_router/shelf_router.dart';
import 'package:go_router/go_router.dart';

Response list(Request request) => Response.ok('all');

Handler api() {
  final router = Router();
  router.get('/carts', list);
  router.post('/carts/<id>', (Request request, String id) => Response.ok(id));
  router.add('PURGE', '/carts', list);
  return router;
}

class Service {
  @Route.get('/health')
  Response health(Request request) => Response.ok('up');
}

final pages = GoRouter(
  routes: [
    GoRoute(
      path: '/cart/:id',
      builder: (context, state) => CartPage(state.pathParameters['id']!),
      routes: [GoRoute(path: 'items', builder: items)],
    ),
  ],
);
