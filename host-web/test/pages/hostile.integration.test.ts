import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../fakes/hostile-texts.ts';
import { webHome, type WebHome } from '../fakes/web-home.ts';

const TAGS = new Set(
  'html head meta title link script body a header nav form input button main div article h1 h2 h3 h4 h5 p span ol ul li pre code mark strong em blockquote table thead tbody tr th td details summary footer time section i b del ins'.split(
    ' ',
  ),
);
let home: WebHome;
beforeAll(async () => {
  const files = HOSTILE_TEXTS.flatMap((text, at) => [
    [
      `md/${at}.md`,
      `# Kiln ${text}\n\nkiln ${text}\n\n- kiln ${text}\n\n> kiln ${text}\n\n| kiln | ${text} |\n|---|---|\n| ${text} | kiln |\n`,
    ],
    [`text/${at}.txt`, `kiln ${text}\n`],
    [`code/${at}.py`, `def kiln():\n    """${text}"""\n    return 1\n`],
  ]);
  home = await webHome({ ...Object.fromEntries(files), 'long.txt': `kiln ${'<evil>'.repeat(400_000)}` });
});
afterAll(() => home.close());

const ADDRESS = /^(?:\/(?!\/)|#|https:\/\/example\.org\/)/;

/** The tags of a page that its templates do not make: of other names, with handlers, or with addresses elsewhere. */
function strange(markup: string): readonly string[] {
  return [...markup.matchAll(/<\/?([a-z][^\s/>]*)((?:"[^"]*"|[^">])*)>/gi)].flatMap(
    ([whole, tag = '', attributes = '']) => {
      const rest = attributes.replaceAll(/([a-z-]+)="([^"]*)"/g, (attribute, name: string, value: string) =>
        name.startsWith('on') || (/^(?:href|src|action)$/.test(name) && !ADDRESS.test(value)) ? attribute : '',
      );
      return TAGS.has(tag) && /^\s*(?:defer)?\s*\/?$/.test(rest) ? [] : [whole];
    },
  );
}

describe('a hostile document', () => {
  it.each(HOSTILE_TEXTS.map((text, at) => [JSON.stringify(text), at] as const))(
    'puts no tag, handler or address of its own into a page: %s',
    async (_text, at) => {
      for (const file of [`md/${at}.md`, `text/${at}.txt`, `code/${at}.py`, `md/${at}.md?view=raw`]) {
        const { status, body } = await home.get(`/doc/default/${file}${file.includes('?') ? '&' : '?'}q=kiln`);
        expect([file, status, strange(body)]).toEqual([file, 200, []]);
        expect(body.match(/<script/g)?.length).toBe(1);
        // oxlint-disable-next-line no-control-regex
        expect(body).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/);
      }
    },
  );

  it('is inert among hits, in suggestions, and as a query', async () => {
    for (const text of HOSTILE_TEXTS) {
      for (const query of ['kiln', `kiln ${text}`]) {
        const { body } = await home.get(`/?q=${encodeURIComponent(query)}`);
        expect([query, strange(body)]).toEqual([query, []]);
        expect(body.match(/<script/g)?.length).toBe(1);
      }
    }
  });

  it('of one line of megabytes is shown in part', async () => {
    const { status, body } = await home.get('/doc/default/long.txt?q=kiln');
    expect([status, strange(body)]).toEqual([200, []]);
    expect(body.length).toBeLessThan(100_000);
  });
});
