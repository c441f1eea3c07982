import type { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { LIMITS } from '../schema/index.js';

const NEWLINE = 10;
/** Bytes of a message's both ends in which its id is looked for. */
const END_BYTES = 4096;
const ID = /"id"\s*:\s*(-?\d+(?=\s*[,}])|"[^"\\\p{Cc}]*")/u;
const LAST_ID = new RegExp(`,\\s*${ID.source}\\s*\\}\\s*$`, 'u');

/** Null: it could not be read. */
type Id = string | number | null;

/**
 * Messages over stdio, one per line. The library's own transport joins what it has with each piece that comes, hangs up
 * at 10 MiB without a word, and ignores what it cannot read, so that the client waits forever. This one answers whatever
 * is no response; where it cannot read an id, with the id null, as JSON-RPC 2.0 says.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The pieces of the line that comes, and their bytes; of one that is too large its two ends. */
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #listen = (chunk: Buffer) => this.#read(chunk);

  /** @param write The real stdout. @param most Bytes of a message; a larger one is left out and refused. */
  constructor(
    private readonly input: Readable,
    private readonly write: (text: string) => void,
    private readonly most: number = LIMITS.mcpMessageBytes.max,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.#listen);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(`${JSON.stringify(withOwnCode(message))}\n`);
  }

  async close(): Promise<void> {
    this.input.off('data', this.#listen);
    this.input.pause();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    const isLarge = this.#bytes > this.most;
    this.#bytes += part.length;
    this.#parts.push(part);
    if (this.#bytes <= this.most) return;
    const [head, ...rest] = isLarge ? this.#parts : [Buffer.concat(this.#parts)];
    const tail = Buffer.concat(isLarge ? rest : [head ?? part]).subarray(-END_BYTES);
    this.#parts = [Buffer.from((head ?? part).subarray(0, END_BYTES)), Buffer.from(tail)];
  }

  #endLine(): void {
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes <= this.most) {
      this.#take(Buffer.concat(parts).toString('utf8'));
      return;
    }
    const [head = '', tail = ''] = parts.map(String);
    const most = this.most / 2 ** 20;
    this.#refuse(
      idIn(head, tail),
      ErrorCode.InvalidRequest,
      `a message of more than ${most} MiB was not read: send less of it, cut where it is longest`,
    );
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

  #refuse(id: Id, code: ErrorCode, message: string): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** The id of a message of which the ends are known: it stands before the parameters, or last. Null for an answer. */
function idIn(head: string, tail: string): Id {
  const [before = ''] = head.split('"params"');
  if (!before.includes('"method"')) return null;
  const found = ID.exec(before) ?? LAST_ID.exec(tail);
  return found?.[1] === undefined ? null : JSON.parse(found[1]);
}

/** Two sides that cannot read each other's answers must not go on about it. */
function isResponse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !('method' in value) && ('result' in value || 'error' in value);
}

/** The id of a message that looks like a request; null for a response, a notification or anything else. */
function requestId(value: unknown): Id {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** The library reports invalid parameters as an internal error with a list in JSON: this makes it `InvalidParams`. */
function withOwnCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== ErrorCode.InternalError) return message;
  let issues: unknown;
  try {
    issues = JSON.parse(message.error.message);
  } catch {
    return message;
  }
  if (!Array.isArray(issues) || !issues.every((one) => Array.isArray(one?.path))) return message;
  const reasons = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return { ...message, error: { code: ErrorCode.InvalidParams, message: reasons } };
}
