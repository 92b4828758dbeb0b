import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, CitedPicture, Open } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/src/wire/validate-wire.ts';
import { docInspection, fetchedDoc } from '../examples/documents.ts';
import { chunkId, docId, time } from '../examples/searches.ts';
import { runCommand } from '../fakes/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-looking-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const picture: CitedPicture = {
  ...{ png: Uint8Array.of(137, 80, 78, 71), width: 1131, height: 1600 },
  ...{ docPath: 'papers/a.pdf', file: '/kb/papers/a.pdf', uri: 'papers/a.pdf#p=3', page: 3 },
  ...{ outlined: true, freshness: 'fresh' },
};

function looking(given: { readonly picture?: Partial<CitedPicture>; readonly place?: Partial<Open> } = {}) {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    resolveId: async (kind, text) => `${kind}:${text}`,
    snap: async (query, { signal: _signal, ...options } = {}) => {
      asked.push([query, options]);
      return { ...picture, ...given.picture };
    },
    locate: async (query) => {
      asked.push(query);
      const place = { line: 12, page: null, uri: 'a.md#L12', freshness: 'fresh' } as const;
      return { schema_version: 'open.v1', path: '/kb/a.md', ...place, ...given.place };
    },
  };
  return { asked, app };
}

describe('kebab snap', () => {
  const file = (name: string): string => path.join(folder, name);

  it('writes the picture and says where it is, how large, and what it shows', async () => {
    const { asked, app } = looking();
    const { code, stdout, stderr } = await runCommand(['snap', 'papers/a.pdf#p=3', '-o', file('one.png')], { app });
    expect([code, stderr.text]).toEqual([0, '']);
    expect(stdout.text).toBe(`${file('one.png')}\n1131 × 1600  papers/a.pdf#p=3\n`);
    expect(readFileSync(file('one.png'))).toEqual(Buffer.from(picture.png));
    expect(asked).toEqual([[{ kind: 'uri', uri: 'papers/a.pdf#p=3' }, {}]]);
  });

  it('prints snap.v1 with --json, and never the picture', async () => {
    const { stdout } = await runCommand(['snap', 'a.pdf#p=3', '--output', file('json.png'), '--json'], looking());
    expect(stdout.json).toHaveLength(1);
    expect(parseWire('snap', stdout.json[0])).toEqual({
      ...{ schema_version: 'snap.v1', path: file('json.png'), width: 1131, height: 1600, doc_path: 'papers/a.pdf' },
      ...{ uri: 'papers/a.pdf#p=3', outlined: true, freshness: 'fresh' },
    });
  });

  it.each([
    ['0fa1b2', [{ kind: 'chunk', chunkId: 'chunk:0fa1b2' }, {}]],
    ['0FA1B2 --max-pixels 700', [{ kind: 'chunk', chunkId: 'chunk:0FA1B2' }, { maxPixels: 700 }]],
    ['a.pdf#p=3 --source papers', [{ kind: 'uri', uri: 'a.pdf#p=3', source: 'papers' }, {}]],
  ])('takes %s', async (line, expected) => {
    const { asked, app } = looking();
    await runCommand(['snap', ...line.split(' '), '-o', file('taken.png'), '--force'], { app });
    expect(asked).toEqual([expected]);
  });

  it('hands the password on', async () => {
    const line = ['snap', 'a.pdf#p=3', '-o', file('secret.png'), '--pdf-password', 'pw'];
    const { opened, stdout, stderr } = await runCommand(line, looking());
    expect(opened[0]?.flags).toMatchObject({ pdfPassword: 'pw' });
    expect(stdout.text + stderr.text).not.toContain('pw\n');
  });

  it('overwrites nothing unless it is told to', async () => {
    writeFileSync(file('mine.png'), 'mine');
    const refused = await runCommand(['snap', 'a.pdf#p=3', '-o', file('mine.png'), '--json'], looking());
    expect([refused.code, refused.stdout.text, refused.stderr.json]).toMatchObject([
      ...[2, ''],
      [{ code: 'invalid_input', details: { field: '--output' }, hint: expect.stringContaining('--force') }],
    ]);
    expect(readFileSync(file('mine.png'), 'utf8')).toBe('mine');
    expect((await runCommand(['snap', 'a.pdf#p=3', '-o', file('mine.png'), '--force'], looking())).code).toBe(0);
  });

  it('overwrites the document itself not even then', async () => {
    writeFileSync(file('b.png'), 'the document');
    const { code, stderr } = await runCommand(
      ['snap', 'b.png', '-o', file('b.png'), '--force'],
      looking({ picture: { file: file('b.png') } }),
    );
    expect([code, stderr.text]).toEqual([2, expect.stringContaining('is the document itself')]);
    expect(readFileSync(file('b.png'), 'utf8')).toBe('the document');
  });

  it.each(['-', ''])('writes no picture to standard output (%j)', async (output) => {
    const { code, stdout, opened } = await runCommand(['snap', 'a.pdf#p=3', `--output=${output}`], looking());
    expect([code, stdout.text, opened.length]).toEqual([2, '', 0]);
  });

  it.each([
    [{ outlined: false, freshness: 'fresh' }, 'is not known'],
    [
      { outlined: false, freshness: 'changed' },
      'changed since it was ingested; this is how it is now, without a frame',
    ],
  ] as const)('says why a chunk has no frame: %j', async (given, notice) => {
    const { stderr } = await runCommand(
      ['snap', '0fa1b2', '-o', file('f.png'), '--force'],
      looking({ picture: given }),
    );
    expect(stderr.text).toContain(notice);
    const json = await runCommand(
      ['snap', '0fa1b2', '-o', file('f.png'), '--force', '--json'],
      looking({ picture: given }),
    );
    expect(json.stderr.text).toBe('');
  });

  it('has a name for the file', async () => {
    const outside = '/work-folder/'; // where the commands of these tests are run: it is not there
    for (const [given, name] of [
      [{}, 'a-p3.png'],
      [{ docPath: 'photos/b.c.jpg', page: null }, 'b.c-snap.png'],
    ] as const) {
      const { stderr } = await runCommand(['snap', 'x', '--json'], looking({ picture: given }));
      expect(stderr.json).toMatchObject([{ code: 'io_error', details: { path: expect.stringContaining(name) } }]);
    }
    expect(existsSync(outside)).toBe(false);
  });
});

