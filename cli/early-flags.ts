/** What must be known before there is a program that could parse its flags. */
export interface EarlyFlags {
  /** Folders of people's own walkers: they decide which commands there are. */
  readonly walkers: readonly string[];
  /** The first word that is no flag: nearly always the command. */
  readonly command: string | undefined;
  /** Whether even an error in the command line is told as JSON. */
  readonly json: boolean;
  /** Whether graphs are opened in this process. */
  readonly embedded: boolean;
  /** Where graphs are kept; undefined: the default. */
  readonly home: string | undefined;
  /** Seconds; null when none (or nonsense, which the parser refuses later). */
  readonly deadline: number | null;
}

/** Reads the early flags from anywhere in front of `--`. */
export function earlyFlags(argv: readonly string[]): EarlyFlags {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const deadline = Number(valuesOf('--deadline', flags).at(-1) ?? Number.NaN);
  return {
    walkers: valuesOf('--walkers', flags),
    command: flags.find((flag) => !flag.startsWith('-')),
    json: flags.includes('--json'),
    embedded: flags.includes('--embedded'),
    home: valuesOf('--home', flags).at(-1),
    deadline: deadline > 0 ? deadline : null,
  };
}

function valuesOf(flag: string, argv: readonly string[]): string[] {
  return argv.flatMap((argument, at) => {
    if (argument.startsWith(`${flag}=`)) return [argument.slice(flag.length + 1)];
    const next = argument === flag ? argv[at + 1] : undefined;
    return next === undefined ? [] : [next];
  });
}
