import { resolvedFrom } from '../resolution/file-path.js';

/** One `Package.swift`, as far as it decides which module a file is of. */
export interface SwiftPackage {
  readonly targets: readonly {
    readonly name: string;
    /** The folders that may be its, relative to the package: the one that is written, else those of the convention. */
    readonly folders: readonly string[];
  }[];
}

/** Where the modules of a project are: folders, the longest first. */
export type SwiftTargets = readonly { readonly folder: string; readonly name: string }[];

/** Characters of a `Package.swift` that are read. */
const LONGEST = 1 << 19;
const COMMENTS_AND_TEXTS = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\.)*(?:"|\\?$)/gm;
const TARGET = /\.(target|executableTarget|testTarget|macro|plugin)\s*\(/g;
const FOLDERS = {
  code: ['Sources', 'Source', 'src', 'srcs'],
  test: ['Tests', 'Sources', 'Source', 'src', 'srcs'],
  plugin: ['Plugins'],
};

/** Modules that come with the language and its platforms. */
const STANDARD =
  /^(?:Swift|_?Foundation\w*|Dispatch|Darwin|Glibc|Musl|Bionic|WinSDK|Android|os|OSLog|XCTest|Testing|Synchronization|RegexBuilder|Observation|Distributed|_?Concurrency|_StringProcessing|Combine|SwiftUI|SwiftData|UIKit|AppKit|WatchKit|CoreFoundation|Core[A-Z]\w*|Cryptokit|CryptoKit|Security|SystemConfiguration|Network|Accelerate|AVFoundation|MapKit|ObjectiveC|PackageDescription|PackagePlugin|QuartzCore|Metal\w*|StoreKit|UserNotifications|UniformTypeIdentifiers|WebKit|simd)$/;

/** Whether a module is one of the toolchain. */
export function isSwiftStandard(name: string): boolean {
  return STANDARD.test(name);
}

/** Reads a `Package.swift`. Of a damaged one the targets count that can be read. */
export function readSwiftPackage(text: string): SwiftPackage {
  const code = withoutComments(text);
  const found: { name: string; kind: string; path: string | null }[] = [];
  let after = 0;
  for (const { 0: whole, 1: kind = '', index } of code.matchAll(TARGET)) {
    // One that stands in another one is what that depends on.
    if (index < after) continue;
    const start = index + whole.length;
    after = closing(code, start);
    const written = code.slice(start, after);
    const name = /\bname:\s*"([^"\\\n]+)"/.exec(written)?.[1];
    if (name === undefined) continue;
    found.push({ name, kind, path: /\bpath:\s*"([^"\\\n]*)"/.exec(written)?.[1] ?? null });
  }
  const ordinary = found.filter(({ kind }) => kind !== 'testTarget' && kind !== 'plugin');
  return {
    targets: found.map(({ name, kind, path }) => {
      if (path !== null) return { name, folders: [path] };
      const around = kind === 'testTarget' ? FOLDERS.test : kind === 'plugin' ? FOLDERS.plugin : FOLDERS.code;
      const folders = around.map((folder) => `${folder}/${name}`);
      // The only target may have the folder of all.
      return {
        name,
        folders: ordinary.length === 1 && ordinary[0]?.name === name ? [...folders, ...around] : folders,
      };
    }),
  };
}

/** What is wrong with a `Package.swift`; null where nothing is, as far as it is read. */
export function swiftPackageProblem(text: string): string | null {
  const code = withoutComments(text).replace(/"[^"\n]*"/g, '""');
  const isBroken = code.split('(').length !== code.split(')').length;
  return isBroken ? 'its brackets do not close: what can be read counts' : null;
}

function withoutComments(text: string): string {
  return text.slice(0, LONGEST).replace(COMMENTS_AND_TEXTS, (part) => (part.startsWith('"') ? part : ' '));
}

/** Where the bracket closes that was opened in front of an offset; the end where none does. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = /(?:[^"\\\n]|\\.)*"/y;
      end.lastIndex = at + 1;
      at = end.test(text) ? end.lastIndex - 1 : at;
    } else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** The modules of a project. @param manifests Each with the folder that its `Package.swift` stands in. */
export function swiftTargets(
  manifests: readonly { readonly directory: string; readonly swift?: SwiftPackage }[],
): SwiftTargets {
  const found = manifests.flatMap(({ directory, swift }) =>
    (swift?.targets ?? []).flatMap(({ name, folders }) =>
      folders.flatMap((folder) => {
        const inRoot = resolvedFrom(directory, folder);
        return inRoot === null ? [] : [{ folder: inRoot, name }];
      }),
    ),
  );
  return found.sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1));
}

/** The module that a file is of; null for one that no package says. */
export function swiftModule(targets: SwiftTargets, path: string): string | null {
  for (const { folder, name } of targets) if (folder === '' || path.startsWith(`${folder}/`)) return name;
  return null;
}
