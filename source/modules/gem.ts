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
