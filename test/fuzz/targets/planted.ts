import { demand, type Target } from '../target.js';

/** What is wrong on purpose: the fuzzer's own test looks whether it is found, told apart and made small. */
export const planted: Target = {
  name: 'planted',
  weight: 0,
  open: () => {
    let heard = 0;
    return {
      generate: (random) => random.times(20, () => random.oneOf([...'abcdefgh'])).join(''),
      async run(input) {
        const text = String(input);
        demand(!text.includes('abc'), 'no-abc', () => `${text} holds abc`);
        if (text.includes('hh')) throw new TypeError('hh is not a function');
        if (text.includes('dad')) process.kill(process.pid, 'SIGSEGV');
        if (text.includes('fad')) Promise.reject(new Error('fad'));
        while (text.includes('bad'));
        heard += text.includes('gag') ? 1 : 0;
        demand(heard < 2, 'once', () => 'it was told twice');
      },
    };
  },
};
