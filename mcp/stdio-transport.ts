import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
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
  readonly #most: number;
  #parts: Buffer[] = [];
  #held = 0;
  /** The two ends of a line that is too large, while it comes. */
  #left: { readonly head: Buffer; tail: Buffer } | null = null;

  /** @param tooLarge Called with the id of a message that was left out; null where it could not be read. */
  constructor(
    private readonly tooLarge: (id: number | string | null) => void,
    most: number = LIMITS.mcpMessageBytes.max,
  ) {
    super();
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
    if (this.#left) this.tooLarge(idIn(this.#left.head.toString(), this.#left.tail.toString()));
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

type Id = string | number;

/** One reason why parameters are invalid, as the library's schemas report it. */
interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

/**
 * Messages over stdio, one per line. The library's own transport ignores what it cannot read, and the client waits for
 * its answer forever. This one answers whatever is no response; where it cannot read an id, with the id null, as
 * JSON-RPC 2.0 says.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #lines: WholeMessages;

  /** @param write The real stdout. */
  constructor(
    private readonly input: Readable,
    private readonly write: (text: string) => void,
  ) {
    this.#lines = new WholeMessages((id) =>
      this.#refuse(
        id,
        ErrorCode.InvalidRequest,
        `a message of more than ${LIMITS.mcpMessageBytes.max / 2 ** 20} MiB was not read: send less of it, cut where it is longest`,
      ),
    );
  }

  async start(): Promise<void> {
    // Each piece is one line: see WholeMessages.
    this.#lines.on('data', (line: Buffer) => this.#take(line.toString('utf8')));
    this.input.pipe(this.#lines);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(`${JSON.stringify(withOwnCode(message))}\n`);
  }

  async close(): Promise<void> {
    this.input.unpipe(this.#lines);
    this.#lines.removeAllListeners('data');
    this.onclose?.();
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ErrorCode.ParseError, 'a message that is no JSON was not read');
      return;
    }
    const { success, data } = JSONRPCMessageSchema.safeParse(value);
    const { InvalidRequest } = ErrorCode;
    if (success) this.onmessage?.(data);
    else if (Array.isArray(value)) {
      const ids = value.map(requestId).filter((id) => id !== null);
      for (const id of ids.length > 0 ? ids : [null])
        this.#refuse(id, InvalidRequest, 'a batch was not read: send one message a line');
    } else if (!isResponse(value))
      this.#refuse(requestId(value), InvalidRequest, 'a message that is no JSON-RPC 2.0 was not read');
  }

  /** @param id Null: it could not be read. */
  #refuse(id: Id | null, code: ErrorCode, message: string): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** Whether somebody answers with it: two that cannot read each other's answers must not go on about it. */
function isResponse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !('method' in value) && ('result' in value || 'error' in value);
}

/** The id of a message that looks like a request; null for a response, a notification or anything else. */
function requestId(value: unknown): Id | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** The library reports invalid parameters as an internal error with a list in JSON: this makes it `InvalidParams`. */
function withOwnCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== ErrorCode.InternalError) return message;
  const issues = issuesIn(message.error.message);
  if (issues === null) return message;
  const reasons = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return { ...message, error: { code: ErrorCode.InvalidParams, message: reasons } };
}

function issuesIn(text: string): readonly Issue[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => Array.isArray(one?.path)) ? value : null;
  } catch {
    return null;
  }
}
