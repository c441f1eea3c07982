import { LIMITS, type StepRole } from '../../schema/index.js';
import { secretName, secretRule } from '../../source/index.js';
import { printedEnds } from '../both-ends.js';
import { purposeOf } from '../shell/purpose.js';
import { commandsIn } from '../shell/words.js';
import type { Call, Outcome } from '../told.js';

/** Files that are read by people. */
const DOCS = /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:docs?|documentation)\/[^/]*\.txt$/iu;

/** Characters that are kept of what a tool read: the file itself is at hand. */
const READ = 2000;

/** What stands for the content of a file of secrets, and for what a command prints of one. */
const SECRET = '[masked:secret]';

/** Commands that print a secret and nothing else, by the first words of what they run. */
const PRINTS =
  /^(?:gh auth token|glab auth token|gcloud auth (?:application-default )?print-\S+|aws (?:secretsmanager get-secret-value|ssm get-parameters?|ecr get-login-password|configure get|sts )|az account get-access-token|az keyvault secret show|vault (?:kv get|read|print)|pass (?:show )?\S+\/|op (?:read|item get)|bw get|doppler secrets|heroku config|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|gpg (?:.* )?(?:-d|--decrypt)\b|security find-\S+-password|kubectl (?:.* )?get secrets?\b|docker secret inspect|fly(?:ctl)? auth token|npm token|doctl auth|lpass show|secret-tool lookup)/u;
const READERS =
  /^(?:cat|bat|batcat|less|more|head|tail|tac|nl|sed|awk|cut|grep|egrep|rg|strings|xxd|od|base64|type|get-content|gc|jq|yq|printf|source)$/iu;
/** Folders that hold secrets, as a command names them. */
const SECRET_PLACE = /(?:^|\/)(?:run\/secrets|\.ssh|\.gnupg|\.aws|\.kube)\//u;
/** `$DB_PASSWORD`, `${DB_PASSWORD}`. */
const VARIABLE = /\$\{?([A-Za-z_]\w{0,80})/gu;

/** The payload of the event that a call began. */
export function toolStart(call: Call): Record<string, unknown> {
  const role = roleOf(call);
  const params = isOfSecret(call) && call.command === null ? withoutContent(call.params) : call.params;
  return {
    tool_name: call.tool,
    ...(params === null ? {} : { params_json: params }),
    ...(role === null ? {} : { role }),
    files_touched: call.files,
  };
}

/** The payload of the event that it ended. */
export function toolEnd(call: Call, outcome: Outcome): Record<string, unknown> {
  const { success, interrupted, stdout, stderr, exitCode, durationMs, lines, content } = outcome;
  const most = call.doing === 'read' || call.doing === 'search' ? READ : LIMITS.traceOutput.max;
  return {
    tool_name: call.tool,
    success,
    ...(durationMs === null ? {} : { duration_ms: durationMs }),
    stdout: printedEnds(stdout, most),
    stderr: printedEnds(stderr, most),
    files_touched: call.files,
    ...(interrupted ? { interrupted } : {}),
    ...(exitCode === null ? {} : { exit_code: exitCode }),
    ...(lines.length === 0 ? {} : { lines }),
    // Of a larger file no symbols are known.
    ...(content === null || content.length > LIMITS.fileBytes.default ? {} : { content }),
  };
}

/** An outcome without what a file of secrets holds, or what a command printed of one. */
export function withoutSecret(call: Call, outcome: Outcome): Outcome {
  if (!isOfSecret(call)) return outcome;
  const stdout = outcome.stdout === '' ? '' : SECRET;
  // What a command says of its failure is no secret; what it printed before may be.
  return { ...outcome, stdout, content: null };
}

/** Whether a call reads, writes or prints what is a secret as a whole. */
function isOfSecret({ doing, command, files }: Call): boolean {
  if (command !== null) return printsSecret(command);
  return (doing === 'read' || doing === 'edit') && files.some(isSecretPath);
}

/** Parameters without what a file of secrets holds: its path and numbers stay. */
function withoutContent(params: Call['params']): Call['params'] {
  if (params === null || typeof params === 'string') return params === null ? null : SECRET;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const stays =
        typeof value === 'number' ||
        typeof value === 'boolean' ||
        (typeof value === 'string' && isSecretPath(value));
      return [name, stays ? value : SECRET];
    }),
  );
}

/** Whether what a shell prints is a secret as a whole: nothing in it need say so. */
function printsSecret(line: string): boolean {
  return commandsIn(line).some((words) => {
    const [name = '', ...rest] = words;
    if (PRINTS.test(words.join(' '))) return true;
    if (name === 'printenv') return rest.some((word) => secretName(word) !== null);
    if (name === 'echo' || name === 'printf')
      return rest.some((word) =>
        [...word.matchAll(VARIABLE)].some(([, one = '']) => secretName(one) !== null),
      );
    return READERS.test(name) && rest.some(isSecretPath);
  });
}

/** Whether a path is that of a file which is never read, because it holds secrets. */
function isSecretPath(path: string): boolean {
  return (
    SECRET_PLACE.test(path) ||
    secretRule(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)) !== null
  );
}

/** What a call is part of; null: it may be part of anything. */
function roleOf({ doing, files, command }: Call): StepRole | null {
  switch (doing) {
    case 'read':
    case 'search':
      return 'reading';
    case 'edit':
      return files.length > 0 && files.every((file) => DOCS.test(file)) ? 'docs' : 'editing';
    case 'plan':
      return 'planning';
    case 'shell': {
      const purpose = purposeOf(command ?? '');
      return purpose === 'trying' ? 'testing' : purpose === 'looking' ? 'reading' : null;
    }
    case 'other':
      return null;
  }
}
