import { CODE_TEXT } from '../../graphs/code/documents.js';
import { defineWalker, type OpenGraph, Root, type StepsContext } from '../../index.js';
import { readIndex } from '../../search/index.js';
import { exportText, type Files, indexed } from './project.js';

/** Words of each field that has some, as `word` or `word*2`, by the document's id. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The documents of the text index. */
export function textsOf(graph: OpenGraph): Promise<Texts> {
  return withTexts(graph, async (context) => {
    const reader = readIndex(context, CODE_TEXT);
    const ids = await reader.ids();
    const texts: Record<string, Record<string, string>> = {};
    const found = await reader.documents(ids);
    for (const id of ids.sort()) {
      const words = [...(found.get(id)?.words ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      const ofFields = CODE_TEXT.fields.map((field, at): [string, string] => {
        const own = words.filter(([, counts]) => (counts[at] ?? 0) > 0);
        const shown = own.map(([word, counts]) => (counts[at] === 1 ? word : `${word}*${counts[at]}`));
        return [field, shown.join(' ')];
      });
      texts[id] = Object.fromEntries(ofFields.filter(([, text]) => text !== ''));
    }
    return texts;
  });
}

/** What is found by words, best first, as `id score`. */
export function foundBy(graph: OpenGraph, words: readonly string[], limit = 1000): Promise<string[]> {
  return withTexts(graph, async (context) => {
    const query = new Map(words.map((word) => [word, 1]));
    const found = await readIndex(context, CODE_TEXT).search(query, { limit });
    return found.map(({ id, score }) => `${id} ${score}`);
  });
}

/** All that the index answers: its documents, and what is found by each of their words and by some together. */
export async function answersOf(graph: OpenGraph): Promise<unknown> {
  const texts = await textsOf(graph);
  const words = Object.values(texts).flatMap((fields) =>
    Object.values(fields).flatMap((text) => text.split(' ').map((word) => word.replace(/\*\d+$/, ''))),
  );
  const known = [...new Set(words)].sort();
  const queries = [...known.map((word) => [word]), ...known.map((_, at) => known.slice(at, at + 4))];
  const answers: Record<string, string[]> = {};
  for (const query of queries) answers[query.join(' ')] = await foundBy(graph, query, 7);
  return { texts, answers };
}

/** What the index of these files answers that no other files were ever in. */
export async function freshAnswers(files: Files): Promise<unknown> {
  const { graph } = await indexed(files);
  return answersOf(graph);
}

/** All that an index run leaves, as text: the export, and the documents of the text index. */
export async function wholeText(graph: OpenGraph): Promise<string> {
  const texts = Object.entries(await textsOf(graph));
  return `${await exportText(graph)}${texts.map((one) => `${JSON.stringify(one)}\n`).join('')}`;
}

/** What the first index of these files leaves. */
export async function freshWholeText(files: Files): Promise<string> {
  const { graph } = await indexed(files);
  const text = await wholeText(graph);
  await graph.close();
  return text;
}

async function withTexts<T>(graph: OpenGraph, use: (context: StepsContext) => Promise<T>): Promise<T> {
  const answers: T[] = [];
  const Ask = defineWalker('ask', {
    access: 'steps',
    on: (w) => [w.entry(Root, async (_here, context) => answers.push(await use(context)))],
  });
  await graph.spawn(Ask);
  const [answer] = answers;
  if (answer === undefined) throw new Error('nothing was answered');
  return answer;
}
