import 'package:bloc_test/bloc_test.dart';
import 'package:test/test.dart';
import 'package:shop/cart.dart';

void main() {
  late Cart cart;
  setUp(() => cart = Cart());

  group('Cart', () {
    test('is empty', () {
      expect(cart.isEmpty, isTrue);
    });

    group('add', () {
      test('takes one', () => cart.add(1), skip: true);
    });

    blocTest<CartBloc, int>(
      'emits [1]',
      build: () => CartBloc(),
      act: (bloc) => bloc.add(1),
      expect: () => [1],
    );
  });

  testWidgets('shows it', (tester) async {
    await tester.pumpWidget(CartView());
  });
}
