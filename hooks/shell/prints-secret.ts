import { secretName, secretRule } from '../../source/index.js';
import { commandsIn } from './words.js';

/** Commands that print a secret and nothing else, by the first words of what they run. */
const PRINTS =
  /^(?:gh auth token|glab auth token|gcloud auth (?:application-default )?print-\S+|aws (?:secretsmanager get-secret-value|ssm get-parameters?|ecr get-login-password|configure get|sts )|az account get-access-token|az keyvault secret show|vault (?:kv get|read|print)|pass (?:show )?\S+\/|op (?:read|item get)|bw get|doppler secrets|heroku config|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|gpg (?:.* )?(?:-d|--decrypt)\b|security find-\S+-password|kubectl (?:.* )?get secrets?\b|docker secret inspect|fly(?:ctl)? auth token|npm token|doctl auth|lpass show|secret-tool lookup)/u;
const READERS =
  /^(?:cat|bat|batcat|less|more|head|tail|tac|nl|sed|awk|cut|grep|egrep|rg|strings|xxd|od|base64|type|get-content|gc|jq|yq|printf|source)$/iu;
/** Folders that hold secrets, as a command names them. */
const SECRET_PLACE = /(?:^|\/)(?:run\/secrets|\.ssh|\.gnupg|\.aws|\.kube)\//u;
/** `$DB_PASSWORD`, `${DB_PASSWORD}`. */
const VARIABLE = /\$\{?([A-Za-z_]\w{0,80})/gu;

/** Whether what a shell prints is a secret as a whole: nothing in it need say so. */
export function printsSecret(line: string): boolean {
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
export function isSecretPath(path: string): boolean {
  return (
    SECRET_PLACE.test(path) ||
    secretRule(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)) !== null
  );
}
