/** One `pom.xml` or Gradle build file, as far as it decides what packages are called. */
export interface JvmModule {
  /** Groups of the things that it depends on: `com.google.guava`. */
  readonly groups: readonly string[];
}

/** Characters of a build file that are read: one that is longer was made by a machine. */
const LONGEST = 1 << 19;

/** Packages that come with the language. */
const STANDARD =
  /^(?:java|javax|jdk|sun|com\.sun|org\.w3c\.dom|org\.xml\.sax|org\.ietf\.jgss|org\.omg|netscape\.javascript)(?:\.|$)/;

/** Whether a package is one of the standard library. */
export function isJvmStandard(name: string): boolean {
  return STANDARD.test(name);
}

/** Whether a path is that of a build file that {@link readJvmModule} reads. */
export function isJvmBuildFile(path: string): boolean {
  return /(?:^|\/)(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/.test(path);
}

/**
 * What is wrong with a build file; null where nothing is, as far as it is read: elements or braces that do not close.
 * Braces of Gradle stand in strings and patterns, too: only what is wrong with and without these is named.
 */
export function jvmBuildProblem(path: string, text: string): string | null {
  if (text.length > LONGEST) return `only its first ${LONGEST} characters are read`;
  if (path.endsWith('.xml')) {
    const left = openElement(text);
    return left === null
      ? null
      : `<${left}> is not closed, or closed and not opened: what can be read counts`;
  }
  const plain = text.replace(GRADLE_TEXT, '');
  const isBroken = [text, plain].every((one) => one.split('{').length !== one.split('}').length);
  return isBroken ? 'its braces do not close: what can be read counts' : null;
}

/** Comments, patterns and strings of one line. */
const GRADLE_TEXT = /~\/[^/\n]*\/|\/\/[^\n]*|"[^"\n]*"|'[^'\n]*'/g;

/** The first element of a `pom.xml` that is not closed in its place; `project` where there is none at all. */
function openElement(text: string): string | null {
  const around: string[] = [];
  let elements = 0;
  for (const part of plainXml(text).split('<').slice(1)) {
    const end = part.indexOf('>');
    const tag = (end < 0 ? part : part.slice(0, end)).trim();
    if (/^[?!]/.test(tag)) continue;
    const name = /^\/?\s*([^\s/]*)/.exec(tag)?.[1] ?? '';
    if (end < 0) return name;
    elements += 1;
    if (tag.startsWith('/')) {
      if (around.pop() !== name) return name;
    } else if (!tag.endsWith('/')) around.push(name);
  }
  return elements === 0 ? 'project' : (around[around.length - 1] ?? null);
}

/** Reads a build file. Gradle's are programs: what they say in plain words counts, the rest is passed over. */
export function readJvmModule(path: string, text: string): JvmModule & { readonly name: string | null } {
  const head = text.slice(0, LONGEST);
  return path.endsWith('.xml') ? readPom(head) : readGradle(head);
}

function readPom(text: string): JvmModule & { readonly name: string | null } {
  const groups = new Set<string>();
  let name: string | null = null;
  /** The elements around the text that is read. */
  const around: string[] = [];
  /** How many of each name are among them. */
  const open = new Map<string, number>();
  for (const part of plainXml(text).split('<').slice(1)) {
    const end = part.indexOf('>');
    const tag = part.slice(0, end < 0 ? part.length : end).trim();
    const value = end < 0 ? '' : part.slice(end + 1).trim();
    if (tag.startsWith('/')) {
      const closed = tag.slice(1).trim();
      // What was never closed ends with what is around it.
      while ((open.get(closed) ?? 0) > 0) {
        const last = around.pop() ?? '';
        open.set(last, (open.get(last) ?? 0) - 1);
        if (last === closed) break;
      }
      continue;
    }
    if (tag.endsWith('/') || /^[?!]/.test(tag)) continue;
    const parent = around[around.length - 1];
    if (parent === 'dependency' && tag === 'groupId' && PLAIN.test(value)) groups.add(value);
    if (parent === 'project' && tag === 'artifactId' && PLAIN.test(value)) name = value;
    const opened = /^[^\s]*/.exec(tag)?.[0] ?? '';
    around.push(opened);
    open.set(opened, (open.get(opened) ?? 0) + 1);
  }
  return { name, groups: [...groups].sort() };
}

/** A name of a group or of what it makes, written out. */
const PLAIN = /^[\w.-]+$/;

/** XML without its comments. */
function plainXml(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('<!--', at);
    parts.push(text.slice(at, start < 0 ? text.length : start));
    const end = start < 0 ? -1 : text.indexOf('-->', start);
    if (end < 0) break;
    at = end + 3;
  }
  return parts.join('');
}

function readGradle(text: string): JvmModule & { readonly name: string | null } {
  const groups = new Set<string>();
  let name: string | null = null;
  for (const line of text.split('\n')) {
    for (const quoted of line.split(/["']/).filter((_, at) => at % 2 === 1)) {
      const [group = '', artifact] = quoted.split(':');
      if (artifact !== undefined && PLAIN.test(group) && PLAIN.test(artifact)) groups.add(group);
    }
    const value = line.split(/["']/)[1] ?? '';
    if (line.trimStart().startsWith('rootProject.name')) name ??= value === '' ? null : value;
  }
  return { name, groups: [...groups].sort() };
}

/** Groups of all that a project depends on, the longest first. */
export function jvmGroups(manifests: readonly { readonly jvm?: JvmModule }[]): readonly string[] {
  const groups = new Set(manifests.flatMap(({ jvm }) => jvm?.groups ?? []));
  return [...groups].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** What a package from outside is called: the group that it is of, where a build file names one, else as it is written. */
export function jvmPackageName(groups: readonly string[], name: string): string {
  return (
    groups.find((group) => group.includes('.') && (name === group || name.startsWith(`${group}.`))) ?? name
  );
}

/** The package of a written import: what stands before the first name in upper case. `java.util` of `java.util.Map`. */
export function jvmPackageOf(module: string): string {
  const parts = module.split('.');
  const type = parts.findIndex((part) => /^[$_]*[A-Z]/.test(part));
  return type < 0 ? module : parts.slice(0, type).join('.');
}
