import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webHome, type WebHome } from '../fakes/web-home.ts';

/** Names that file systems allow. */
const NAMES = [
  'kiln\u202egnp.md',
  'kiln \u0007bell.md',
  'kiln\u001b[31mred.md',
  '"><b id=evil>.md',
  'kiln & <i>x.md',
  'kiln#L1.md',
  'kiln?q=x.md',
  'kiln%2e%2e.md',
  'kiln\ttab.md',
  'ｋｉｌｎ\u200b.md',
  "kiln';evil='.md",
  'עברית kiln.md',
];
const TEXT =
  '# Kiln <style>*{display:none}</style> {color:red}\n\nThe kiln holds 1240 degrees.\n\n## url(javascript:1) kiln\n\nx\n';

let home: WebHome;
beforeAll(async () => {
  home = await webHome(Object.fromEntries([...NAMES, 'kiln.md'].map((name) => [name, TEXT])), {
    mayWrite: true,
    edit: async () => undefined,
    pastSearches: () => ({
      saved: [{ name: '<b>x', command: 'kebab search "<b>kiln"' }],
      requestOf: (query) => ({ query }),
      unsavedIn: (name) => ({ name, saved: ['<b>x'] }),
      searches: [{ query: '"><script>evil</script>', command: '', hits: 0 }],
    }),
  });
});
afterAll(() => home.close());

/** What of a page could do harm: tags of documents, raw control characters, more scripts than the own one. */
function harmIn(body: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex
  const found = body.match(/<(?:b|i) |<i>x|<b>|<style|[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/g) ?? [];
  return body.split('<script').length === 2 ? found : [...found, 'scripts'];
}

describe('an address', () => {
  it.each([
    ['a very long query', `/?q=${'kiln+'.repeat(2000)}`],
    ['a query of one long word', `/?q=${'k'.repeat(9000)}`],
    ['a query of signs only', `/?q=${encodeURIComponent('"(*)"-:^~OR AND NEAR/0 path: tag:"" \\')}`],
    ['a query of halves of pairs and NUL', '/?q=%ED%A0%80kiln%00%FF'],
    ['a broken escape', '/?q=%E0%A4%A'],
    ['members that are repeated', '/?q=kiln&q=%3Cb%3E&page=1&page=2&explain&explain=1'],
    ['a page that is no number', '/?q=kiln&page=-1e9'],
    ['a page beyond the last', '/?q=kiln&page=999999999'],
    [
      'an expectation that is no place',
      `/?q=kiln&explain=1&expect=${encodeURIComponent('../../etc/passwd\u0000"><b>')}`,
    ],
    ['an expectation that is long', `/?q=kiln&explain=1&expect=${'a/'.repeat(3000)}`],
    ['a saved search that is none', `/?q=${encodeURIComponent('@__proto__ @constructor')}`],
    ['a saved search with markup in its name', `/?q=${encodeURIComponent('@<b>x more')}`],
    ['the list of past searches', '/'],
    ['a word that is being typed, with signs', `/?typing=1&q=${encodeURIComponent('kiln (*+?')}`],
    ['a place of strange lines', '/doc/default/kiln.md?at=L99999999999-L1~zz&q=%3Cb%3E'],
    ['a place with markup', `/doc/default/kiln.md?at=${encodeURIComponent('"><b id=x>')}&chunk='--`],
    ['numbers out of range', '/doc/default/kiln.md?from=999999999&zoom=77&view=evil'],
    ['a name of the prototype', '/doc/__proto__/constructor'],
    ['a source with signs', '/doc/%22%3E%3Cb%3E/kiln.md'],
    ['a path of dots in disguise', '/doc/default/%252e%252e/%252e%252e/etc/passwd'],
    ['a path with a backslash', '/doc/default/..%5c..%5cetc%5cpasswd'],
    ['a conversation with markup', `/ask?session=${encodeURIComponent('"><b>evil')}`],
    ['a question with control characters', '/ask?session=%00%1b%5B2J'],
    ['what is around nothing', '/around/default/%E2%80%AE.md'],
  ])('with %s is answered by a page or a refusal, without harm', async (_, address) => {
    const { status, body } = await home.get(address, { 'accept-language': `${'x,'.repeat(500)}ko` });
    expect([status < 500, harmIn(body)]).toEqual([true, []]);
    expect(body).not.toContain('root:');
    expect(body.length).toBeLessThan(150_000);
  });
});

describe('a file', () => {
  it.each(NAMES.map((name) => [JSON.stringify(name), name]))(
    'of the name %s is found, read and harmless',
    async (_, name) => {
      const { body: found } = await home.get(`/?q=kiln+1240&page=1`);
      expect(harmIn(found)).toEqual([]);
      const { status, body } = await home.get(`/doc/default/${encodeURIComponent(name)}?q=kiln`);
      expect([status, harmIn(body)]).toEqual([200, []]);
      expect(body).toMatch(/holds 1240 degrees/);
      const uri = /data-uri="([^"]*)"/.exec(body)?.[1] ?? '';
      expect(uri).not.toBe('');
    },
  );
});

describe('a form', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['a question of a megabyte', '/ask', { q: 'kiln '.repeat(200_000), session: 'new' }],
    ['a conversation that is none', '/ask', { delete: '"><b>' }],
    ['a place of a megabyte', '/edit.json', { uri: 'a'.repeat(1_000_000) }],
    ['a place with a line break', '/edit.json', { uri: 'kiln.md\r\nset-cookie: evil=1' }],
    ['a redirection elsewhere', '/edit', { uri: '//evil.example/x' }],
    ['a path of another page', '/search.json', { q: 'kiln' }],
  ])('with %s is answered by a page of this server', async (_, address, body) => {
    const { status, headers } = await home.post(address, body);
    expect(status).toBeLessThan(500);
    expect(headers['set-cookie']).toBeUndefined();
    expect(String(headers['location'] ?? '/')).toMatch(/^\/(?!\/)/);
  });
});
