import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { type Explorer, startExplorer } from '../web/explorer.js';

const CHROMIUM = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
if (CHROMIUM === undefined)
  process.stderr.write(
    'No browser is found (chromium; CHROMIUM names another): tests in a browser are skipped.\n',
  );

/** A group of tests that need a browser: skipped where there is none, which is said. */
export const inBrowser = describe.skipIf(CHROMIUM === undefined);

/** A page of the explorer, with what it did that it must not do. */
export class View {
  /** Errors of its console, errors that nobody caught, and requests to other hosts. */
  readonly faults: string[] = [];

  constructor(
    readonly page: Page,
    private readonly explorer: Explorer,
  ) {
    page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') this.faults.push(request.url());
    });
  }

  /** Opens a view by its address, and waits until it is there. */
  async open(path: string): Promise<this> {
    await this.page.goto(`${this.explorer.url}#/${path}`);
    return this.settled();
  }

  /** Waits until nothing is loaded any more. */
  async settled(): Promise<this> {
    await this.page.waitForSelector('main[aria-busy="false"]');
    return this;
  }

  /** Follows what changes the address, and waits for the view. */
  async follow(act: () => Promise<unknown>, path: string): Promise<this> {
    await act();
    await this.page.waitForURL((url) => url.hash === `#/${path}`);
    return this.settled();
  }

  /** The heading of the page. */
  heading(): Promise<string | null> {
    return this.page.textContent('h1');
  }

  /** What a part of the page says, by its heading. */
  part(title: string) {
    return this.page.locator('section', {
      has: this.page.getByRole('heading', { name: title, exact: true }),
    });
  }

  /** The ids of the symbols that a part links to, in its order. */
  async symbolsOf(title: string): Promise<string[]> {
    const links = await this.part(title).locator('a[href^="#/symbol/"]').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    return addresses.map((address) => decodeURIComponent((address ?? '').slice('#/symbol/'.length)));
  }

  /** Serious and critical findings of axe. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    return found;
  }
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A project with its explorer and a browser, for the tests of one file. */
export class Stage {
  readonly scratch = new Scratch();
  explorer!: Explorer;
  browser!: Browser;

  /** @param prepare What is done in the project before the explorer starts; it is indexed by then. */
  constructor(prepare: (scratch: Scratch) => Promise<void> = async () => {}) {
    beforeAll(async () => {
      await this.scratch.run(['index', '--quiet']);
      await prepare(this.scratch);
      this.explorer = await startExplorer(this.scratch);
      this.browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await this.browser?.close();
      await this.explorer?.stop();
      await this.scratch.remove();
    });
  }

  /** A page in a window of its own. */
  async view(options: Parameters<Browser['newContext']>[0] = {}): Promise<View> {
    const context = await this.browser.newContext(options);
    return new View(await context.newPage(), this.explorer);
  }

  /** The answer of a command as JSON. */
  async answer<T>(...args: string[]): Promise<T> {
    const { stdout } = await this.scratch.run([...args, '--json']);
    return JSON.parse(stdout);
  }
}

/** Holds a view to what every page has: one main, one heading that says something, a box to search, the links. */
export async function expectWholePage({ page, faults }: View): Promise<void> {
  expect(await page.locator('main').count()).toBe(1);
  expect(await page.locator('h1').count()).toBe(1);
  expect((await page.textContent('h1'))?.trim()).not.toBe('');
  expect(await page.getByRole('searchbox').count()).toBe(1);
  for (const name of ['map', 'tasks', 'errors', 'memories', 'query', 'health'])
    expect(await page.locator(`nav a[href="#/${name}"]`).count()).toBe(1);
  expect(await page.title()).toBe(`${await page.textContent('h1')} · Codewalk`);
  expect(faults).toEqual([]);
}
