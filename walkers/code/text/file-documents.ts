import { fileId } from '../../../schema/index.js';
import type { Words } from '../../../search/index.js';
import type { FileFacts } from '../../../source/index.js';
import { fileSymbols } from '../indexing/file-symbols.js';
import { CountedWords } from './counted-words.js';
import { type Head, headsOf } from './heads.js';
import { piecesOfOwners } from './own-text.js';
import { withoutSecrets } from './without-secrets.js';

/** A file whose words are counted. */
export interface FileText {
  readonly path: string;
  /** Empty where nothing of it is to be found by its words. */
  readonly text: string;
  /** Null without any: then all of the text is the file's. */
  readonly facts: FileFacts | null;
}

/** The documents of a file: its own, then one for each of its symbols. Secrets are left out. */
export function fileDocuments({ path, text, facts }: FileText, words: Words): Iterable<CountedWords> {
  const shown = withoutSecrets(text);
  const clean = shown === text ? (part: string) => part : withoutSecrets;
  const symbols = facts && fileSymbols(path, facts);
  const heads = facts && symbols ? headsOf(facts, symbols) : [];

  const file = new CountedWords(fileId(path), words);
  file.count('name', path.slice(path.lastIndexOf('/') + 1));
  file.count('path', path);
  file.count('doc', clean(facts?.docstring ?? ''));
  const documents = new Map([[file.id, file]]);
  for (const { id, name, qualname, signature, docstring } of heads) {
    const own = new CountedWords(id, words);
    own.count('name', clean(name));
    own.count('owner', clean(ownerOf(qualname, name)));
    own.count('path', path);
    own.count('signature', clean(signature));
    own.count('doc', clean(docstring ?? ''));
    own.takeAway('name', 'signature');
    documents.set(id, own);
  }
  const around = (id: string) => documents.get(symbols?.parents.get(id) ?? file.id) ?? file;
  for (const { id, name } of heads) around(id).count('parts', clean(name));

  const spans = heads.flatMap(({ id, span }) => (span ? [{ owner: id, span }] : []));
  piecesOfOwners(shown, spans, file.id, (owner, piece) => documents.get(owner)?.count('body', piece));
  file.takeAway('doc', 'body');
  for (const { id, span, docstring } of heads) {
    const own = documents.get(id);
    if (!own || span === null) continue;
    own.takeAway('name', 'body');
    own.takeAway('signature', 'body');
    // A doc comment stands in front of what it is about, a docstring in it.
    if (docstring === null) continue;
    if (own.holdsAll('doc', 'body')) own.takeAway('doc', 'body');
    else around(id).takeAwayOf(own, 'doc', 'body');
  }
  return documents.values();
}

/** What stands before a name in its path. */
function ownerOf(qualname: string, name: Head['name']): string {
  return qualname.endsWith(name) ? qualname.slice(0, -name.length) : qualname;
}
