import { CodewalkError } from '../../../schema/index.js';
import { createParser, factsFromBytes, factsToBytes, interfaceOf, languages } from '../../../source/index.js';
import { grammarPath } from '../grammars.js';
import { demand, processorTime, type Target } from '../lib.js';
import { realSources, sourceBy } from '../source-texts.js';

/** Milliseconds of processor time for a file of at most some 40,000 characters. */
const MOST_MS = 2000;

/** Files of each language, changed by their syntax: their facts are found, kept and read back, the same each time. */
export const source: Target = {
  name: 'source',
  weight: 3,
  async open({ root }) {
    const parser = await createParser(languages, { grammarPath });
    const real = realSources(root).filter(({ path }) => parser.languageOf(path) !== null);
    return {
      generate: (random) => ({ ...sourceBy(random, parser, real) }),
      run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        const { path, text } = input;
        if (typeof path !== 'string' || typeof text !== 'string' || parser.languageOf(path) === null) return;
        const before = processorTime();
        const facts = factsOf(path, text);
        const took = processorTime() - before;
        demand(took <= MOST_MS, 'in-time', `${text.length} characters take ${took.toFixed(0)} ms`);
        if (facts === null) return;
        const bytes = factsToBytes(facts);
        const read = factsFromBytes(bytes);
        demand(Buffer.from(factsToBytes(read)).equals(bytes), 'kept', 'what was kept is not what is read');
        demand(interfaceOf(read) === interfaceOf(facts), 'kept', 'it offers another thing once it was kept');
        const again = factsOf(path, text);
        const isSame = again !== null && Buffer.from(factsToBytes(again)).equals(bytes);
        demand(isSame, 'repeatable', 'the second time the facts are others');
      },
    };

    function factsOf(path: string, text: string) {
      try {
        return parser.extractFile(path, text);
      } catch (thrown) {
        if (!(thrown instanceof CodewalkError)) throw thrown;
        // Over a bound: the file is named, and kept without symbols.
        const isBound = /is nested too deep|the parser took more than|begin again too often/u.test(
          thrown.message,
        );
        if (thrown.code === 'PARSE_FAILED' && (isBound || !(thrown.cause instanceof Error))) return null;
        throw thrown.cause instanceof Error ? thrown.cause : thrown;
      }
    }
  },
};
