import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../../plugins/pdf/test/make-pdf.ts';
import { webHome, type WebHome } from '../fakes/web-home.ts';

/** A PDF file with one page for each list of lines. */
const pdfOf = (pages: readonly (readonly string[])[]): Uint8Array =>
  makePdf({
    pages: pages.map((lines) => ({
      size: [600, 800],
      texts: lines.map((text, at) => ({ text, x: 60, y: 740 - 14 * at, size: 12 })),
    })),
  });

const CELLS = [
  { cell_type: 'markdown', metadata: {}, source: ['# Glaze log\n', 'The glaze ran at cone six.'] },
  { cell_type: 'code', execution_count: 1, metadata: {}, source: ['ratio = 3 / 4\n', 'print(ratio)'], outputs: [] },
];
const LINKS = `# Links\n\nThe glaze log is in [notes](notes.md), and nothing is in [gone](gone.md).\n\n${Array.from({ length: 30 }, (_, at) => `Shelf ${at} holds jars of ash, feldspar and whiting.`).join('\n')}\n`;
const FILES = {
  'glaze.pdf': pdfOf([
    ['A glaze is glass on clay.', 'It melts with the heat of a kiln.'],
    ['Ash glazes flow.', 'They have iron <b>and</b> lime.'],
    ['The last page.'],
  ]),
  'firing.csv': `cone,degrees,note\n${Array.from({ length: 40 }, (_, at) => `${at},${900 + at},note: ${at}`).join('\n')}\n7,,no degrees\n`,
  'short.csv': 'cone,note\n1,\n2,hot\n',
  'log.ipynb': JSON.stringify({
    cells: CELLS,
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  }),
  'kiln.py':
    '"""Kilns."""\n\nLIMIT = 999  # degrees\n\n\ndef fire(hours):\n    return "hot" if hours > LIMIT else None\n\n\nclass Kiln:\n    def open(self):\n        pass\n',
  'query.sql': 'SELECT name FROM kilns WHERE heat > 900; -- hot ones\n',
  'Main.hs': 'main :: IO ()\nmain = putStrLn "glaze"\n',
  'guide.rst': 'Kilns\n=====\n\nA kiln holds heat.\n\nAsh\n---\n\n- wood\n- bone\n',
  'tables.rst':
    'Cones\n=====\n\nFired.\n\n.. code-block:: python\n\n   cone = 6\n\n+------+------+\n| cone | heat |\n+======+======+\n| 06   | 999  |\n+------+------+\n\n=====  =====\nash    parts\n=====  =====\nbone   2\n=====  =====\n\n3. third\n4. fourth\n',
  'empty.md': '',
  'plain.txt': 'A plain text.\nOf two lines.\n',
  'page.html': '<html><body><h1>Clay</h1><p>Clay <b onclick="x()">shrinks</b>.</p><script>bad()</script></body></html>',
  'notes.md':
    '# Notes\n\nfirst\n\nsecond line\n\nthird\n\n```python\nreturn 1\n```\n\n---\n\n|  | cone |\n|---|---|\n| ash | 10 |\n',
  'links.md': LINKS,
  'copy of links.md': `${LINKS}\nOne line more.\n`,
};

let home: WebHome;
beforeAll(async () => {
  home = await webHome(FILES);
});
afterAll(() => home.close());

const read = async (address: string): Promise<string> => (await home.get(`/doc/default/${address}`)).body;

