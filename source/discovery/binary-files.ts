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

/** The ending that says that a file is binary; null when its content has to be looked at. */
export function binaryEnding(name: string): string | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return ending.length < name.length && BINARY_ENDINGS.has(ending) ? ending : null;
}

/**
 * Whether the first bytes of a file say that it is no text in our sense, and which reason to show: a byte-order mark
 * of UTF-16 or UTF-32 is text in another encoding, any other NUL byte is git's sign of a binary file.
 */
export function probeBytes(head: Uint8Array): { reason: 'binary' | 'not-utf8'; detail: string } | null {
  const littleEndian = head[0] === 0xff && head[1] === 0xfe;
  const bigEndian = head[0] === 0xfe && head[1] === 0xff;
  if (littleEndian || bigEndian) return { reason: 'not-utf8', detail: `UTF-16${littleEndian ? 'LE' : 'BE'}` };
  const at = head.indexOf(0);
  return at < 0 ? null : { reason: 'binary', detail: `NUL at byte ${at}` };
}
