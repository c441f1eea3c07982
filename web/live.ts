import type { ServerResponse } from 'node:http';
import type { SpawnOptions } from '../host/index.js';
import type { ApiOptions } from './api.js';

/** Milliseconds between two looks at the graph while a page is open. */
const LOOK_MS = 700;
/** Milliseconds between two signs of life: what stands between may close a silent connection. */
const BEAT_MS = 15_000;

/**
 * Tells pages what changes, as server-sent events: `revision` when the graph did, `progress` while it is indexed, `failed`
 * when it cannot be asked. Looks only while a page listens, and only at a graph that is open: looking starts no daemon and
 * indexes nothing. A look brings the graph up to date with the files.
 */
export class LiveUpdates {
  readonly #pages = new Set<ServerResponse>();
  readonly #end = new AbortController();
  #isLooking = false;
  #revision: number | null = null;
  #failure = '';

  constructor(private readonly options: Pick<ApiOptions, 'host' | 'root' | 'force' | 'isOpen'>) {}

  /** Adds a page; it is told the present revision, and leaves when its connection ends. */
  add(page: ServerResponse): void {
    page.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    page.write('retry: 1000\n\n');
    if (this.#revision !== null) page.write(eventText('revision', { revision: this.#revision }));
    if (this.#failure !== '') page.write(eventText('failed', { error: this.#failure }));
    const beat = setInterval(() => page.write(': here\n\n'), BEAT_MS);
    this.#pages.add(page);
    // A page that has gone is no fault; nor is one that reads too slowly: it asks again.
    page.on('error', () => page.destroy());
    page.on('close', () => {
      clearInterval(beat);
      this.#pages.delete(page);
    });
    if (!this.#isLooking) void this.#look();
  }

  /** Indexes the project as its first question would, so that pages see from the start how far that is. */
  async index(): Promise<void> {
    const { onProgress } = this;
    const { host, root, force } = this.options;
    const request = { walker: 'graph_index_project', root, input: {}, force, detached: true, forms: [] };
    // What goes wrong is said to whoever asks next.
    await host.spawn(request, { onProgress, signal: this.#end.signal }).catch(() => undefined);
  }

  /** Tells all pages how far a run is. */
  readonly onProgress: NonNullable<SpawnOptions['onProgress']> = ({ phase, done, total }) =>
    this.#say('progress', { phase, done, total });

  /** Ends all connections. */
  close(): void {
    this.#end.abort();
    for (const page of this.#pages) page.end();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#pages.size > 0 && !this.#end.signal.aborted) {
      try {
        if (await this.options.isOpen()) await this.#refresh();
        this.#failure = '';
      } catch (thrown) {
        const failure = thrown instanceof Error ? thrown.message : String(thrown);
        if (failure !== this.#failure) this.#say('failed', { error: failure });
        this.#failure = failure;
        // Pages hear that it went on by the next revision.
        this.#revision = null;
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    this.#isLooking = false;
  }

  async #refresh(): Promise<void> {
    const { host, root, force } = this.options;
    const { body } = await host.spawn(
      { walker: 'project_refresh', root, input: {}, forms: ['json'], force, detached: true },
      { signal: this.#end.signal, onProgress: this.onProgress },
    );
    if (body.state.revision === this.#revision) return;
    this.#revision = body.state.revision;
    this.#say('revision', { revision: this.#revision });
  }

  #say(event: string, data: object): void {
    const text = eventText(event, data);
    for (const page of this.#pages) if (page.writable) page.write(text);
  }
}

function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
