// Compares the words that a browser shows of web pages (`innerText` in Chromium, with the scripts of the pages off) with those that kebab reads,
// and prints the shares that agree and the words that do not.
//   node --import ./scripts/run-ts.mjs bench/browser-text.ts [--count 200] [--pages FOLDER]... [--chromium FILE] [--wrong]
// The pages: those of `../shared`, the examples of CommonMark by section, and pages of the structures that real pages have, up to `--count`;
// with `--pages`, the pages of these folders alone. A word is a run of letters and digits after NFKC. Of what only kebab writes, the browser
// gets the words too: alternative texts, the values of fields, cells in each row that they span, declared shadow trees. Fallbacks for scripts
// (`noscript`, `canvas`) are left out, as people have scripts; what can be opened (`details`, `popover`, `hidden=until-found`) is open. Numbers of list items are left out on both sides, as `innerText` has none.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { decodePage, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder } from '@kebab/plugin';
import { pageOfStructures } from './lib/page-structures.ts';
import { sharedCases, sharedData } from './lib/shared-data.ts';

/** A page by name, as bytes of a file. */
interface Page {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An example of CommonMark. */
interface Example {
  readonly section: string;
  readonly html: string;
}

const WANTED = 0.99;
const STRUCTURES_A_PAGE = 24;
const MAX_MS_A_PAGE = 20_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string' },
    pages: { type: 'string', multiple: true },
    chromium: { type: 'string' },
    wrong: { type: 'boolean' },
  },
});
const count = Number(values.count ?? 200);
const chromium = values.chromium ?? '/usr/bin/chromium';

async function main(): Promise<void> {
  const pages =
    values.pages === undefined ? ownPages() : values.pages.flatMap((folder) => pagesIn(folder)).slice(0, count);
  const shown = await textsInBrowser(pages);
  let [both, browser, kebab] = [0, 0, 0];
  for (const [at, page] of pages.entries()) {
    const theirs = wordsOf(shown[at] ?? '');
    const ours = wordsOf(await textByKebab(page));
    const [missing, added] = [minus(theirs, ours), minus(ours, theirs)];
    both += theirs.length - missing.length;
    browser += theirs.length;
    kebab += ours.length;
    if (values.wrong === true && missing.length + added.length > 0)
      console.log(
        `${page.name}\n  not read: ${missing.slice(0, 20).join(' ')}\n  not shown: ${added.slice(0, 20).join(' ')}`,
      );
  }
  const [read, isShown] = [both / browser, both / kebab];
  console.log(`pages ${pages.length}, words in the browser ${browser}, in kebab ${kebab}`);
  console.log(`shown and read ${percent(read)}, read and shown ${percent(isShown)}, wanted ${percent(WANTED)} each`);
  process.exitCode = read >= WANTED && isShown >= WANTED ? 0 : 1;
}

function ownPages(): readonly Page[] {
  const cases = sharedCases('reading');
  const files = cases === null ? [] : pagesIn(cases);
  const spec = sharedData('commonmark');
  const bySection = new Map<string, string>();
  if (spec !== null)
    for (const { section, html } of JSON.parse(readFileSync(path.join(spec, 'spec.json'), 'utf8')) as Example[])
      bySection.set(
        section,
        `${bySection.get(section) ?? '<!doctype html><meta charset="utf-8">'}\n<div>${html}</div>`,
      );
  const examples = [...bySection].map(([section, html]) => ({
    name: `CommonMark: ${section}`,
    bytes: Buffer.from(html),
  }));
  const rest = Math.max(0, count - files.length - examples.length);
  const structures = Array.from({ length: rest }, (_, number) => ({
    name: `structures ${number}`,
    bytes: Buffer.from(pageOfStructures(number, STRUCTURES_A_PAGE)),
  }));
  return [...files, ...examples, ...structures].slice(0, count);
}

function pagesIn(folder: string): readonly Page[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:html?|xhtml)$/i.test(name) && statSync(path.join(folder, name)).isFile())
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
}

async function textByKebab({ name, bytes }: Page): Promise<string> {
  const document = new DocumentBuilder();
  const { text } = await decodePage(bytes);
  await readHtml(text, document, { isXhtml: name.endsWith('.xhtml') });
  return document.build().text;
}

/** Words in order of the text, without the numbers of list items. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const lines = plain.split('\n').map((line) => line.replace(/^[\s>|]*(?:(?:\d+|[a-z]{1,3}|[ivxlcdm]+)\.\s+)+/i, ''));
  return lines.join('\n').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The words of one list that another does not have, or not as often. */
