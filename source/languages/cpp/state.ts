import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import type { Declared } from '../c/declarators.js';
import { type Receiver, State } from '../c/state.js';
import { bareName, partsOf } from './names.js';

/** What is remembered of a file of C++. */
export class CppState extends State {
  override readonly nests = true;

  /** @param made What a local is made by. */
  constructor(
    override readonly constructs: (
      to: Lowering,
      declarator: NodeId,
      type: NodeId,
      declared: Declared,
    ) => number | undefined,
  ) {
    super();
  }

  override receiverOf(to: Lowering, name: NodeId): Receiver | null {
    const parts = partsOf(to, name).filter((part) => part !== NONE);
    if (parts.length < 2) return null;
    const { tree } = to;
    const last = parts.pop() ?? name;
    let type = -1;
    const names = parts.map((part) => bareName(to, part));
    for (const one of names)
      type = to.addType({ kind: 'name', name: tree.textOf(one), base: type, at: tree.start(one) });
    return { type, owner: names.map((one) => tree.textOf(one)).join('.'), name: bareName(to, last) };
  }

  /** The last names of what the class around a constructor derives from; of one that is defined elsewhere all of the file's. */
  bases(to: Lowering): string[] {
    const owner = to.owner === null ? undefined : to.definitions[to.owner];
    const path = owner?.qualname.slice(0, owner.qualname.lastIndexOf('.')) ?? '';
    const around = to.definitions.filter(({ qualname, form }) => form === 'class' && qualname === path);
    return around.flatMap(({ bases }) => bases.map(({ name }) => name.replace(/^.*::/, '')));
  }
}
