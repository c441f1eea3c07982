export declare function chance(seed: number): {
  below(limit: number): number;
  oneOf<T>(choices: readonly T[]): T;
  maybe(make: () => string, times?: number): string;
  some(most: number, make: () => string): string;
};
