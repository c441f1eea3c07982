import { type DirectoryEntry, errorCode, type FileStatus, type FileSystem } from '../file-system.js';
import { isLinkedWorktree } from '../git-folder.js';
import { comparePaths, contains, type Platform, pathsOf, toGraphPath } from '../paths.js';
import type { GlobSet } from './globs.js';
import { readIgnoreFile } from './ignore-files.js';
import { type IgnoreChain, ignoredBy, withIgnoreFile } from './ignore-rules.js';
import { languageName } from './language-names.js';
import type { DiscoveryLimits } from './limits.js';
import { readFailure } from './read-text.js';
import type { DiscoveredFile, EnteredFolder, SkippedFile, SkipReason } from './reasons.js';
import { isSecretFolder, secretRule } from './secret-files.js';
import type { TrackedFiles } from './tracked-files.js';
import { vendoredByContent, vendoredByName } from './vendored-folders.js';

const LINE_FEED = 10;

/** Endings (lower case, without the dot) of formats that are never text: their files are not opened at all. */
const BINARY_ENDINGS: ReadonlySet<string> = new Set(
  [
    'png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps xcf sketch fig',
    'mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv aac',
    'woff woff2 ttf otf eot',
    'zip gz tgz bz2 xz 7z rar zst lz4 br tar jar war ear whl egg gem deb rpm apk ipa dmg iso cab msi nupkg',
    'exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node bc elc beam rlib rmeta',
    'pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi',
    'db sqlite sqlite3 mdb ldb parquet arrow feather avro npy npz pkl pickle h5 hdf5 onnx pt pth safetensors gguf',
    'swf blend fbx glb 3ds dwg ktx dds DS_Store',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

/** A folder that was not skipped and is still to be listed. */
export interface Folder {
  /** Root-relative, ending in `/`; `''` for the root. */
  readonly path: string;
  /** Absolute, as on disk. */
  readonly diskPath: string;
  /** The git rules from the files above. */
  readonly git: IgnoreChain;
  /** The same for `.codewalkignore`. */
  readonly own: IgnoreChain;
  /** Whether an `--include` glob matched it or a folder above: then everything beneath is included. */
  readonly included: boolean;
  /** The git rule that ignores it or a folder above: then only what git tracks is taken. */
  readonly ignored: string | null;
}

/** Everything that decides. */
export interface WalkRules {
  readonly fs: FileSystem;
  readonly platform: Platform;
  readonly languageOf: (path: string) => { readonly name: string } | null;
  readonly include: GlobSet;
  readonly exclude: GlobSet;
  readonly limits: DiscoveryLimits;
  readonly realRoot: string;
  /** Asked only where an ignore rule matches. */
  readonly tracked: TrackedFiles;
  /** The entries that are asked for; folders on the way to them are among them. */
  readonly only: Pick<ReadonlySet<string>, 'has'>;
  /** See `DiscoverOptions`. */
  readonly known: (path: string, status: FileStatus) => KnownFile | null;
}

/** What discovery said of a file that has not changed since: it need not be opened again. */
export type KnownFile = Pick<DiscoveredFile, 'language' | 'extracted' | 'plain'>;

/** Why something is skipped, and the detail to show. */
type Verdict = readonly [reason: SkipReason, detail: string];

/** Decides folders one at a time and collects what it decided, in the order of the walk. */
export class DirectoryWalk {
  readonly files: DiscoveredFile[] = [];
  readonly skipped: SkippedFile[] = [];
  readonly folders: EnteredFolder[] = [];
  readonly rules: WalkRules;

  constructor(rules: WalkRules) {
    this.rules = rules;
  }

  /** How many entries have their decision. */
  get decided(): number {
    return this.files.length + this.skipped.length;
  }

  /** The root as the first folder; `git` holds the rules that come from above it. */
  start(git: IgnoreChain): Folder {
    return { path: '', diskPath: this.rules.realRoot, git, own: null, included: false, ignored: null };
  }

  /**
   * Decides every entry of a folder that is asked for, one by one; what comes are the folders in it that have to be
   * listed too, and null for what is none. Throws the file system's error when the root cannot be listed.
   */
  *list(folder: Folder): Generator<Folder | null> {
    const { only } = this.rules;
    const { path, diskPath } = folder;
    this.folders.push({ path: path.slice(0, -1), diskPath });
    const entries = this.#entries(folder);
    if (entries === null) return;
    const names = new Set(entries.map(({ name }) => name));
    if (folder.path !== '') {
      const verdict = this.#folderContent(folder, names);
      if (verdict !== null) {
        this.#skip(folder.path, verdict);
        return;
      }
    }
    const here = this.#withIgnoreFiles(folder, entries);
    for (const entry of this.#distinct(here, entries)) {
      if (!only.has(folder.path + entry.name.normalize('NFC'))) continue;
      yield this.#decide(here, entry, names);
    }
  }

  #skip(path: string, [reason, detail]: Verdict): null {
    this.skipped.push({ path, reason, detail });
    return null;
  }

  #entries(folder: Folder): DirectoryEntry[] | null {
    try {
      const entries = [...this.rules.fs.readDirectory(folder.diskPath)];
      return entries.sort((left, right) => comparePaths(left.name, right.name));
    } catch (error) {
      if (folder.path === '') throw error;
      return this.#skip(folder.path, [readFailure(error), errorCode(error)]);
    }
  }

  /** What only a look into the folder tells. */
  #folderContent(folder: Folder, names: ReadonlySet<string>): Verdict | null {
    const { include, platform, fs } = this.rules;
    const vendored = vendoredByContent(names);
    if (vendored !== null && !include.names(folder.path.slice(0, -1))) return ['vendored', vendored];
    if (names.has('.git') && isLinkedWorktree(folder.diskPath, platform, fs)) return ['nested-worktree', ''];
    return null;
  }

  /** Git does not follow a `.gitignore` that is a link, and neither do we. */
  #withIgnoreFiles(folder: Folder, entries: readonly DirectoryEntry[]): Folder {
    const read = (outer: IgnoreChain, name: string): IgnoreChain => {
      if (!entries.some((entry) => entry.name === name && entry.kind === 'file')) return outer;
      const file = readIgnoreFile(this.rules.fs, this.#onDisk(folder, name));
      return 'text' in file ? withIgnoreFile(outer, file.text, folder.path + name, folder.path) : outer;
    };
    return { ...folder, git: read(folder.git, '.gitignore'), own: read(folder.own, '.codewalkignore') };
  }

  /** The entries that have a path of their own; the others are skipped and named. */
  *#distinct(folder: Folder, entries: readonly DirectoryEntry[]): Generator<DirectoryEntry> {
    const first = new Map<string, string>();
    for (const entry of entries) {
      const name = entry.name.normalize('NFC');
      const path = folder.path + name + (entry.kind === 'directory' ? '/' : '');
      const taken = first.get(name);
      // Node gives what it cannot decode as U+FFFD, which no longer opens the file.
      if (entry.name.includes('\ufffd')) this.#skip(path, ['name-not-utf8', '']);
      else if (taken !== undefined) this.#skip(path, ['same-name', `taken: ${escapedName(taken)}`]);
      else {
        first.set(name, entry.name);
        yield entry;
      }
    }
  }

  #onDisk(folder: Folder, name: string): string {
    return pathsOf(this.rules.platform).join(folder.diskPath, name);
  }

  #decide(folder: Folder, entry: DirectoryEntry, siblings: ReadonlySet<string>): Folder | null {
    const isFolder = entry.kind === 'directory';
    const plain = folder.path + entry.name.normalize('NFC');
    const path = isFolder ? `${plain}/` : plain;
    const { include, exclude } = this.rules;

    // A linked worktree and a submodule have a file of this name, and the graph must not know.
    if (entry.name === '.git') return this.#skip(path, ['git', '']);
    const vendored = isFolder ? vendoredByName(entry.name, siblings) : null;
    if (vendored !== null && !include.names(plain)) return this.#skip(path, ['vendored', vendored]);
    const git = folder.ignored ?? ignoredBy(folder.git, path);
    if (git !== null && !this.rules.tracked.has(path)) return this.#skip(path, ['gitignored', git]);
    const own = ignoredBy(folder.own, path);
    if (own !== null) return this.#skip(path, ['codewalkignored', own]);
    const glob = exclude.match(plain);
    if (glob !== null) return this.#skip(path, ['excluded', glob]);

    const included = folder.included || include.match(plain) !== null;
    if (isFolder) {
      if (isSecretFolder(entry.name)) return this.#skip(path, ['secret', entry.name]);
      return {
        path,
        diskPath: this.#onDisk(folder, entry.name),
        git: folder.git,
        own: folder.own,
        included,
        ignored: git,
      };
    }
    if (include.size > 0 && !included) return this.#skip(path, ['not-included', '']);
    const secret = secretRule(entry.name);
    if (secret !== null) return this.#skip(path, ['secret', secret]);
    const diskPath = this.#onDisk(folder, entry.name);
    if (entry.kind === 'link') return this.#skip(path, this.#link(diskPath));
    if (entry.kind === 'other') return this.#skip(path, ['special-file', '']);
    return this.#file(path, diskPath, entry.name);
  }

  #link(diskPath: string): Verdict {
    const { fs, platform, realRoot } = this.rules;
    try {
      const target = fs.realPath(diskPath);
      if (contains(realRoot, target, platform)) {
        return ['symlink-inside', toGraphPath(realRoot, target, platform) || '.'];
      }
      return ['symlink-outside', fs.readLink(diskPath)];
    } catch (error) {
      return ['symlink-broken', errorCode(error)];
    }
  }

  #file(path: string, diskPath: string, name: string): null {
    const { fs, limits } = this.rules;
    try {
      const status = fs.status(diskPath);
      if (status.kind !== 'file') return this.#skip(path, ['vanished', `now a ${status.kind}`]);
      if (status.size > limits.maxFileBytes) {
        return this.#skip(path, ['too-large', `${status.size} bytes, limit ${limits.maxFileBytes}`]);
      }
      const ending = binaryEnding(name);
      if (ending !== null) return this.#skip(path, ['binary', `.${ending}`]);
      const known = this.rules.known(path, status);
      if (known !== null) {
        this.files.push(takenFile(path, diskPath, status, known));
        return null;
      }
      const head = fs.readBytes(diskPath, limits.binaryProbeBytes);
      const probe = probeBytes(head);
      if (probe !== null) return this.#skip(path, [probe.reason, probe.detail]);
      this.files.push(this.#taken(path, diskPath, status, head));
      return null;
    } catch (error) {
      return this.#skip(path, [readFailure(error), errorCode(error)]);
    }
  }

  #taken(path: string, diskPath: string, status: FileStatus, head: Uint8Array): DiscoveredFile {
    const { fs, limits, languageOf } = this.rules;
    const { size } = status;
    const extractor = languageOf(path) ?? null;
    const minified = extractor !== null && isMinified(path, size, limits, () => fs.readBytes(diskPath, size));
    return takenFile(path, diskPath, status, {
      language: extractor?.name ?? languageName(path, () => firstLine(head)),
      extracted: extractor !== null && !minified,
      plain: extractor === null ? 'language' : minified ? 'minified' : null,
    });
  }
}

