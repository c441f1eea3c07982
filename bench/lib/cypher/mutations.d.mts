export declare function mutations(seed: number): { mutated(text: string): string };
