import type {
  Base,
  ClassSubkind,
  CommentTag,
  Definition,
  ImportFact,
  Reference,
  TypeFact,
} from '../facts.js';
import type { FlowFact } from '../flow-facts.js';

/** The words that facts use, by the numbers that stand for them in bytes: new ones come last. */
export const WORDS = {
  form: ['function', 'method', 'class', 'variable', 'type'],
  subkind: [null, 'interface', 'enum', 'struct', 'trait', 'protocol'],
  visibility: ['public', 'protected', 'private'],
  scope: [null, 'module', 'class', 'function'],
  relation: ['extends', 'implements'],
  reference: ['call', 'new', 'jsx', 'decorator', 'type', 'read', 'write', 'pass'],
  receiver: ['none', 'this', 'super', 'path', 'call', 'literal', 'other'],
  import: ['import', 'dynamic', 'require', 'reexport'],
  tag: ['TODO', 'FIXME', 'HACK', 'XXX'],
  type: ['annotation', 'constructor', 'parameter', 'default', 'return'],
  flow: [undefined, 'default', 'return', 'yield'],
} as const satisfies {
  form: readonly Definition['form'][];
  subkind: readonly (ClassSubkind | null)[];
  visibility: readonly Definition['visibility'][];
  scope: readonly Definition['scope'][];
  relation: readonly Base['relation'][];
  reference: readonly Reference['kind'][];
  receiver: readonly Reference['receiver_form'][];
  import: readonly ImportFact['kind'][];
  tag: readonly CommentTag['tag'][];
  type: readonly TypeFact['source'][];
  flow: readonly FlowFact['kind'][];
};
