/** Numbers by chance, and choices made with them: the same seed, the same ones. */
export function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    /** A whole number from 0 up to, not including, a limit. */
    below,
    oneOf: (choices) => choices[below(choices.length)],
    /** What `make` gives, one time in `times`; else nothing. */
    maybe: (make, times = 2) => (below(times) === 0 ? make() : ''),
    /** Up to so many of them, with commas. */
    some: (most, make) => Array.from({ length: below(most + 1) }, make).join(', '),
  };
}
