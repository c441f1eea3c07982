// Real MCP clients over stdio. Whose server is killed starts another one, as agents do.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { killed } from './place.mjs';
import { NO_ANSWER } from './tally.mjs';

/** What the SDK says when a server went while it was asked. */
const GONE = /Connection closed|Not connected|EPIPE/;

/** A client with its server. */
export class ToolClient {
  #place;
  #connection = null;

  constructor(place) {
    this.#place = place;
  }

  /**
   * Calls a tool.
   *
   * @returns the code of what went wrong, `NO_ANSWER` when the server went, with what was said; code null: an answer
   */
  async call(name, args) {
    try {
      const client = await this.connected();
      const answer = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
      const text = answer.content.map((part) => part.text).join('\n');
      return { code: answer.isError ? JSON.parse(text).error_code : null, text };
    } catch (error) {
      const code = GONE.test(error.message) ? NO_ANSWER : `${error.code ?? 'failed'}`;
      return { code, text: String(error.stack) };
    }
  }

  /** A client that is connected: to a new server where there is none. */
  connected() {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect() {
    const client = new Client({ name: 'storm', version: '1' });
    client.onclose = () => {
      this.#connection = null;
    };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(this.#place.dist, 'cli.js'), 'mcp', '--root', this.#place.root, '--profile', 'all'],
      cwd: this.#place.root,
      env: this.#place.env,
      stderr: 'ignore',
    });
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      this.#connection = null;
      throw error;
    }
  }

  /** Ends the server with SIGKILL. @returns whether it ran */
  async kill() {
    const client = await this.#connection?.catch(() => null);
    const pid = client?.transport?.pid;
    return typeof pid === 'number' && killed(pid);
  }

  /** Ends the server as clients do. */
  async close() {
    await (await this.#connection?.catch(() => null))?.close();
  }
}

/** Logs events with the tool, and asks a question now and then, until all are acknowledged. */
export async function logWithTool({ deliveries, tally }, client, questions) {
  for (let one = await deliveries.take(), turn = 0; one !== null; one = await deliveries.take(), turn += 1) {
    const { code, text } = await client.call('etg_log_event', one.event);
    tally.add('tool', code, text);
    if (code === null) deliveries.done();
    else deliveries.back(one, code);
    if (turn % 8 !== 7) continue;
    const asked = questions[(turn >> 3) % questions.length];
    const answer = await client.call(...asked);
    tally.add('tool', answer.code, answer.text);
  }
}