function takenFile(path: string, diskPath: string, status: FileStatus, known: KnownFile): DiscoveredFile {
  const { size, mtimeMs, ctimeMs, inode } = status;
  const { language, extracted, plain } = known;
  return { path, diskPath, size, mtimeMs, ctimeMs, inode, language, extracted, plain };
}

/** Two names that look the same are told apart by their code points beyond ASCII. */
function escapedName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Only a `#!` line matters, and those are short. */
function firstLine(head: Uint8Array): string {
  return new TextDecoder().decode(head.subarray(0, 128)).split('\n', 1)[0] ?? '';
}

/** The ending that says that a file is binary; null when its content has to be looked at. */
function binaryEnding(name: string): string | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return ending.length < name.length && BINARY_ENDINGS.has(ending) ? ending : null;
}

/**
 * Whether the first bytes of a file say that it is no text in our sense, and which reason to show: a byte-order mark
 * of UTF-16 or UTF-32 is text in another encoding, any other NUL byte is git's sign of a binary file.
 */
function probeBytes(head: Uint8Array): { reason: 'binary' | 'not-utf8'; detail: string } | null {
  const littleEndian = head[0] === 0xff && head[1] === 0xfe;
  const bigEndian = head[0] === 0xfe && head[1] === 0xff;
  if (littleEndian || bigEndian) return { reason: 'not-utf8', detail: `UTF-16${littleEndian ? 'LE' : 'BE'}` };
  const at = head.indexOf(0);
  return at < 0 ? null : { reason: 'binary', detail: `NUL at byte ${at}` };
}

/**
 * Whether a file is minified: its name says `.min.`, or it is not small and its lines are longer on average than
 * people write. `read` gives its bytes and is called only where the size leaves the question open.
 */
function isMinified(path: string, size: number, limits: DiscoveryLimits, read: () => Uint8Array): boolean {
  if (/\.min\.[^./]+$/i.test(path)) return true;
  if (size < limits.minMinifiedBytes) return false;
  const bytes = read();
  const enough = bytes.length / limits.maxAverageLineBytes;
  let lines = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines += 1;
    // Ordinary files are told within their first few lines.
    if (lines >= enough) return false;
  }
  return true;
}
