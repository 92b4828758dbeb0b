import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResponse } from '@kebab/core/app';
import { send, webHome, type WebHome } from '../fakes/web-home.ts';

const FILES = {
  'boats/keel.md':
    '---\ntags: [sea, "two words"]\ndate: 2023-04-01\n---\n# Keels\n\nThe keel of a boat is long.\n\n## Rudders\n\nA rudder steers the boat.\n',
  'boats/sail.md': '---\ntags: [sea]\ndate: 2024-05-01\n---\n# Sails\n\nA boat needs wind in its sails.\n',
  'log.txt': 'The boat left the harbour.\n',
  'boat.py': 'def boat():\n    return "keel"\n',
  'fleet.md': `# Fleet\n${['One', 'Two', 'Three', 'Four', 'Five'].map((name) => `\n## ${name}\n\nThe anchor of ship ${name} is old.\n`).join('')}`,
  'harbour.md': '# Harbour\n\nAn anchor lies in the harbour.\n',
  '배.md': '---\ndate: 2024-01-01\n---\n# 배\n\n이 boat 는 나무 배이다.\n',
};

let home: WebHome;
beforeAll(async () => {
  home = await webHome(FILES);
});
afterAll(() => home.close());

const search = async (query: string, more = ''): Promise<string> =>
  (await home.get(`/?q=${encodeURIComponent(query)}${more}`)).body;

/** The facets of a page: the count of each value by its address. */
function facetsIn(body: string): ReadonlyMap<string, string> {
  const [list = ''] = /<details class="outline facets".*?<\/details>/s.exec(body) ?? [];
  const links = [...list.matchAll(/<a\s+href="\/\?q=([^"]*)"[^>]*>[^<]*<\/a\s*>\s*<span class="count"\s*>([^<]*)</g)];
  return new Map(links.map(([, query = '', count = '']) => [decodeURIComponent(query), count.trim()]));
}

function countIn(body: string): number {
  return Number(/in (\d+) documents?/.exec(body)?.[1] ?? 0);
}

describe('the facets of a search', () => {
  it('are links that narrow it, and their counts are what they leave', async () => {
    const facets = facetsIn(await search('boat'));
    expect([...facets.keys()]).toEqual(
      expect.arrayContaining([
        'boat type:markdown',
        'boat type:python',
        'boat tag:sea',
        'boat since:2024 until:2024',
        'boat tag:"two words"',
      ]),
    );
    for (const [query, count] of facets) expect([query, countIn(await search(query))]).toEqual([query, Number(count)]);
  });

  it('can be taken away again', async () => {
    const facets = facetsIn(await search('boat tag:sea since:2023 until:2023'));
    expect(facets.get('boat since:2023 until:2023')).toBe('×');
    expect(facets.get('boat tag:sea')).toBe('×');
    expect(await search('boat tag:sea')).toMatch(/aria-current="true"\s*>tag:sea</);
  });

  it.each(['boat type:md', 'boat tag:"two words"', 'boat lang:en', 'boat "keel of" type:markdown', 'tag:sea'])(
    'keep the rest of the query: %s',
    async (query) => {
      const counted = [...facetsIn(await search(query))].filter(([, count]) => count !== '×');
      expect(counted.every(([narrowed]) => !query.includes('"keel of"') || narrowed.includes('"keel of"'))).toBe(true);
      for (const [narrowed, count] of counted)
        expect([narrowed, countIn(await search(narrowed))]).toEqual([narrowed, Number(count)]);
    },
  );

  it('are left out where they would narrow nothing', async () => {
    expect(facetsIn(await search('steers')).has('steers type:markdown')).toBe(false);
    expect(await search('zzzz')).not.toContain('class="outline facets"');
  });
});

describe('the hits of a search', () => {
  it('lead to places whose address has the hash of the citation', async () => {
    expect(await search('rudder')).toMatch(
      /href="\/doc\/default\/boats\/keel\.md\?at=L\d+-L\d+~[0-9a-f]{6,16}&amp;chunk=/,
    );
  });

  it('of one document are folded where they would hide other documents', async () => {
    const foldedIn = (body: string): readonly string[] =>
      /<details>.*?<\/details>/s.exec(body)?.[0].match(/class="hit"/g) ?? [];
    const body = await search('anchor');
    expect(body).toMatch(/<summary class="more"\s*>2 more in this document<\/summary>/);
    expect([foldedIn(body).length, foldedIn(await search('anchor path:fleet.md')).length]).toEqual([2, 0]);
  });

  it('say whether their files are as they were indexed', async () => {
    expect(await search('harbour')).toContain('as they were indexed');
    const file = path.join(home.folder, 'notes/log.txt');
    writeFileSync(file, 'The boat left the harbour yesterday.\n');
    expect(await search('harbour')).toMatch(/1 of these files has changed.*class="badge"/s);
    rmSync(file);
    expect(await search('harbour')).toMatch(/deleted/);
    writeFileSync(file, FILES['log.txt']);
  });

  it('show how they were ranked, and why a file is not among them', async () => {
    const body = await search('boat keel', '&explain=1&expect=boats/sail.md');
    expect(body).toMatch(/How this was searched.*<code>boat keel<\/code>/s);
    expect(body.match(/Why it is here/g)?.length).toBeGreaterThan(1);
    expect(body).toMatch(/<svg class="bar".*?<rect width="100"/s);
    expect(body).toMatch(/class="note plain"\s*>it is hit \d/);
    expect(await search('zzzz', '&explain=1&expect=nowhere.md')).toMatch(/class="note warn"\s*>[^<]*nowhere\.md/);
    expect(await search('boat')).not.toContain('Why it is here');
  });

  it('are narrowed and explained in Korean too', async () => {
    const { body } = await home.get('/?q=boat&explain=1', { 'accept-language': 'ko' });
    expect(body).toMatch(/>\s*낱말로 찾기\s*</);
    expect(body).not.toMatch(/>\s*(?:lexical|total)\s*</);
    expect(body).toMatch(/검색 좁히기.*검색한 방법.*여기 있는 이유/s);
  });
});

