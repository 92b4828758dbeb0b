import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Open } from '@kebab/core/app';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webHome, type WebHome } from '../fakes/web-home.ts';

const FILES = {
  'tea.md': '# Tea\n\nGreen tea is steeped at eighty degrees.\n\nBlack tea takes boiling water.\n',
  'old/coffee.md': '# Coffee\n\nCoffee is ground first.\n',
  'bad.ipynb': '{',
};

const SAVED = {
  saved: [{ name: 'brews', command: "kebab search tea --path 'tea.md'" }],
  searches: [
    { query: 'coffee', command: 'kebab search coffee', hits: 1 },
    { query: null, command: 'kebab search tea -k 3', hits: 2 },
  ],
  requestOf: (query: string) =>
    query.startsWith('@brews ') ? { query: query.replace('@brews', 'tea'), path_glob: ['tea.md'] } : { query },
  unsavedIn: (query: string) => (query === '@brew' ? { name: 'brew', saved: ['brews'] } : null),
};

describe('pages that may write', () => {
  let home: WebHome;
  const edited: Open[] = [];
  beforeAll(async () => {
    home = await webHome(FILES, {
      mayWrite: true,
      edit: async (place) => void edited.push(place),
      pastSearches: () => SAVED,
    });
  });
  afterAll(() => home.close());
  afterEach(() => void edited.splice(0));

  it('index what is new when a form asks for it, and show how far they have come', async () => {
    writeFileSync(path.join(home.folder, 'notes/mate.md'), '# Mate\n\nMate is sipped.\n');
    const { status, headers } = await home.post('/ingest', { files: 'all' });
    expect([status, headers['location']]).toEqual([303, '/about#progress']);
    await expect
      .poll(async () => (await home.get('/progress')).body, { timeout: 30_000 })
      .not.toMatch(/class="open"|Not indexed/);
    expect((await home.get('/?q=sipped')).body).toContain('mate.md');
  });

  it('offer to try failed files again', async () => {
    const { body } = await home.get('/about');
    expect(body).toMatch(/bad\.ipynb.*?action="\/ingest".*?Try again/s);
  });

  it('open the file of a hit in the editor, at its line', async () => {
    const found = (await home.get('/?q=boiling')).body;
    expect(found).toContain('<main id="main"  data-editor>');
    const [, uri = ''] = /class="hit" data-uri="([^"]+)"/.exec(found) ?? [];
    const { status, body } = await home.post('/edit.json', { uri });
    expect([status, JSON.parse(body).schema_version]).toEqual([200, 'open.v1']);
    expect(edited).toEqual([expect.objectContaining({ path: path.join(home.folder, 'notes/tea.md'), line: 1 })]);
  });

  it('open a document in the editor without the script, and come back to it', async () => {
    const { body } = await home.get('/doc/default/old/coffee.md?at=L3');
    expect(body).toMatch(/action="\/edit".*?value="default:old\/coffee\.md#L3"/s);
    const { status, headers } = await home.post('/edit', { uri: 'default:old/coffee.md#L3' });
    expect([status, headers['location']]).toEqual([303, '/doc/default/old/coffee.md?at=L3#cited']);
    expect(edited.map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    'default:../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    'default:none.md',
    'tea.md#L99999',
    'default:tea.md\0.exe',
    '',
    '--help',
  ])('open nothing that is not in the base: %j', async (uri) => {
    const { status } = await home.post('/edit.json', { uri });
    expect([status >= 400 && status < 500, edited]).toEqual([true, []]);
  });

  it('open no file that is gone, and say so', async () => {
    const file = path.join(home.folder, 'notes/gone.md');
    writeFileSync(file, '# Gone\n\nSoon to vanish.\n');
    await home.get('/?q=vanish');
    rmSync(file);
    const { status, body } = await home.post('/edit.json', { uri: 'default:gone.md' });
    expect([400, 404]).toContain(status); // the index may know already
    expect(body).toContain('gone.md');
    expect(edited).toEqual([]);
  });

  it('take no such request from another page, or as a link', async () => {
    const elsewhere = { host: `127.0.0.1:${home.server.port}`, cookie: home.cookie };
    for (const address of ['/edit', '/edit.json', '/ingest'])
      expect([address, (await home.get(address, elsewhere)).status]).toEqual([address, 404]);
    expect(edited).toEqual([]);
  });

  it('list the saved searches and the last ones, which are links where a link can repeat them', async () => {
    const { body } = await home.get('/');
    expect(body).toMatch(/Saved searches.*?href="\/\?q=%40brews".*?--path/s);
    expect(body).toMatch(/Last searches.*?href="\/\?q=coffee".*?<code\s*>kebab search tea -k 3<.*?\d hits?</s);
  });

  it('run a saved search by its name, with its filters and further words', async () => {
    const { body } = await home.get(`/?q=${encodeURIComponent('@brews boiling')}`);
    expect(body).toContain('takes <mark>boiling</mark>');
    expect(body).not.toContain('coffee.md');
    expect((await home.get('/?q=%40nothing')).status).toBe(200);
    expect((await home.get('/?q=%40brew')).body).toMatch(
      /No search is saved as “brew”.*Saved searches: .*"\/\?q=%40brews">@brews</,
    );
    expect((await home.get('/?q=%40brew&typing=1')).body).not.toContain('No search is saved');
  });
});

describe('pages that only read', () => {
  let home: WebHome;
  beforeAll(async () => {
    home = await webHome(FILES);
  });
  afterAll(() => home.close());

  it('neither index nor start an editor, and say how they would', async () => {
    for (const address of ['/ingest', '/edit', '/edit.json']) {
      const { status, body } = await home.post(address, { uri: 'tea.md' });
      expect([status, body]).toEqual([400, expect.stringContaining('--write')]);
    }
    const pages = [await home.get('/about'), await home.get('/?q=tea'), await home.get('/doc/default/tea.md')];
    for (const { body } of pages) expect(body).not.toMatch(/data-editor|action="\/(?:ingest|edit)"/);
  });

  it('find words by their beginnings while they are being typed', async () => {
    expect((await home.get('/?q=stee')).body).not.toContain('tea.md');
    const typed = (await home.get('/?q=stee&typing=1')).body;
    expect(typed).toContain('<mark>steeped</mark>');
    expect(typed).toMatch(/name="q"\s+value="stee"/);
    for (const whole of ['"green tea', 'path:te', 'tea -stee', 'on'])
      expect((await home.get(`/?q=${encodeURIComponent(whole)}&typing=1`)).status).toBe(200);
  });
});
