import { fileId } from '../../../schema/index.js';
import type { DocumentWords, Words } from '../../../search/index.js';
import type { FileFacts } from '../../../source/index.js';
import { fileSymbols } from '../indexing/file-symbols.js';
import type { CodeField } from './code-text.js';
import { type Head, headsOf } from './heads.js';
import { piecesOfOwners } from './own-text.js';
import { withoutSecrets } from './without-secrets.js';
import { countWords, holdsAll, takeAway, type WordCounts } from './word-counts.js';

/** The words of one node, a file or a symbol, under its id. */
interface CodeDocument extends DocumentWords<CodeField> {
  readonly fields: Readonly<Record<CodeField, WordCounts>>;
}

/** A file whose words are counted. */
export interface FileText {
  readonly path: string;
  /** Empty where nothing of it is to be found by its words. */
  readonly text: string;
  /** Null without any: then all of the text is the file's. */
  readonly facts: FileFacts | null;
}

/** The documents of a file: its own, then one for each of its symbols. Secrets are left out. */
export function fileDocuments({ path, text, facts }: FileText, words: Words): DocumentWords<CodeField>[] {
  const shown = withoutSecrets(text);
  const clean = shown === text ? (part: string) => part : withoutSecrets;
  const counted = (part: string | null) => countWords(words, part === null ? '' : clean(part));
  const symbols = facts && fileSymbols(path, facts);
  const heads = facts && symbols ? headsOf(facts, symbols) : [];

  const pathWords = countWords(words, path);
  const file = document(fileId(path), {
    name: countWords(words, path.slice(path.lastIndexOf('/') + 1)),
    path: pathWords,
    doc: counted(facts?.docstring ?? null),
  });
  const documents = new Map([[file.id, file]]);
  for (const { id, name, qualname, signature, docstring } of heads) {
    const own = { name: counted(name), signature: counted(signature), doc: counted(docstring) };
    takeAway(own.signature, own.name);
    documents.set(id, document(id, { ...own, owner: counted(ownerOf(qualname, name)), path: pathWords }));
  }
  const around = (id: string) => documents.get(symbols?.parents.get(id) ?? file.id) ?? file;
  for (const { id, name } of heads) countWords(words, clean(name), around(id).fields.parts);

  const spans = heads.flatMap(({ id, span }) => (span ? [{ owner: id, span }] : []));
  piecesOfOwners(shown, spans, file.id, (owner, piece) =>
    countWords(words, piece, documents.get(owner)?.fields.body),
  );
  takeAway(file.fields.body, file.fields.doc);
  for (const { id, span } of heads) {
    const own = documents.get(id)?.fields;
    if (!own || span === null) continue;
    takeAway(own.body, own.name);
    takeAway(own.body, own.signature);
    // A doc comment stands in front of what it is about, a docstring in it.
    takeAway(holdsAll(own.body, own.doc) ? own.body : around(id).fields.body, own.doc);
  }
  return [...documents.values()];
}

function document(id: string, known: Partial<CodeDocument['fields']>): CodeDocument {
  const [owner, signature, doc, parts, body] = [new Map(), new Map(), new Map(), new Map(), new Map()];
  return { id, fields: { name: new Map(), owner, path: new Map(), signature, doc, parts, body, ...known } };
}

/** What stands before a name in its path. */
function ownerOf(qualname: string, name: Head['name']): string {
  return qualname.endsWith(name) ? qualname.slice(0, -name.length) : qualname;
}
