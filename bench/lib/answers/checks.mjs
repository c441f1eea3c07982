// Answers of structural queries held against what follows from an export by plain loops: no code of Codewalk's takes part.
import { CALL_GRAPH } from './call-graph.mjs';
import { CALLERS } from './callers.mjs';
import { CYCLES } from './cycles.mjs';
import { DEPENDENCIES } from './dependencies.mjs';
import { exportedGraph } from './exported-graph.mjs';
import { EXPORTS } from './exports.mjs';
import { HIERARCHY, IMPLEMENTATIONS } from './inheritance.mjs';

/**
 * One query each: `questions` of a graph are inputs, about every symbol and module; `wrong` says what of an answer is not
 * as the export has it, in words. A query is added as a file like these, and a line here.
 */
const CHECKS = [CALLERS, CALL_GRAPH, DEPENDENCIES, HIERARCHY, IMPLEMENTATIONS, EXPORTS, CYCLES];

/** The largest budget: nothing is to shrink. */
const MAX_TOKENS = 20_000;

/**
 * Asks every question of every check and gives what is wrong.
 *
 * @param lines of an export, parsed
 * @param ask what a walker answers to an input: its body with `state`
 */
export async function wrongAnswers(lines, ask, { only = () => true, onAsked = () => undefined } = {}) {
  const graph = exportedGraph(lines);
  const wrong = [];
  const asked = {};
  for (const { walker, questions, wrong: wrongOf } of CHECKS.filter((check) => only(check.walker)))
    for (const input of questions(graph)) {
      const body = await ask(walker, { max_tokens: MAX_TOKENS, ...input });
      asked[walker] = (asked[walker] ?? 0) + 1;
      const what = wrongOf(graph, input, body);
      if (what.length > 0) wrong.push({ walker, input, wrong: what });
      onAsked(walker, input, what);
    }
  return { asked, wrong };
}
