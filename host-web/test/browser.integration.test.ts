import { gzipSync } from 'node:zlib';
import type { Answer, App } from '@kebab/core/app';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../plugins/pdf/test/make-pdf.ts';
import { answerView } from '../src/index.ts';
import { BROWSER_PATH, enter, startBrowser, violationsOf } from './fakes/browser.ts';
import { HOSTILE_TEXTS } from './fakes/hostile-texts.ts';
import { modelWriting, webHome, type WebHome } from './fakes/web-home.ts';

const PAGE_TEXTS = [
  ['Kiln manual', 'This manual describes the kiln of the pottery.'],
  ['Firing', 'The kiln reaches 1240 degrees in nine hours.', 'It cools for two days before it is opened.'],
  ['Care', 'The shelves are washed with alumina every spring.'],
];
const FILES = {
  'manual/kiln.pdf': makePdf({
    pages: PAGE_TEXTS.map((texts) => ({
      texts: texts.map((text, at) => ({ text, x: 72, y: 740 - at * 24, size: at === 0 ? 18 : 12 })),
    })),
    info: { Title: 'Kiln manual' },
  }),
  'glazes.md':
    '# Glazes\n\nCeladon is fired in **reduction**, see [the tests](tests.csv).\n\n## Ash glaze\n\n- sift the ash\n- wash it twice\n\n| glaze | cone |\n|---|---|\n| celadon | 10 |\n| tenmoku | 9 |\n\n```js\nconst cone = 10;\n```\n',
  'tests.csv': 'tile,glaze,result\n1,celadon,clear\n2,tenmoku,crawled\n',
  'schedule.py': 'def hours(cone):\n    """Hours of a firing."""\n    return cone * 0.9\n',
  'log.ipynb': JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { id: 'a', cell_type: 'markdown', metadata: {}, source: ['# Firing log\n', 'Cone ten, in reduction.'] },
      {
        id: 'b',
        cell_type: 'code',
        metadata: {},
        execution_count: 1,
        outputs: [],
        source: ['hours = 9\nprint(hours)'],
      },
    ],
  }),
  '가마.md': '# 가마\n\n가마는 봄마다 청소한다.\n',
};
const QUESTION = 'How hot does the kiln get and how long does it cool?';

