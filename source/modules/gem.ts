import { directoryOf, resolvedFrom, sharedFolders } from '../resolution/file-path.js';

/** Libraries that come with Ruby. */
const STANDARD = new Set(
  (
    'ruby abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate did_you_mean digest drb English erb error_highlight etc ' +
    'expect fcntl fiber fiddle fileutils find forwardable getoptlong io ipaddr irb json kconv logger matrix mkmf monitor mutex_m ' +
    'net nkf objspace observer open-uri open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rbconfig ' +
    'rdoc readline reline resolv rinda ripper rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile ' +
    'thread thwait time timeout tmpdir tracer tsort un unicode_normalize uri weakref webrick win32ole yaml zlib'
  ).split(' '),
);

/** Whether a library is one that comes with the language. */
export function isRubyStandard(name: string): boolean {
  return STANDARD.has(name);
}

/** The gem that a file that is loaded by its name is of, most often; empty for one that is named by its path. */
export function gemOf(module: string): string {
  return module.startsWith('.') || module.startsWith('/') ? '' : (module.split('/', 1)[0] ?? module);
}

/** The last part of the path of a file that is loaded. */
export function loadedName(module: string): string {
  const last = module.slice(module.lastIndexOf('/') + 1);
  return last.endsWith('.rb') ? last : `${last}.rb`;
}

/**
 * Which of the files of a name is loaded: one beside the file by a path that begins with a dot, else one below a folder that
 * files are loaded from: which these are is not known, so that `lib` comes first, then those of tests, the nearest of each.
 */
export function chosenLoad(from: string, module: string, candidates: readonly string[]): string | null {
  const written = module.endsWith('.rb') ? module : `${module}.rb`;
  if (module.startsWith('.')) {
    const beside = resolvedFrom(directoryOf(from), written);
    return beside !== null && candidates.includes(beside) ? beside : null;
  }
  for (const folder of ['lib', 'test', 'spec', 'app']) {
    const tail = `${folder}/${written}`;
    const fitting = candidates.filter((path) => path === tail || path.endsWith(`/${tail}`));
    const near = (path: string) => sharedFolders(directoryOf(path), directoryOf(from));
    const best = Math.max(...fitting.map(near));
    const [first, ...others] = fitting.filter((path) => near(path) === best);
    if (first !== undefined) return others.length === 0 ? first : null;
  }
  return candidates.includes(written) ? written : null;
}

/** What a gemspec or Gemfile says, as far as it decides what packages are called. */
export interface GemModule {
  /** Gems that it depends on. */
  readonly gems: readonly string[];
}

/** Whether a path is that of a file that {@link readGemModule} reads. */
export function isGemFile(path: string): boolean {
  return /(?:^|\/)(?:Gemfile|gems\.rb|[^/]+\.gemspec)$/.test(path);
}

/** Characters of such a file that are read. */
const LONGEST = 1 << 18;

/** The name of a gem and what it depends on. */
export function readGemModule(text: string): GemModule & { readonly name: string | null } {
  const read = text.slice(0, LONGEST);
  const gems = [
    ...read.matchAll(/^[ \t]*(?:gem|\w+\.add(?:_runtime|_development)?_dependency)[ (]+["']([\w.-]+)["']/gm),
  ];
  return {
    name: /^[ \t]*\w+\.name[ \t]*=[ \t]*["']([\w.-]+)["']/m.exec(read)?.[1] ?? null,
    gems: gems.map(([, name = '']) => name),
  };
}

/** The gems that manifests name, each once, in order. */
export function gemNames(manifests: readonly { readonly gem?: GemModule }[]): readonly string[] {
  return [...new Set(manifests.flatMap(({ gem }) => gem?.gems ?? []))].sort();
}

/** Modules that are not called as the gem that has them. */
const OTHERWISE: Readonly<Record<string, string>> = {
  ActionController: 'actionpack',
  ActionDispatch: 'actionpack',
  Rails: 'railties',
};

/** The gem that has a module, by its name: of `Foo::Bar` and `FooBar` the gems `foo-bar`, `foo_bar`, `foobar`. */
export function gemOfConstant(
  gems: readonly string[],
  loaded: readonly string[],
  name: string,
): string | null {
  const plain = (one: string) => one.replace(/[-_]/g, '').toLowerCase();
  const wanted = plain(name);
  const all = [...loaded.map(gemOf), ...gems];
  const found =
    all.find((one) => plain(one) === wanted) ??
    all.find((one) => plain(one.split(/[-_]/, 1)[0] ?? '') === wanted);
  return found ?? (gems.includes('rails') ? (OTHERWISE[name] ?? null) : null);
}
