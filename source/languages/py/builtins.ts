/** Names that Python offers everywhere: as values or types they are no use of the program's own names. */
export const builtins: ReadonlySet<string> = new Set(
  `False None True NotImplemented Ellipsis abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
  classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format
  frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
  memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
  staticmethod str sum super tuple type vars zip __import__ __name__ __file__ __doc__ __debug__ __builtins__
  __package__ __spec__ __path__ __loader__ __build_class__
  basestring buffer cmp execfile file intern long raw_input reduce reload unichr unicode xrange`.split(/\s+/),
);

/** Whether an unbound name is Python's own: a builtin, or an exception by its form (`ValueError`). */
export function isBuiltin(name: string): boolean {
  return (
    builtins.has(name) ||
    /^(Base)?Exception(Group)?$|^[A-Z]\w*(Error|Warning|Exit|Interrupt|Iteration)$/.test(name)
  );
}
