using System;
using System.Collections.Generic;
using static Shop.Text.Words;
using Money = Shop.Values.Amount;

namespace Shop.Carts
{
    /// <summary>What is bought.</summary>
    [Serializable, Table("carts")]
    public abstract partial class Cart<T, U> : Base<T>, IEnumerable<T>
        where T : class, IThing
    {
        private readonly int _count = 1, _more;
        public const string Name = "cart";
        public event EventHandler Changed;
        public List<T> Items { get; private set; } = new List<T>();
        public int Count => _count + Items.Count;
        public virtual Money Total
        {
            get { return Sum(Items); }
            set { Store(value); }
        }
        public T this[int index] => Items[index];

        public Cart(int count, string name = "x") : base(count) { }
        public Cart() : this(0) { }

        public override async Task<int> RunAsync<V>(V value, params string[] rest) where V : IThing
        {
            await Save(value);
            return rest.Length;
        }

        void IThing.Explicit(int? number, Point? point) { }
        public static Cart<T, U> operator +(Cart<T, U> a, Cart<T, U> b) => a.Joined(b);
        public delegate bool Check(T item);
        enum Color : byte { Red = 1, Green }
        struct Point { public int X; }
    }

    public record Line(int Number, string Text) { public int Size { get; init; } }
    public class Shelf(IThing thing) { int Width => thing.Width(); }
    interface IThing : IDisposable { int Width(); string Label { get; } }
    static class Extensions { public static string Short(this string text, int size) => text.Substring(0, size); }
}
