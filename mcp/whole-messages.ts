import { Transform, type TransformCallback } from 'node:stream';
import { LIMITS } from '../schema/index.js';

const NEWLINE = 10;
/** Bytes of a message's both ends in which its id is looked for. */
const END_BYTES = 4096;
const ID = /"id"\s*:\s*(-?\d+(?=\s*[,}])|"[^"\\\p{Cc}]*")/u;
const LAST_ID = new RegExp(`,\\s*${ID.source}\\s*\\}\\s*$`, 'u');

/**
 * What a client writes, in whole lines: the library's reader joins what it has with each piece that comes, and hangs up
 * at 10 MiB without a word, while a tool's output may be larger. A line of more than `mcpMessageBytes` is left out and
 * told.
 */
export class WholeMessages extends Transform {
  readonly #tooLarge: (id: number | string | null) => void;
  readonly #most: number;
  #parts: Buffer[] = [];
  #held = 0;
  /** The two ends of a line that is too large, while it comes. */
  #left: { readonly head: Buffer; tail: Buffer } | null = null;

  /** @param tooLarge Called with the id of a message that was left out; null where it could not be read. */
  constructor(tooLarge: (id: number | string | null) => void, most: number = LIMITS.mcpMessageBytes.max) {
    super();
    this.#tooLarge = tooLarge;
    this.#most = most;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at + 1));
      this.#end();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
    done();
  }

  #take(part: Buffer): void {
    if (this.#left) {
      this.#left.tail = Buffer.concat([this.#left.tail, part]).subarray(-END_BYTES);
      return;
    }
    this.#parts.push(part);
    this.#held += part.length;
    if (this.#held <= this.#most) return;
    const whole = Buffer.concat(this.#parts);
    this.#left = {
      head: Buffer.from(whole.subarray(0, END_BYTES)),
      tail: Buffer.from(whole.subarray(-END_BYTES)),
    };
    this.#parts = [];
  }

  #end(): void {
    if (this.#left) this.#tooLarge(idIn(this.#left.head.toString(), this.#left.tail.toString()));
    else this.push(Buffer.concat(this.#parts));
    this.#left = null;
    this.#parts = [];
    this.#held = 0;
  }
}

/** The id of a message of which the ends are known: it stands before the parameters, or last. Null for an answer. */
function idIn(head: string, tail: string): number | string | null {
  const [before = ''] = head.split('"params"');
  if (!before.includes('"method"')) return null;
  const [found] = [ID.exec(before), LAST_ID.exec(tail)].filter((one) => one !== null);
  return found?.[1] === undefined ? null : JSON.parse(found[1]);
}
