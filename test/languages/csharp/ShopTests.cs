using Xunit;
using NUnit.Framework;

public class ShopTests
{
    [Fact]
    public void Adds() { Assert.Equal(1, new Shop().Add()); }

    [Theory, InlineData(1)]
    public void Adds_more(int count) { }

    [TestCase(1)]
    [TestCase(2)]
    public void Removes(int count) { }

    public void Helper() { }
}