describe('the page of a PDF document', () => {
  it('is a picture with its text over it, and the same text beside it', async () => {
    const body = await read('glaze.pdf?at=p%3D1');
    expect(body).toMatch(/<image href="\/snap\/default\/glaze\.pdf\?at=p%3D1" width="1200" height="1600"/);
    expect(body).toMatch(/<text [^>]*x="120"[^>]*textLength="\d+"[^>]*>A glaze is glass on clay\.<\/text\s*>/);
    expect(body).toMatch(/<pre class="plain">.*It melts with the heat/s);
  });

  it('shows that same picture, and draws it again when it is asked for alone', async () => {
    for (const zoom of ['', '', '&zoom=2']) {
      const { headers, body } = await home.get(`/snap/default/glaze.pdf?at=p%3D1${zoom}`);
      expect(headers['content-type']).toBe('image/png');
      expect(body).toContain('PNG');
    }
  });

  it('leads to its neighbours and to larger pictures', async () => {
    const body = await read('glaze.pdf?from=2');
    expect(body).toContain('page 2 of 3');
    for (const page of [1, 3]) expect(body).toContain(`href="/doc/default/glaze.pdf?from=${page}"`);
    expect(body).toContain('href="/doc/default/glaze.pdf?at=p%3D2&amp;zoom=2#cited"');
    expect(await read('glaze.pdf?at=p%3D2&zoom=2')).toMatch(/class="sheet zoom2".*width="2400"/s);
    expect(await read('glaze.pdf?at=p%3D2&zoom=99')).toContain('class="sheet zoom1"');
  });

  it('lights the words of a query and the cited passage', async () => {
    const { body } = await home.get('/?q=iron+lime');
    const [, address = ''] = /href="(\/doc\/default\/glaze\.pdf\?at=[^"]+)"/.exec(body) ?? [];
    const page = await home.get(address.replaceAll('&amp;', '&').replace(/#.*/, ''));
    expect(page.body).toContain('<mark>lime</mark>');
    expect(page.body).toMatch(
      /<image href="\/snap\/default\/glaze\.pdf\?at=p%3D2&amp;(?:chunk=[0-9a-f]{32}&amp;)?q=iron%20lime"/,
    );
    expect(page.body).toContain('They have iron &lt;b&gt;and&lt;/b&gt; lime.');
  });
});

describe('a document with cells, rows or units', () => {
  it('shows the rows of a sheet as one table, and lights the cited one', async () => {
    const body = await read('firing.csv?at=row%3D5');
    expect(body.match(/<table>/g)).toHaveLength(1);
    expect(body.match(/<tr [^>]*class="lit"/g)).toHaveLength(1);
    expect(body).toMatch(
      /id="cited"\s+class="lit">.*?>5<\/a><\/th>\s*<td>3<\/td>\s*<td>903<\/td>\s*<td>note: 3<\/td>/s,
    );
    expect(body).toContain('href="/doc/default/firing.csv?at=row%3D17#cited"');
  });

  it('keeps a cell in its column where one before it is empty', async () => {
    expect(await read('firing.csv?at=row%3D42')).toMatch(/<td>7<\/td>\s*<td><\/td>\s*<td>no degrees<\/td>/);
    expect(await read('short.csv')).toMatch(/<td>1<\/td>\s*<td><\/td>\s*<\/tr>/);
  });

  it('shows the cells of a notebook, each with its place, and code in colours', async () => {
    const body = await read('log.ipynb?at=cell%3D2');
    expect(body).toContain('href="/doc/default/log.ipynb?at=cell%3D1#cited">cell 1</a>');
    expect(body).toMatch(/class="block lit" id="cited">\s*<pre/);
    expect(body).toContain('ratio = <i class="value">3</i>');
  });
});

describe('source code', () => {
  it('has numbered lines in colours, and an outline of its units', async () => {
    const body = await read('kiln.py?at=L6-L7');
    expect(body).toContain('<i class="word">return</i>');
    expect(body).toContain('<i class="text">&quot;hot&quot;</i>');
    expect(body).toContain('<i class="remark"># degrees</i>');
    expect(body.match(/class="line lit" id="L[67]"/g)).toHaveLength(2);
    expect(body).toContain('id="L1"');
    expect(body).toContain('<a href="#L6">fire</a>');
  });

  it.each([
    ['query.sql', '<i class="word">SELECT</i>'],
    ['Main.hs', '<i class="text">&quot;glaze&quot;</i>'],
    ['notes.md', '<i class="word">return</i>'],
  ])('has colours in many languages: %s', async (file, markup) => {
    expect(await read(file)).toContain(markup);
  });
});

describe('text', () => {
  it('has a line where Markdown draws one, and no name above a column without one', async () => {
    expect(await read('notes.md?view=rendered')).toMatch(/<hr \/>.*<td><\/td><th>cone<\/th>/s);
  });

  it('with a structure is rendered from its blocks, and plain text is shown as lines', async () => {
    expect(await read('guide.rst')).toMatch(/<h2>Ash<\/h2>.*<li>bone<\/li>/s);
    expect(await read('guide.rst?view=raw')).toMatch(/id="L2"/);
    expect(await read('plain.txt')).toMatch(/id="L2"/);
  });

  it('is shown at the heading that a link names', async () => {
    expect(await read('guide.rst?at=%23Ash')).toMatch(/ id="cited">\s*<h2>Ash</);
  });

  it('that is none is said to be none', async () => {
    expect(await read('empty.md')).toMatch(/href="\/about#skipped">No text was read here/);
    expect(await read('empty.md')).not.toContain('Raw text');
  });

  it('keeps drawn tables, the numbers of lists, and code without its directive', async () => {
    const body = await read('tables.rst');
    expect(body).toMatch(/<pre[^>]*>\+------\+------\+\n\| cone \| heat \|/);
    expect(body).toMatch(/<pre[^>]*>=====  =====\nash    parts\n/);
    expect(body).toMatch(/<li value="3"\s*>third<\/li\s*>\s*<li value="4"/);
    expect(body).toMatch(/<code\s*>cone = <i class="value"/);
    expect(body).not.toContain('code-block');
  });

  it('of a web page has no markup of the file', async () => {
    const body = await read('page.html');
    expect(body).toMatch(/Clay .*shrinks/);
    expect(body).not.toMatch(/onclick|bad\(\)/);
  });
});

