/*
 * The calls that the model made against those that the graph holds: each must be there once, with its files, its
 * success, and its error where it failed.
 */

/** The first characters of a text are compared: what is longer may have been cut. */
const COMPARED = 120;

/**
 * @param played From `playedCalls`: its outputs name files of the project by their relative paths.
 * @param recorded From `recordedCalls`.
 * @returns `{calls, files, successes, errors}`, each `{right, of}`, and `complaints`: one line for each difference.
 */
export function differences(played, recorded) {
  const left = new Set(recorded.calls.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)));
  const spent = new Set();
  const complaints = [];
  const found = { calls: tally(), files: tally(), successes: tally(), errors: tally() };
  const expect = (what, isRight, complaint) => {
    found[what].of += 1;
    if (isRight) found[what].right += 1;
    else complaints.push(complaint);
  };
  for (const call of played) {
    const name = `${call.tool} ${JSON.stringify(call.args).slice(0, COMPARED)} (session ${call.session})`;
    const twin = [...left].find((one) => one.tool_name === call.tool && isAlike(call.args, one.params_json));
    expect('calls', twin !== undefined, `not recorded: ${name}`);
    if (twin === undefined) continue;
    left.delete(twin);
    const [files, written] = [call.files, twin.files];
    if (files !== null)
      expect('files', String(files) === String(written), `files ${written} instead of ${files}: ${name}`);
    if (call.failed === null) continue;
    expect('successes', twin.success === !call.failed, `success is ${twin.success}: ${name}`);
    if (!call.failed) continue;
    const error = twin.errors.find((one) => one.tool_id === twin.id && tellsOf(one, call.output));
    if (error) spent.add(error.id);
    expect('errors', error !== undefined, `no error of its own: ${name}`);
  }
  for (const { tool_name, params_json, id } of left)
    complaints.push(`recorded, but never called: ${tool_name} ${JSON.stringify(params_json)} ${id}`);
  for (const { id, message } of recorded.errors)
    if (!spent.has(id)) complaints.push(`an error of no failed call: ${message.slice(0, COMPARED)} ${id}`);
  return { ...found, complaints };
}

const tally = () => ({ right: 0, of: 0 });
const timeOf = ({ started_at, ended_at }) => started_at ?? ended_at ?? '';

/** Whether parameters are those of a call: every text of them begins as the call's. */
function isAlike(args, params) {
  if (params === null) return true;
  return Object.entries(args).every(([key, value]) => {
    if (typeof value !== 'string' || typeof params[key] !== 'string') return true;
    // A client may trim what it was told to write.
    return value.trim().slice(0, COMPARED) === params[key].trim().slice(0, COMPARED);
  });
}

/** Whether an error speaks of what the model was shown: one of its lines stands there. */
function tellsOf({ message, raw_log_excerpt }, output) {
  const lines = `${message}\n${raw_log_excerpt}`.split('\n').map((line) => line.trim());
  return lines.some((line) => line.length > 3 && output.includes(line));
}
