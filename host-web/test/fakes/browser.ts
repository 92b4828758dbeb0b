import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { UiServer } from '../../src/index.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const FOLDERS = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];

/** The browser of this machine; null, with a line that says so, where there is none. */
export const BROWSER_PATH =
  FOLDERS.flatMap((folder) => ['chromium', 'google-chrome', 'chrome'].map((name) => path.join(folder, name))).find(
    (file) => existsSync(file),
  ) ?? null;
if (BROWSER_PATH === null)
  process.stdout.write('no chromium here: the pages are not tested in a browser (Debian: apt-get install chromium)\n');

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  if (BROWSER_PATH === null) throw new Error('there is no chromium');
  // Containers have neither the namespaces of the sandbox nor much shared memory.
  return chromium.launch({ executablePath: BROWSER_PATH, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page that was let in, and what it did that no page of ours may do. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and of the console, dialogs, and requests to another origin. */
  readonly offences: string[];
}

/** Opens the address of a server, as `kebab ui` does; later pages of the same server reuse the cookie. */
export async function enter(
  browser: Browser,
  { server, cookie }: { readonly server: UiServer; readonly cookie: string },
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const origin = `http://127.0.0.1:${server.port}`;
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') offences.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) offences.push(`request: ${request.url()}`);
  });
  return { page, context, offences };
}

/** What axe finds by the rules of WCAG 2.2 AA and its own, a line for each of the first elements. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the content security policy does not bind.
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`(async () => {
    const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values } });
    const lineOf = (id, { html, failureSummary }) => id + ': ' + html.slice(0, 120) + ' ' + failureSummary.replaceAll('\\n', ' ').slice(0, 200);
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => lineOf(id, node)));
  })()`);
}