it('shows extracts without the signs of tables and emphasis, and how many more passages a document has', async () => {
  const rows = Array.from({ length: 900 }, (_, at) => `${at},mast ${at},${'spruce '.repeat(30)}`).join('\n');
  const kinds = await webHome({
    'mast.html': '<h1>Masts</h1><table><tr><th>mast</th><th>metres</th></tr><tr><td>main</td><td>14</td></tr></table>',
    'mast.ipynb': JSON.stringify({
      cells: [{ cell_type: 'markdown', metadata: {}, source: ['The **mast** is *tall*.'] }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
    'mast.txt': 'A mast | a **sign** that is text.\n',
    'list.md': '# Yard\n\n- [ ] oil the mast - twice\n- mend $& sails\n  * by hand\n',
    'masts.csv': `number,name,wood\n${rows}\n`,
  });
  try {
    const { body } = await kinds.get('/?q=mast');
    expect(body).toMatch(/<mark>mast<\/mark> · metres · main · 14/);
    expect(body).toMatch(/The <mark>mast<\/mark> is tall\./);
    expect(body).toContain('| a **sign** that is text.');
    const list = (await kinds.get('/?q=oil+sails')).body;
    expect(list).toContain('• <mark>oil</mark> the mast - twice • mend $&amp; <mark>sails</mark> • by hand');
    const row = (await kinds.get('/?q=number+mast+417+type:csv')).body;
    expect(row).toMatch(/\n<mark>number<\/mark>: <mark>417<\/mark> \| name: [^\n]*\n/);
    const [, within = '', count = ''] = /<a href="([^"]+)">(\d+) more in this document</.exec(body) ?? [];
    const shown = body.split('data-uri="masts.csv').length - 1;
    const narrowed = await kinds.get(within.replaceAll('&amp;', '&'));
    expect([narrowed.status, Number(count) > 0, shown > 0]).toEqual([200, true, true]);
    expect(narrowed.body).toMatch(/in 1 document/);
  } finally {
    await kinds.close();
  }
});

it('names the copies of a file beside its hit', async () => {
  const copies = await webHome({
    'a/anchor.md': '# Anchors\n\nThe anchor holds in sand.\n',
    'anchor.md': '# Anchors\n\nThe anchor holds in sand.\n',
  });
  try {
    expect((await copies.get('/?q=anchor')).body).toMatch(/<a href="\/doc\/default\/a\/anchor\.md">a\/anchor/);
  } finally {
    await copies.close();
  }
});

describe('a page of hits', () => {
  /** Searches of the pages, each of which waits until it is let go on or fails. */
  const searches: { readonly signal: AbortSignal | undefined; go(): void; fail(): void }[] = [];
  let [opened, replaced, closed] = [0, 0, 0];
  let slow: WebHome;
  beforeAll(async () => {
    slow = await webHome(FILES, {
      served: (app) => {
        const number = ++opened;
        return {
          ...app,
          get openedFiles() {
            return { ...app.openedFiles, outdated: number <= replaced ? ('database' as const) : null };
          },
          search: (query, options) => {
            if (options?.facets !== true) return app.search(query, options);
            return new Promise<SearchResponse>((resolve, reject) => {
              const { signal } = options;
              const fail = (): void => reject(new Error('the disk <fell> off'));
              searches.push({ signal, go: () => void app.search(query, options).then(resolve, reject), fail });
            });
          },
          close: async () => {
            closed++;
            await app.close();
          },
        };
      },
    });
  });
  afterAll(() => slow.close());

  /** Asks for a page whose search waits. */
  async function begin(target: string) {
    const leaving = new AbortController();
    const { port } = slow.server;
    const headers = { host: `127.0.0.1:${port}`, cookie: slow.cookie };
    const page = send(port, target, { headers, signal: leaving.signal });
    const before = searches.length;
    await expect.poll(() => searches.length > before, { timeout: 20_000 }).toBe(true);
    return { page, leave: () => leaving.abort(), search: searches.at(-1) };
  }

  it('is a whole page when its search fails, and says so with the status of the error, as its wire object', async () => {
    const failing = await begin('/?q=rudder');
    failing.search?.fail();
    const { status, body } = await failing.page;
    expect([status, body.match(/<(?:html|body|main|h1)\b/g)?.length]).toEqual([500, 4]);
    expect(body).toMatch(/<body>.*<div id="results">.*the disk &lt;fell&gt; off.*<\/html>\s*$/s);
    const before = searches.length;
    const json = slow.get('/search.json?q=rudder');
    await expect.poll(() => searches.length, { timeout: 20_000 }).toBe(before + 1);
    searches.at(-1)?.fail();
    expect((await json).status).toBe(500);
  });

  it('ends its search when the browser leaves', async () => {
    const { page, leave, search: left } = await begin('/?q=rudder');
    leave();
    await expect(page).rejects.toThrow(/abort/i);
    await expect.poll(() => left?.signal?.aborted, { timeout: 20_000 }).toBe(true);
    left?.go();
  });

  it('keeps the App that searches open until it is sent, though the database was replaced', async () => {
    const { page, search: waiting } = await begin('/?q=rudder');
    replaced = opened;
    expect((await slow.get('/doc.json/default/log.txt')).status).toBe(200);
    expect([opened, closed]).toEqual([replaced + 1, 0]);
    waiting?.go();
    expect((await page).body).toContain('<mark>rudder</mark>');
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(1);
  });
});
