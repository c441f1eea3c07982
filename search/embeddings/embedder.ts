/** Numbers that stand for a text: near texts have near directions. */
export type Vector = ArrayLike<number>;

/**
 * Makes vectors of texts (S2-22): give one to `openGraph` as `embedder`, or configure an endpoint. It may be slow and may
 * fail; nothing rests on it but one more way to rank.
 */
export interface Embedder {
  /** The model's name: vectors of another one are never compared with its own. */
  readonly model: string;
  /**
   * One vector per text, in their order, all of one length.
   *
   * @param signal Aborts when nobody waits for it any more.
   */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>;
  /** The vector of a query. Default: as that of a text. */
  embedQuery?(query: string, signal?: AbortSignal): Promise<Vector>;
}