let home: WebHome;
let browser: Browser;
beforeAll(async () => {
  if (BROWSER_PATH === null) return;
  const answer = ({ messages }: { readonly messages: readonly { readonly text: string }[] }): string => {
    const prompt = messages.map(({ text }) => text).join('\n');
    const [, number = '1'] = /\[(\d+)\](?:(?!\[\d+\])[^])*?reaches 1240 degrees/.exec(prompt) ?? [];
    return `The kiln reaches 1240 degrees in nine hours [${number}]. It cools for five days before it is opened [${number}].`;
  };
  home = await webHome(FILES, {
    plugins: [modelWriting(answer)],
    env: { KEBAB_MODELS_LLM_PROVIDER: 'scripted' },
  });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

const SIZES = [
  { width: 320, height: 640 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const SCREENS = SIZES.flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);
const ADDRESSES = [
  '/',
  '/?q=kiln+degrees',
  '/?q=kilm+degreees',
  '/doc/default/manual/kiln.pdf?at=p%3D2&q=kiln',
  '/doc/default/glazes.md?at=L5&q=ash',
  '/doc/default/glazes.md?view=raw',
  '/doc/default/schedule.py?at=L2',
  '/doc/default/tests.csv',
  '/doc/default/log.ipynb',
  '/doc/default/manual/kiln.pdf?at=p%3D2&zoom=2',
  '/?q=kiln&explain=1&expect=tests.csv',
  '/doc/default/none.md',
  '/doc/default/glazes.md?at=L5~0123456789abcdef',
  '/around/default/glazes.md',
  '/ask',
  `/ask?q=${encodeURIComponent(QUESTION)}`,
  '/ask?q=who+won+the+chess+game',
  '/about?checks=1',
];

describe.skipIf(BROWSER_PATH === null)('in a browser', () => {
  it.each(SCREENS)(
    'every page fits its screen, is accessible, and loads nothing from elsewhere: $viewport.width px, $colorScheme',
    async (screen) => {
      const { page, context, offences } = await enter(browser, home, screen);
      for (const address of ADDRESSES) {
        await page.goto(address);
        expect([address, await violationsOf(page)]).toEqual([address, []]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([address, Math.max(0, overflow)]).toEqual([address, 0]);
      }
      expect(offences.filter((one) => !/404/.test(one))).toEqual([]);
      await context.close();
    },
  );

  it.each(SCREENS)(
    'a search leads to a page of a PDF with the words framed, and an answer to what is not in it: $viewport.width px, $colorScheme',
    async (screen) => {
      const { page, context, offences } = await enter(browser, home, screen);
      await page.goto('/');
      await page.getByRole('searchbox').fill('kiln degrees');
      const picture = page.waitForResponse(/\/snap\//, { timeout: 20_000 });
      await page.getByRole('link', { name: /^page 2/ }).click();
      expect((await picture).headers()['content-type']).toBe('image/png');
      expect(await page.locator('figure svg text', { hasText: '1240 degrees' }).count()).toBe(1);
      expect(await page.locator('mark', { hasText: 'degrees' }).count()).toBeGreaterThan(0);

      await page.getByRole('link', { name: 'Ask', exact: true }).click();
      await page.getByRole('textbox').fill(QUESTION);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.sentences');
      const marks = await page.evaluate('[...document.querySelectorAll(".sentences li")].map((one) => one.className)');
      expect(marks).toEqual(['supported', 'contradicted']);
      expect(await page.locator('.contradicted em.bad').textContent()).toContain('five days');

      const number = page.locator('.contradicted .marker');
      const tip = page.locator('.contradicted .tip');
      await number.hover();
      expect(await tip.isVisible()).toBe(true);
      expect(await tip.textContent()).toContain('It cools for two days');
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.keyboard.press('Escape');
      expect(await tip.isVisible()).toBe(false);

      await page.getByRole('link', { name: 'Check all citations' }).click();
      await page.getByText('Every citation stands where it says.').waitFor();
      expect(await violationsOf(page)).toEqual([]);

      await page.locator('.contradicted .marker').click();
      if (screen.viewport.width >= 1200) {
        await page.locator('#beside #cited').waitFor();
        expect(new URL(page.url()).pathname).toBe('/ask');
        expect(await violationsOf(page)).toEqual([]);
        await page.getByRole('button', { name: 'Close' }).click();
        expect(await page.evaluate('document.activeElement.className')).toBe('marker');
      } else await page.waitForURL(/\/doc\/default\/manual\/kiln\.pdf.*#cited/);
      expect(offences).toEqual([]);
      await context.close();
    },
  );

  it('everything can be reached with the keyboard', async () => {
    const { page, context } = await enter(browser, home);
    await page.goto('/about');
    await page.keyboard.press('/');
    await page.keyboard.type('kiln degrees');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hit');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.className')).toBe('place');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/doc\//);
    await page.goBack();
    expect(await page.evaluate('[...document.querySelectorAll(".place")].indexOf(document.activeElement)')).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape'); // leaves the field as it is
    expect(await page.getByRole('searchbox').inputValue()).toBe('kiln degrees');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.className')).toBe('place');

    await page.goto('/ask');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await page.goto('/ask');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.sentences');
    const visited: string[] = [];
    for (let at = 0; at < 20 && !visited.includes('copy'); at++) {
      await page.keyboard.press('Tab');
      visited.push(
        await page.evaluate<string>(
          'document.activeElement.dataset.copy ? "copy" : document.activeElement.className || document.activeElement.tagName',
        ),
      );
      if (visited.at(-1) === 'marker') expect(await page.locator('.cite:focus-within .tip').isVisible()).toBe(true);
    }
    expect(visited).toEqual(expect.arrayContaining(['marker', 'place', 'copy']));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^# How hot[^]*- \[1\] `manual\/kiln\.pdf#p=2/,
    );
    await context.close();
  });

  it('everything works without script', async () => {
    const { page, context } = await enter(browser, home, { javaScriptEnabled: false });
    await page.goto('/');
    await page.getByRole('searchbox').fill('kiln degrees');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /^page 2/ }).click();
    await page.getByText('The kiln reaches').first().waitFor(); // follows its picture
    await page.goto('/ask');
    await page.getByRole('textbox').fill(QUESTION);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.locator('.contradicted').first().waitFor();
    expect(await page.locator('.contradicted').count()).toBe(1);
    await page.locator('.supported .marker').focus();
    expect(await page.locator('.supported .tip').isVisible()).toBe(true);
    expect(await page.locator('.draft').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.waitForURL(/\/ask\?q=/);
    await page.getByRole('link', { name: 'Check all citations' }).click();
    await page.getByText('stands where it says').waitFor();
    await context.close();
  });
});

describe.skipIf(BROWSER_PATH === null)('the sizes of the pages', () => {
  it('are at most 100 KB without pictures, and their script at most 40 KB as it is sent', async () => {
    const { page, context } = await enter(browser, home);
    for (const address of ADDRESSES) {
      const body = await (await page.goto(address))?.body();
      expect([address, (body?.length ?? 0) <= 100_000]).toEqual([address, true]);
    }
    const script = await page.request.get('/script.js');
    expect(gzipSync(await script.body()).length).toBeLessThanOrEqual(40_000);
    await context.close();
  });
});

describe.skipIf(BROWSER_PATH === null)('an answer in a host of MCP Apps', () => {
  it('is shown with its marks, in a frame that may load nothing, and follows the theme', async () => {
    const answer = JSON.parse((await home.get(`/ask.json?q=${encodeURIComponent(QUESTION)}`)).body) as Answer;
    const cited = new Map(answer.citations.map(({ citation }) => [citation.uri, citation]));
    const fetch = async ({ uri }: { uri: string }) => ({
      kind: 'page',
      text: 'It cools for two days.',
      citation: cited.get(uri),
    });
    const app = { fetch } as unknown as App;
    const view = answerView();
    const result = { structuredContent: answer, _meta: { 'kebab/html': await view.markup(app, answer, QUESTION) } };
    const context = await browser.newContext({ viewport: { width: 640, height: 600 } });
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent('<iframe sandbox="allow-scripts" width="600" height="500"></iframe>');
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">`;
    await page.evaluate(`
      const frame = document.querySelector('iframe');
      const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
      addEventListener('message', ({ data }) => {
        if (data.method === 'ui/initialize') send({ id: data.id, result: { protocolVersion: data.params.protocolVersion, hostContext: { theme: 'dark' } } });
        if (data.method === 'ui/notifications/initialized') send({ method: 'ui/notifications/tool-result', params: ${JSON.stringify(result)} });
        if (data.method === 'ui/notifications/size-changed') frame.height = data.params.height;
      });
      frame.srcdoc = ${JSON.stringify(view.document.replace('<head>', `<head>${policy}`))};`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.contradicted').waitFor();
    await frame.locator('.contradicted .marker').focus();
    expect(await frame.locator('.contradicted .tip').textContent()).toContain('It cools for two days.');
    expect(await frame.locator('a').count()).toBe(0);
    expect(await page.frames()[1]?.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(25, 24, 23)');
    expect(await page.evaluate('document.querySelector("iframe").height !== "500"')).toBe(true);
    expect(requests.filter((url) => !url.startsWith('about:'))).toEqual([]);
    await context.close();
  });
});

/** A hostile text in each format, in the places where its words are shown. */
const HOSTILE_FORMATS: Readonly<Record<string, (text: string) => string>> = {
  md: (text) =>
    `# Kiln ${text}\n\nkiln ${text}\n\n- ${text}\n\n> ${text}\n\n| ${text} | kiln |\n|---|---|\n| kiln | ${text} |\n`,
  html: (text) => `<!doctype html><title>Kiln ${text}</title><h1>Kiln</h1><p>kiln ${text}</p>`,
  txt: (text) => `kiln ${text}\n`,
  py: (text) => `def kiln():\n    '''${text}'''\n    return "${text}"\n`,
  csv: (text) => `name,text\nkiln,"${text.replaceAll('"', '""')}"\n`,
  ipynb: (text) =>
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { language_info: { name: 'python' } },
      cells: [
        { id: 'a', cell_type: 'markdown', metadata: {}, source: [`# Kiln\n`, text] },
        { id: 'b', cell_type: 'code', metadata: {}, execution_count: 1, outputs: [], source: [`kiln = 1 # ${text}`] },
      ],
    }),
};

describe.skipIf(BROWSER_PATH === null)('three hundred hostile documents in a browser', () => {
  const files = Object.fromEntries(
    Object.entries(HOSTILE_FORMATS).flatMap(([extension, write]) =>
      HOSTILE_TEXTS.map((text, at) => [`${extension}/${at}.${extension}`, write(text)] as const),
    ),
  );
  let hostile: WebHome;
  beforeAll(async () => {
    hostile = await webHome({ ...files, 'long.txt': `kiln ${'<img src=x onerror=alert(1)>'.repeat(190_000)}` }); // 5 MB in one line
  });
  afterAll(() => hostile?.close());

  it('start no script, open no dialog, ask for nothing, and change no page', { timeout: 600_000 }, async () => {
    expect(Object.keys(files).length).toBeGreaterThan(300);
    const addresses = [
      ...[...Object.keys(files), 'long.txt'].map((file) => `/doc/default/${file}?q=kiln`),
      ...HOSTILE_TEXTS.flatMap((text, at) => [
        `/doc/default/md/${at}.md?view=raw`,
        `/?q=${encodeURIComponent(`kiln ${text}`)}`,
      ]),
    ];
    const visit = async (part: readonly string[]): Promise<readonly string[]> => {
      const { page, context, offences } = await enter(browser, hostile);
      await page.exposeFunction('reportBlocked', (one: string) => offences.push(`blocked by the policy: ${one}`));
      await page.addInitScript(
        'document.addEventListener("securitypolicyviolation", (one) => reportBlocked(one.blockedURI))',
      );
      for (const address of part) {
        await page.goto(address);
        const strange = await page.evaluate<number>(`document.querySelectorAll(${JSON.stringify(STRANGE)}).length`);
        if (strange > 0) offences.push(`${address}: ${strange} elements of a document`);
        if (!(await page.locator('header nav').isVisible())) offences.push(`${address}: the page is hidden`);
      }
      await context.close();
      return offences;
    };
    const parts = [0, 1, 2, 3].map((part) => addresses.filter((_, at) => at % 4 === part));
    expect((await Promise.all(parts.map(visit))).flat()).toEqual([]);
  });
});

/** Elements and attributes that no page of ours has. */
const STRANGE =
  'script:not([src^="/script.js?v="]), iframe, object, embed, svg, math, style, base, template, [onerror], [onload], [style], main form';