describe('kebab open', () => {
  it.each([
    [{}, '/kb/a.md:12'],
    [{ path: '/kb/a.pdf', line: null, page: 3 }, '/kb/a.pdf#page=3'],
    [{ path: '/kb/b.png', line: null }, '/kb/b.png'],
  ])('prints %j', async (place, expected) => {
    const { code, stdout, stderr } = await runCommand(['open', 'a.md#L12'], looking({ place }));
    expect([code, stdout.text, stderr.text]).toEqual([0, `${expected}\n`, '']);
  });

  it('prints open.v1 with --json', async () => {
    const { asked, app } = looking({ place: { freshness: 'changed' } });
    const { stdout, stderr } = await runCommand(['open', '0fa1b2', '--json'], { app });
    expect(parseWire('open', stdout.json[0])).toMatchObject({ path: '/kb/a.md', line: 12, freshness: 'changed' });
    expect([asked, stderr.text]).toEqual([[{ kind: 'chunk', chunkId: 'chunk:0fa1b2' }], '']);
  });

  it.each([
    ['changed', 'the place may have moved'],
    ['deleted', 'is not there any more'],
  ] as const)('says that the file is %s', async (freshness, notice) => {
    const { code, stderr } = await runCommand(['open', 'a.md#L12'], looking({ place: { freshness } }));
    expect([code, stderr.text]).toEqual([0, expect.stringContaining(notice)]);
  });

  it('takes a source only with a URI', async () => {
    const { code, stderr } = await runCommand(['open', '0fa1b2', '--source', 'x', '--json'], looking());
    expect([code, stderr.json]).toMatchObject([2, [{ details: { field: '--source' } }]]);
  });

  it('launches nothing for a file that is gone', async () => {
    const place = { path: path.join(folder, 'gone.md') };
    const { code, stderr } = await runCommand(['open', 'gone.md', '--launch', '--json'], {
      ...looking({ place }),
      env: { EDITOR: process.execPath },
    });
    expect([code, stderr.json]).toMatchObject([
      2,
      [{ code: 'io_error', details: { kind: 'ENOENT', path: place.path } }],
    ]);
  });

  it('launches the editor', async () => {
    const place = { path: path.join(folder, 'script.js'), line: null };
    const told = path.join(folder, 'launched');
    writeFileSync(place.path, `require('node:fs').writeFileSync(${JSON.stringify(told)}, 'yes')`);
    const env = { VISUAL: process.execPath };
    const { code, stdout } = await runCommand(['open', 'script.js', '--launch'], { ...looking({ place }), env });
    expect([code, stdout.text]).toEqual([0, `${place.path}\n`]);
    await expect.poll(() => existsSync(told), { timeout: 30_000 }).toBe(true);
  });
});

describe('kebab inspect doc --pages', () => {
  const words = ['A page of text', '한글 페이지', ''];
  let app: Partial<App>;
  beforeAll(() => {
    const text = words.join('\n\n');
    const [one = '', two = ''] = words;
    const second = one.length + 2;
    const end = second + two.length;
    const doc = {
      ...docInspection,
      provenance: { events: [{ at: time, agent: 'tesseract@1', kind: 'ocr_applied', note: 'pages 2–3' }] },
      pages: [
        { page: 1, start: 0, end: one.length },
        { page: 2, start: second, end },
        { page: 3, start: end + 2, end: end + 2 },
      ],
    } as const;
    app = {
      resolveId: async () => docId,
      inspectDoc: async () => doc,
      fetch: async () => ({ ...fetchedDoc, kind: 'doc', truncated: false, text, total_lines: 5 }),
    };
  });

  it('lists pages with their size, who read them, and how they begin', async () => {
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages'], { app });
    await expect(stdout.text).toMatchFileSnapshot('../render/golden/inspect-doc-pages.txt');
  });

  it('leaves --json as it is', async () => {
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages', '--json'], { app });
    expect(parseWire('doc_inspection', stdout.json[0]).pages).toHaveLength(3);
  });

  it('says so when there are none', async () => {
    const plain = { ...app, inspectDoc: async () => docInspection };
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages'], { app: plain });
    expect(stdout.text).toContain('no pages: it is markdown');
  });

  it('is asked for by a document, not by a chunk', async () => {
    const { code } = await runCommand(['inspect', 'chunk', chunkId, '--pages'], { app });
    expect(code).toBe(2);
  });
});
