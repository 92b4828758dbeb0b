import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webHome, type WebHome } from '../fakes/web-home.ts';

const LINES = Array.from({ length: 1200 }, (_, at) => `row ${at + 1}`).join('\n');
const FILES = {
  'bread/dough.md':
    '---\ntags: [food]\n---\n# Dough\n\nThe dough rests for **four hours** at 24 degrees, see [tea](../tea.md#L3).\n\n## Steps\n\n| step | hours |\n|---|---|\n| bulk | 4 |\n| proof | 12 |\n\n- fold\n- shape\n',
  'tea.md': '# Tea\n\nGreen tea is steeped at eighty degrees.\n',
  'kiln.py': 'def fire(hours):\n    """Fires the kiln."""\n    return hours * 60\n',
  'long.txt': LINES,
  'wide.txt': `kiln ${'<evil>'.repeat(400_000)}`,
  '회의/한글 #1.md': '# 회의\n\n예산은 삼백만 원이다.\n',
};

let home: WebHome;
beforeAll(async () => {
  home = await webHome(FILES);
});
afterAll(() => home.close());

/** The first address in a page that matches. */
function linkIn(body: string, pattern: RegExp): string {
  const [, address = ''] = [...body.matchAll(/href="([^"]+)"/g)].find(([, one = '']) => pattern.test(one)) ?? [];
  return address.replaceAll('&amp;', '&').replace(/#.*/, '');
}

describe('the page of a search', () => {
  it('lights the words, and each hit opens its document with the place lit', async () => {
    const { body } = await home.get('/?q=dough+rests');
    expect(body).toContain('<mark>dough</mark>');
    const read = await home.get(linkIn(body, /^\/doc\/default\/bread\/dough\.md\?at=/));
    expect(read.body).toMatch(/class="block lit" id="cited"/);
    expect(read.body).toContain('<mark>dough</mark>');
  });

  it('says which words are unknown and offers a better query', async () => {
    const { body } = await home.get('/?q=dough+stepeed');
    expect(body).toContain('No passage contains: stepeed');
    expect(linkIn(body, /^\/\?q=dough%20steeped/)).not.toBe('');
  });

  it('without hits says so, and without a query invites one', async () => {
    expect((await home.get('/?q=zzzzqqq')).body).toContain('No passage was found.');
    expect((await home.get('/')).body).toContain('name="q" value=""');
  });

  it('has the wire object beside it', async () => {
    const { body, headers } = await home.get('/search.json?q=dough');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({
      schema_version: 'search_response.v1',
      hits: [{ doc_path: 'bread/dough.md' }, { doc_path: 'bread/dough.md' }],
    });
  });

  it('is in Korean for a browser that prefers Korean', async () => {
    const { body } = await home
      .get('/?q=예산', { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' })
      .catch(() => ({ body: '' }));
    const encoded = await home.get(`/?q=${encodeURIComponent('예산')}`, { 'accept-language': 'ko-KR,ko;q=0.9' });
    expect(body + encoded.body).toContain('<html lang="ko">');
    const read = await home.get(linkIn(encoded.body, /^\/doc\/.*\?at=/));
    expect(read).toMatchObject({ status: 200 });
    expect(read.body).toContain('id="cited"');
  });

  it.each([
    ['an error', '/doc/default/no-such-file.md', '그런 문서가 없습니다'],
    ['a request that cannot be read', '/?q=x&page=99999999', '입력한 값을 쓸 수 없습니다'],
  ])('says what to do about %s in the language of the browser', async (_, address, remedy) => {
    const korean = await home.get(address, { 'accept-language': 'ko' });
    expect(korean.body).toContain(remedy);
    expect(korean.body).not.toContain('kebab --help');
    expect((await home.get(address)).body).not.toContain(remedy);
  });
});

describe('the page of a document', () => {
  it('renders Markdown from its blocks, with tables, lists and links inside the source', async () => {
    const { body } = await home.get('/doc/default/bread/dough.md');
    expect(body).toContain('<strong>four hours</strong>');
    expect(body).toContain('<td>proof</td>');
    expect(body).toMatch(/<li>fold<\/li>/);
    expect(body).toContain('href="/doc/default/tea.md?at=L3#cited"');
    expect(body).not.toContain('tags:');
  });

  it('lights only the cited rows of a table', async () => {
    const { body } = await home.get('/doc/default/bread/dough.md?at=L13');
    expect(body.match(/<tr class="lit"|<tr {2}class="lit"/g)?.length ?? 0).toBe(1);
  });

  it('shows a long document around the cited line, and leads to the rest', async () => {
    const { body } = await home.get('/doc/default/long.txt?at=L900');
    expect(body).toContain('>row 900<');
    expect(body).not.toContain('>row 100<');
    expect(body.length).toBeLessThan(100_000);
    const next = await home.get('/doc/default/long.txt?from=801');
    expect(next.body).toContain('>row 801<');
    expect(next.body).toContain('>row 1200<');
  });

  it('shows a line of megabytes in part', async () => {
    const { status, body } = await home.get('/doc/default/wide.txt?q=kiln');
    expect([status, body.length < 100_000]).toEqual([200, true]);
  });

  it('says when a place is not in it, and when there is no such document', async () => {
    expect((await home.get('/doc/default/tea.md?at=L900')).body).toContain('no such place');
    expect((await home.get('/doc/default/tea.md?at=nonsense')).body).toContain('no such place');
    expect((await home.get('/doc/default/none.md')).status).toBe(404);
    expect(JSON.parse((await home.get('/doc.json/default/none.md')).body)).toMatchObject({ code: 'doc_not_found' });
  });

  it('has the text of the place as its wire object', async () => {
    const { body } = await home.get('/doc.json/default/tea.md?at=L3');
    expect(JSON.parse(body)).toMatchObject({ kind: 'span', text: 'Green tea is steeped at eighty degrees.' });
  });
});