function minus(words: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const times = left.get(word) ?? 0;
    left.set(word, times - 1);
    return times <= 0;
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** Opens each page in a frame without scripts, and sends what it shows to the server. */
const DRIVER = `<!doctype html><meta charset="utf-8"><iframe id="frame" sandbox="allow-same-origin" width="1200" height="900"></iframe><script>
const frame = document.getElementById('frame');
const isShown = (element) => getComputedStyle(element).display !== 'none' && getComputedStyle(element).visibility !== 'hidden';
const FIELDS = /^(?:text|search|email|url|tel|number|date|time|month|week|datetime-local|button|submit|reset)$/;
function rowsBelow(cell) {
  const rows = [...cell.closest('table').rows];
  return rows.length - rows.indexOf(cell.parentElement);
}
function textOf(page) {
  for (const element of page.querySelectorAll('noscript, canvas')) element.remove();
  for (const element of page.querySelectorAll('details')) { element.removeAttribute('name'); element.open = true; }
  for (const element of page.querySelectorAll('[popover]')) element.popover = null;
  for (const element of page.querySelectorAll('[hidden=until-found]')) element.hidden = false;
  for (const element of page.querySelectorAll('img, input, textarea')) {
    if (!isShown(element)) continue;
    const isField = element.localName !== 'img';
    if (element.localName === 'input' && !FIELDS.test(element.type)) continue;
    const span = page.createElement('span');
    span.style.whiteSpace = 'pre-wrap';
    span.textContent = ' ' + (isField ? element.value || element.placeholder : element.alt) + ' ';
    element.replaceWith(span);
  }
  for (const element of page.querySelectorAll('rt')) if (isShown(element)) element.prepend(' '), element.append(' ');
  for (const element of page.querySelectorAll('button')) element.before(' '), element.after(' ');
  const again = [...page.querySelectorAll('td[rowspan], th[rowspan]')].flatMap((cell) => Array(Math.min(cell.rowSpan, rowsBelow(cell)) - 1).fill(cell.innerText));
  const inShadow = [...page.querySelectorAll('*')].flatMap(({ shadowRoot }) => [...(shadowRoot?.children ?? [])].map((child) => child.innerText ?? ''));
  const more = [...again, ...inShadow].map((text) => '\\n' + text).join('');
  if (page.body !== null) return page.body.innerText + more;
  return page.documentElement.textContent;
}
(async () => {
  const { count } = await (await fetch('/count')).json();
  for (let at = 0; at < count; at++) {
    await new Promise((resolve) => { frame.onload = resolve; frame.src = '/page/' + at; });
    let text = '';
    try { text = textOf(frame.contentDocument); } catch (error) { text = String(error); }
    await fetch('/text/' + at, { method: 'POST', body: text });
  }
})();
</script>`;

/** What a browser shows of each page. */
async function textsInBrowser(pages: readonly Page[]): Promise<readonly string[]> {
  const texts: string[] = [];
  const profile = mkdtempSync(path.join(tmpdir(), 'kebab-browser-'));
  const outcome = new EventEmitter();
  outcome.on('error', () => {}); // it also ends when it is stopped
  const done = once(outcome, 'finish');
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, kind = '', at = ''] = (request.url ?? '').split('/');
    const page = kind === 'page' ? pages[Number(at)] : undefined;
    if (page !== undefined) {
      const type = page.name.endsWith('.xhtml') ? 'application/xhtml+xml' : 'text/html';
      response.writeHead(200, { 'content-type': type }).end(page.bytes);
    } else if (kind === '') response.writeHead(200, { 'content-type': 'text/html' }).end(DRIVER);
    else if (kind === 'count') response.end(JSON.stringify({ count: pages.length }));
    else if (kind === 'text') {
      texts[Number(at)] = await bodyOf(request);
      response.end();
      if (Number(at) === pages.length - 1) outcome.emit('finish');
    } else response.writeHead(404).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...flags, '--remote-debugging-port=0', url], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => void browser.on('exit', () => resolve()));
  void ended.then(() => outcome.emit('error', new Error('Chromium ended early')));
  const late = setTimeout(
    () => outcome.emit('error', new Error('Chromium takes too long')),
    30_000 + pages.length * MAX_MS_A_PAGE,
  );
  try {
    await done;
  } finally {
    clearTimeout(late);
    browser.kill();
    await ended;
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return texts;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

if (existsSync(chromium)) await main();
else console.log(`skipped: there is no Chromium at ${chromium}; name another with --chromium`);
