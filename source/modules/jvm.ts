/** One `pom.xml` or Gradle build file, as far as it decides what packages are called. */
export interface JvmModule {
  /** Groups of the things that it depends on: `com.google.guava`. */
  readonly groups: readonly string[];
  /** Folders of sources that it names itself, relative to its own. */
  readonly sources: readonly { readonly folder: string; readonly isTest: boolean }[];
}

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

/** Reads a build file. Gradle's are programs: what they say in plain words counts, the rest is passed over. */
export function readJvmModule(path: string, text: string): JvmModule & { readonly name: string | null } {
  return path.endsWith('.xml') ? readPom(text) : readGradle(text);
}

function readPom(text: string): JvmModule & { readonly name: string | null } {
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  const groups = new Set<string>();
  for (const [, group = ''] of plain.matchAll(
    /<dependency>[^<]*(?:<(?!groupId)[^>]*>[^<]*)*<groupId>\s*([\w.-]+)\s*</g,
  ))
    groups.add(group);
  const own = plain.replace(
    /<(parent|dependencies|build|profiles|dependencyManagement|plugins)>[\s\S]*?<\/\1>/g,
    '',
  );
  const name = /<artifactId>\s*([\w.-]+)\s*</.exec(own)?.[1] ?? null;
  const sources = [
    ...[...plain.matchAll(/<sourceDirectory>\s*([^<>$]+?)\s*</g)].map(([, folder = '']) => ({
      folder,
      isTest: false,
    })),
    ...[...plain.matchAll(/<testSourceDirectory>\s*([^<>$]+?)\s*</g)].map(([, folder = '']) => ({
      folder,
      isTest: true,
    })),
  ];
  return { name, groups: [...groups].sort(), sources };
}

function readGradle(text: string): JvmModule & { readonly name: string | null } {
  const groups = new Set<string>();
  for (const [, group = ''] of text.matchAll(/["']([A-Za-z][\w.-]*):[\w.-]+(?::[^"'\n]*)?["']/g))
    groups.add(group);
  const name = /^\s*rootProject\.name\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1] ?? null;
  const sources: { folder: string; isTest: boolean }[] = [];
  for (const [, set = '', folder = ''] of text.matchAll(
    /\b(main|test)\s*\{[^{}]*(?:java|kotlin)\s*\{[^{}]*srcDirs?\s*[=(]?\s*\[?\s*["']([^"'\n]+)["']/g,
  ))
    sources.push({ folder, isTest: set === 'test' });
  return { name, groups: [...groups].sort(), sources };
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
