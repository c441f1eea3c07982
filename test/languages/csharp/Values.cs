namespace Shop;

public class Values
{
    private Cart _cart = new();

    public string Use(object any, Cart[] carts, Func<int, string> named)
    {
        var cart = new Cart(1) { Name = "a", Items = { 1 } };
        Cart other = new(2);
        cart.Open().Add(count: 1, ref other, out var left, out Cart right, out _);
        right.Close();
        if (any is Cart found && found.IsOpen) found.Close();
        if (any is not Line { Number: 1, Text: string text } line) return null;
        switch (any)
        {
            case Cart one when one.IsOpen: one.Close(); break;
            default: break;
        }
        var label = any switch { Cart two => two.Label(), _ => null };
        foreach (var each in carts) each.Close();
        foreach (var (key, value) in Pairs()) value.Close();
        for (int i = 0; i < 3; i++) Step(i);
        using (var file = Open()) { file.Read(); }
        try { Risk(); } catch (ShopException e) when (e.IsKnown) { e.Log(); }
        Func<Cart, int> size = it => it.Count();
        Action later = () => cart.Close();
        var (first, second) = Pair();
        cart?.Items?.Clear();
        (any as Cart)!.Close();
        ((Cart)any).Close();
        carts[0].Close();
        this.Use(null, null, named);
        var all = from it in carts where it.IsOpen select it.Label();
        System.Console.WriteLine($"a {cart.Label()}");
        cart.Changed += OnChanged;
        Generic<int>(typeof(Cart), nameof(cart.Items));
        int Local(int a) { return a; }
        return cart.Map<Cart, int>(Local).ToString() ?? throw new ShopException();
    }
}
