import { signal } from '@preact/signals';

const query = window.matchMedia('screen and (min-width: 72rem)');

/** Whether what belongs together has room side by side. */
export const isWide = signal(query.matches);

query.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});
