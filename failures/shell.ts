/** Of a longer command line the rest is not looked at: it holds a program or data. */
const LONGEST = 20_000;

/** One simple command of a line of shell. */
export interface SimpleCommand {
  /** Its words without quotes, and without what runs it unchanged: `CI=1 timeout 60 npx vitest run` is `vitest run`. */
  readonly words: readonly string[];
  /** What stands after it: `&&`, `||`, `;`, `|`, `&`; empty at the end. */
  readonly then: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** A redirection, a separator, or a word; quotes keep a word together. */
const TOKEN =
  /((?:\d+|&)?[<>]+&?\d*-?)|(&&|\|\||;|\||&|\n)|((?:[^\s'"\\;&|<>]|\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?)+)/gsu;

/** Words before a command that run it unchanged; some take values, which begin with `-` or a digit. */
const WRAPPER =
  /^(?:sudo|env|time|nice|nohup|exec|command|xargs|npx|pnpx|bunx|uvx|timeout|stdbuf|then|do|else|if|while|!|\(+|\{)$/u;
/** A shell that is given a line, and how deep they are looked into. */
const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -\w*c$/u;
const MOST_SHELLS = 3;
const LONG_WRAPPER =
  /^(?:(?:pnpm|yarn|npm) exec|pnpm dlx|(?:uv|poetry|pipenv|hatch|pdm|rye) run|bundle exec|(?:python[\d.]*|py) -m)$/u;

/** What runs a command in a container: its options, then the name of a service, an image or a container stand before it. */
const CONTAINER = /^(?:docker|podman|nerdctl)(?:-compose)?$/u;
/** Options of containers whose value is a word of its own. */
const CONTAINER_VALUE =
  /^(?:-[efhlmnpuvw]|--(?:add-host|cpus|entrypoint|env|env-file|file|hostname|index|label|memory|mount|name|network|platform|profile|project-name|publish|user|volume|workdir))$/u;

/** The simple commands of a line of shell, as far as it takes no shell to tell: expansions stay as they are written. */
export function commandsIn(line: string, depth = 0): SimpleCommand[] {
  const text = withoutHeredocs(line.slice(0, LONGEST));
  const commands: SimpleCommand[] = [];
  let [words, reads, writes]: [string[], string[], string[]] = [[], [], []];
  let redirected: string[] | null = null;
  const end = (then: string): void => {
    const run = unwrapped(words);
    // `bash -lc 'cd web && npm test'` is a line of its own.
    const inner = run.length === 1 && SHELL.test(words.slice(-3, -1).join(' ')) && depth < MOST_SHELLS;
    if (inner) {
      const within = commandsIn(run[0] ?? '', depth + 1);
      commands.push(...within.map((one, at) => (at === within.length - 1 ? { ...one, then } : one)));
    } else if (run.length > 0 || reads.length > 0 || writes.length > 0)
      commands.push({ words: run, then, reads, writes });
    [words, reads, writes, redirected] = [[], [], [], null];
  };
  for (const [, redirection, separator, word] of text.matchAll(TOKEN)) {
    if (separator !== undefined) end(separator === '\n' ? ';' : separator);
    // `2>&1` names no file; `>` does.
    else if (redirection !== undefined)
      redirected = !/[<>]$/u.test(redirection) ? null : redirection.includes('>') ? writes : reads;
    else if (word !== undefined) {
      (redirected ?? words).push(plain(withoutParentheses(word)));
      redirected = null;
    }
  }
  end('');
  return commands;
}

/** `(cd web && npm test)` runs in a shell of its own. */
function withoutParentheses(word: string): string {
  const from = word.startsWith('(') && word.length > 1 ? 1 : 0;
  return word.endsWith(')') && !word.includes('(', from) ? word.slice(from, -1) : word.slice(from);
}

function plain(word: string): string {
  return word.replace(
    /'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gsu,
    (_, one, two, three) => one ?? two ?? three,
  );
}

/** What `<<TAG` feeds to a command is data. */
function withoutHeredocs(text: string): string {
  let rest = text;
  for (let times = 0; times < 10; times++) {
    const start = /(?<!<)<<-?\s*(["']?)([A-Za-z_]\w*)\1/u.exec(rest);
    if (!start) break;
    const body = rest.indexOf('\n', start.index);
    const lines = body < 0 ? [] : rest.slice(body + 1).split('\n');
    const end = lines.findIndex((line) => line.trim() === start[2]);
    const before = `${rest.slice(0, start.index)}${rest.slice(start.index + start[0].length, body < 0 ? undefined : body)}`;
    rest = end < 0 ? before : `${before}\n${lines.slice(end + 1).join('\n')}`;
  }
  return rest;
}

function unwrapped(words: readonly string[]): string[] {
  let from = 0;
  for (let before = false; from < words.length; from++) {
    const word = words[from] ?? '';
    const both = `${word} ${words[from + 1] ?? ''}`;
    const isLong = LONG_WRAPPER.test(both) || SHELL.test(both);
    const runs = isLong || WRAPPER.test(word);
    const isValue = before && /^(?:-|\d+(?:\.\d+)?[smhd]?$)/u.test(word);
    if (!runs && !isValue && !/^\w+=/u.test(word)) break;
    if (isLong) from++;
    before ||= runs;
  }
  const contained = inContainer(words.slice(from));
  return contained.length > 0 ? unwrapped(contained) : words.slice(from);
}

/** What runs in a container: of `docker compose run --rm -e CI=1 web pytest` `pytest`; empty where none is told to run. */
function inContainer(words: readonly string[]): readonly string[] {
  if (!CONTAINER.test(words[0] ?? '')) return [];
  const afterOptions = (from: number): number => {
    let at = from;
    while (words[at]?.startsWith('-')) at += CONTAINER_VALUE.test(words[at] ?? '') ? 2 : 1;
    return at;
  };
  let verb = afterOptions(1);
  if (words[verb] === 'compose') verb = afterOptions(verb + 1);
  if (!/^(?:run|exec)$/u.test(words[verb] ?? '')) return [];
  return words.slice(afterOptions(verb + 1) + 1);
}

/** The name of a program, without its folder and Windows' endings. */
export function programOf(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat|sh)$/u, '');
}

/** A path with slashes, without `./` before and a slash behind it. */
export function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/u, '')
    .replace(/(?<!\/)\/+$/u, '');
}

/** Whether a path or an id is one, or beneath it: `a` is within it, and so are `a/b.ts`, `a > adds` and `a::adds[1]`. */
export function isWithin(path: string, outer: string): boolean {
  return (
    outer === '.' ||
    path === outer ||
    (path.startsWith(outer) && /^(?:\/|::|\[|\s*[>›#]|:\d)/u.test(path.slice(outer.length)))
  );
}