describe('what is around a document', () => {
  it('are its links, near copies and nearest documents', async () => {
    expect(await read('links.md')).toContain('href="/around/default/links.md"');
    const { body } = await home.get('/around/default/links.md');
    expect(body).toMatch(/It links to.*?href="\/doc\/default\/notes\.md"/s);
    expect(body).toMatch(/Near copies.*?href="\/doc\/default\/copy%20of%20links\.md"/s);
    expect(body).toContain('Links to nothing that is indexed: gone.md');
    expect((await home.get('/around/default/notes.md')).body).toMatch(/These link to it.*?links\.md/s);
    expect(JSON.parse((await home.get('/around.json/default/links.md')).body)).toMatchObject({
      schema_version: 'related.v1',
    });
    expect((await home.get('/around/default/none.md')).status).toBe(404);
    expect((await home.get('/around/default/..%2Fsecret')).status).toBe(404);
  });
});

describe('a place whose file has changed', () => {
  it('shows what was cited and what stands there now, side by side', async () => {
    const { body } = await home.get('/search.json?q=second+line');
    const [{ citation }] = JSON.parse(body).hits;
    const pin = /~([0-9a-f]+)$/.exec(citation.permalink)?.[1];
    expect(await read(`notes.md?at=L5~${pin}`)).not.toContain('What was cited');
    const file = path.join(home.folder, 'notes/notes.md');
    writeFileSync(file, FILES['notes.md'].replace('second line', 'another <line>'));
    for (const at of ['L5', 'L3-L7']) {
      const changed = await read(`notes.md?at=${at}`);
      expect(changed).toMatch(
        /class="changed" id="cited".*What was cited.*<del>second line<\/del>.*What stands there now.*<ins>another &lt;line&gt;<\/ins>/s,
      );
      expect(changed.match(/id="cited"/g)).toHaveLength(1); // what is read first is what has changed
    }
    writeFileSync(file, `intro\n\n${FILES['notes.md']}`);
    expect(await read('notes.md?at=L5')).toContain('href="/doc/default/notes.md?at=L7#cited"');
    writeFileSync(file, '# Notes\n');
    expect(await read('notes.md?at=L5')).toContain('Nothing stands at this place now.');
    writeFileSync(file, FILES['notes.md']);
    appendFileSync(file, 'more\n');
    expect(await read('notes.md?at=L5')).not.toContain('What was cited');
  });

  it('says so when the index no longer has what was cited either', async () => {
    const body = await read('plain.txt?at=L1~0123456789abcdef');
    expect(body).toContain('The text that was cited no longer stands here.');
    expect(body).not.toContain('What was cited');
    expect(body).toMatch(/What stands there now.*A plain text\./s);
  });
});

it('nests headings without gaps, whatever levels a document leaves out', async () => {
  const gaps = await webHome({
    'deep.md': '# Deep\n\n### Third\n\na\n\n###### Sixth\n\nb\n\n## Second\n\nc\n',
    'none.md': '#### Fourth\n\na\n\n## Second\n\nb\n',
    'twice.md': '# One\n\na\n\n# Two\n\nb\n\n### Three\n\nc\n',
  });
  const levels = async (name: string): Promise<string> => {
    const { body } = await gaps.get(`/doc/default/${name}`);
    const [, article = ''] = /<article(.*)<\/article>/s.exec(body) ?? [];
    return [...article.matchAll(/<h(\d)>([^<]*)</g)].map(([, level, text]) => `${level} ${text}`).join(', ');
  };
  try {
    expect(await levels('deep.md')).toBe('1 Deep, 2 Third, 3 Sixth, 2 Second');
    expect(await levels('none.md')).toBe('1 Fourth, 2 Second');
    expect(await levels('twice.md')).toBe('1 One, 2 Two, 3 Three');
  } finally {
    await gaps.close();
  }
});
