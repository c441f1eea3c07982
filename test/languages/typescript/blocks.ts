// Names that only a callback or a block can see carry the block.
describe('first', () => {
  const make = () => new Maker();
  it('uses', () => {
    make();
  });
});

if (process.env.DEBUG) {
  const inBlock = 1;
  function inBlockFunction() {}
  var hoistedOut = inBlock;
}

switch (kind) {
  case 1:
    const one = () => 1;
    one();
}
