import { writeFileSync } from 'node:fs';
import { ScriptedModel, type Script } from '@kebab/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { modelPlugin, send, webHome, type WebHome } from './fakes/web-home.ts';

const FILES = {
  'loom.md': '# Loom\n\nThe loom has 8 shafts and weaves 90 cm of cloth an hour.\n',
  'dye.md': '# Dye\n\nMadder is simmered for two hours at 70 degrees.\n',
  '베틀.md': '# 베틀\n\n베틀은 겨울에만 쓴다.\n',
};
const TRUE = 'The loom has 8 shafts [1].';
const QUESTION = 'How many shafts does the loom have?';
const asked = `q=${encodeURIComponent(QUESTION)}`;

let home: WebHome;
let model: ScriptedModel;
async function start(script: Script = TRUE, mayWrite = false): Promise<void> {
  model = new ScriptedModel(script);
  home = await webHome(FILES, {
    plugins: [modelPlugin(model)],
    env: { KEBAB_MODELS_LLM_PROVIDER: 'scripted' },
    mayWrite,
  });
}
afterEach(() => home.close());

const headers = (): Readonly<Record<string, string>> => ({
  host: `127.0.0.1:${home.server.port}`,
  cookie: home.cookie,
});

describe('an answer', () => {
  it('is shown as it is written, and then with its marks in place of that', async () => {
    await start([{ text: TRUE, delayMs: 150 }]);
    const parts: string[] = [];
    let seen = '';
    const page = await send(home.server.port, `/ask?${asked}`, {
      headers: headers(),
      onPart: (part) => parts.push(part),
    });
    const states = parts.map((part) => (seen += part));
    expect(states.some((state) => state.includes('The loom') && !state.includes('8 shafts'))).toBe(true);
    expect(states.some((state) => state.includes('reads loom.md') && !state.includes('<p class="said">'))).toBe(true);
    expect(page.body.indexOf('class="draft"')).toBeLessThan(page.body.indexOf('class="answer"'));
    expect(page.body).toMatch(/<li class="supported">/);
    expect(page.body.trimEnd()).toMatch(/<\/html>$/);
  });

  it('is asked for once, however often and in whichever form it is looked at', async () => {
    await start();
    const page = await home.get(`/ask?${asked}`);
    const json = JSON.parse((await home.get(`/ask.json?${asked}`)).body);
    const markdown = await home.get(`/ask.md?${asked}`);
    const again = await home.get(`/ask?${asked}&verify=1`);
    expect(model.requests.length).toBe(1);
    expect(json.answer).toBe(TRUE);
    expect(markdown.body).toMatch(
      /^# How many shafts[^]*The loom has 8 shafts \[1\]\.[^]*- \[1\] `loom\.md#L\d[^`]*~[0-9a-f]+`\n$/,
    );
    expect(page.body).not.toContain('stands where it says');
    expect(again.body).toContain('stands where it says');
  });

  it('is written again on request', async () => {
    await start();
    await home.get(`/ask?${asked}`);
    const sent = await home.post('/ask', { again: QUESTION });
    expect([sent.status, sent.headers['location']]).toEqual([303, `/ask?${asked}`]);
    await home.get(`/ask?${asked}`);
    expect(model.requests.length).toBe(2);
  });

  it('reaches both of two readers who ask at once', async () => {
    await start([{ text: TRUE, delayMs: 20 }]);
    const pages = await Promise.all([
      home.get(`/ask?${asked}`),
      home.get(`/ask?${asked}`),
      home.get(`/ask.json?${asked}`),
    ]);
    expect([model.requests.length, ...pages.map(({ body }) => body.includes('The loom has 8 shafts'))]).toEqual([
      1,
      true,
      true,
      true,
    ]);
  });

  it('is given up when its reader has left, and asked for anew by the next', async () => {
    await start([{ text: `${TRUE} `.repeat(200), delayMs: 50 }, TRUE]);
    const leaving = new AbortController();
    const onPart = (part: string): void => {
      if (part.includes('shafts')) leaving.abort();
    };
    await expect(
      send(home.server.port, `/ask?${asked}`, { headers: headers(), signal: leaving.signal, onPart }),
    ).rejects.toThrow(/abort/i);
    await expect.poll(() => model.running, { timeout: 20_000 }).toBe(0);
    const { body } = await home.get(`/ask?${asked}`);
    expect([model.requests.length, body.includes('<li class="supported">')]).toEqual([2, true]);
  });

  it('that fails says why, within the page and as an error', async () => {
    await start([{ text: TRUE, fails: { after: 0, error: new Error('the model fell asleep') } }]);
    const { body } = await home.get(`/ask?${asked}`);
    expect(body).toMatch(/fell asleep/);
    expect(body.trimEnd()).toMatch(/<\/html>$/);
    expect((await home.get(`/ask.json?${asked}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('shows at each number the words of the passage that the sentence shares with it', async () => {
    await start(`${TRUE} It weaves 95 cm of cloth an hour [1].`);
    const { body } = await home.get(`/ask?${asked}`);
    const tips = [...body.matchAll(/<span class="tip"[^]*?<\/span\s*>\s*<\/span\s*>/g)].map(([tip]) => tip);
    expect(tips[0]).toContain('<mark>8</mark>');
    expect(tips[1]).toContain('weaves</mark> 90 <mark>'.replace(' <mark>', ''));
    expect(body).toMatch(/<em class="bad">95(?: cm)?<\/em>/);
  });

  it('that is none says why, with the nearest passages', async () => {
    await start('KEBAB_NO_ANSWER');
    const { body } = await home.get('/ask?q=which+dye+is+used+on+the+loom+in+winter');
    expect(body).toContain('No answer');
    expect(body).toContain('The nearest passages');
    expect(body).toMatch(/id="near-1"[^]*class="passage"[^]*(?:loom|Madder)/i);
  });

  it('is in Korean for a browser that prefers Korean', async () => {
    await start('베틀은 겨울에만 쓴다 [1].');
    const { body } = await home.get(`/ask?q=${encodeURIComponent('베틀은 언제 쓰나?')}`, { 'accept-language': 'ko' });
    expect(body).toContain('근거 있음');
    expect(body).toContain('인용 모두 확인');
  });
});

describe('citations that are checked', () => {
  it('are told apart: unchanged, moved, gone', async () => {
    await start(`${TRUE} Madder is simmered for two hours [2]. Madder is simmered at 70 degrees [2].`);
    const question = 'how many shafts has the loom and how is madder simmered';
    await home.get(`/ask?q=${encodeURIComponent(question)}`);
    const write = async (file: string, text: string): Promise<void> => {
      writeFileSync(`${home.folder}/notes/${file}`, text);
    };
    await write('loom.md', '# Loom\n\nThe loom was sold.\n');
    const { body } = await home.get(`/ask?q=${encodeURIComponent(question)}&verify=1`);
    expect(body).toMatch(/check gone"[^]*changed or gone/);
    expect(body).toMatch(/check exact"[^]*unchanged/);
    expect(body).toContain('1 of 2 citations stand where they say.');
  });
});

describe('a conversation', () => {
  it('is begun, continued, listed, exported and deleted with --write', async () => {
    await start([TRUE, 'Madder is simmered for two hours [1].'], true);
    const begun = await home.post('/ask', { q: QUESTION, session: 'new' });
    const [address = '', fragment] = String(begun.headers['location']).split('#');
    expect([begun.status, address]).toEqual([303, expect.stringMatching(/^\/ask\?session=web-\d{8}T\d{6}$/)]);
    expect((await home.get(address)).body).toMatch(/class="question"[^>]*>How many shafts[^]*<li class="supported">/);
    const session = address.slice(address.indexOf('=') + 1);
    await home.post('/ask', { q: 'how long is madder simmered', session });
    const { body } = await home.get(address);
    expect(body.match(/class="question"/g)?.length).toBe(2);
    expect(body).toMatch(
      new RegExp(`<h1 class="question"[^]*<h2 class="question"\\s+id="${fragment}"\\s*>how long is`),
    );
    await expect.poll(async () => (await home.get(address)).body.includes('class="draft"')).toBe(false);
    expect((await home.get(address)).body.match(/class="question"/g)?.length).toBe(2);
    expect((await home.get('/ask')).body).toContain(`href="${address}"`);
    expect(JSON.parse((await home.get(`/ask.json?session=${session}`)).body)).toMatchObject({
      schema_version: 'session_turns.v1',
      turns: [{}, {}],
    });
    expect((await home.get(`/ask.md?session=${session}`)).body.match(/^# /gm)?.length).toBe(2);
    expect((await home.get(`${address}&verify=1`)).body).toContain('stands where it says');
    expect((await home.get(address)).body).toMatch(/at=L1-L3~[0-9a-f]+&amp;q=[^]*<p class="passage">[^]*shafts/);
    writeFileSync(`${home.folder}/notes/loom.md`, '# Loom\n\nThe loom of 8 shafts was sold.\n');
    await home.post('/ingest', { files: 'all' });
    await expect
      .poll(async () => (await home.get(address)).body)
      .toMatch(/<span class="badge">changed[^]*<p class="passage"><\/p>/);
    expect((await home.post('/ask', { delete: session })).headers['location']).toBe('/ask');
    expect((await home.get('/ask')).body).not.toContain(address);
    expect((await home.get(address)).status).toBe(400);
  });

  it('is not written without --write', async () => {
    await start();
    for (const form of [{ q: QUESTION, session: 'new' }, { q: QUESTION, session: 'mine' }, { delete: 'mine' }]) {
      const { status, body } = await home.post('/ask', form as Readonly<Record<string, string>>);
      expect([status, body.includes('kebab ui --write')]).toEqual([400, true]);
    }
    expect(model.requests.length).toBe(0);
    expect((await home.get('/ask')).body).not.toContain('session=new');
  });
});
