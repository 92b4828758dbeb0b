import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, CitedPicture } from '@kebab/core/app';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { writeNewFile } from '../../src/commands/snap.ts';
import { runCommand } from '../fakes/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-snap-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const picture: CitedPicture = {
  png: Uint8Array.of(137, 80, 78, 71),
  width: 1131,
  height: 1600,
  docPath: 'papers/a.pdf',
  file: '/kb/papers/a.pdf',
  uri: 'papers/a.pdf#p=3',
  page: 3,
  outlined: true,
  marked: 0,
  lacksReading: false,
  freshness: 'fresh',
};

function drawing(given: Partial<CitedPicture> = {}) {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    resolveId: async (kind, text) => `${kind}:${text}`,
    snap: async (query, { signal: _signal, ...options } = {}) => {
      asked.push([query, options]);
      return { ...picture, ...given };
    },
  };
  return { asked, app };
}

describe('kebab snap', () => {
  const file = (name: string): string => path.join(folder, name);

  it('writes the picture and prints its path, its size, and what it shows', async () => {
    const { asked, app } = drawing();
    const { code, stdout, stderr } = await runCommand(['snap', 'papers/a.pdf#p=3', '-o', file('one.png')], { app });
    expect([code, stderr.text]).toEqual([0, '']);
    expect(stdout.text).toBe(`${file('one.png')}\n1131 × 1600  papers/a.pdf#p=3\n`);
    expect(readFileSync(file('one.png'))).toEqual(Buffer.from(picture.png));
    expect(asked).toEqual([[{ kind: 'uri', uri: 'papers/a.pdf#p=3' }, {}]]);
  });

  it('prints snap.v1 with --json, and never the picture', async () => {
    const { stdout } = await runCommand(['snap', 'a.pdf#p=3', '--output', file('json.png'), '--json'], drawing());
    expect(stdout.json).toHaveLength(1);
    expect(parseWire('snap', stdout.json[0])).toEqual({
      schema_version: 'snap.v1',
      path: file('json.png'),
      width: 1131,
      height: 1600,
      doc_path: 'papers/a.pdf',
      uri: 'papers/a.pdf#p=3',
      outlined: true,
      freshness: 'fresh',
    });
  });

  it.each([
    ['0fa1b2', [{ kind: 'chunk', chunkId: 'chunk:0fa1b2' }, {}]],
    ['0FA1B2 --max-pixels 700', [{ kind: 'chunk', chunkId: 'chunk:0FA1B2' }, { maxPixels: 700 }]],
    ['a.pdf#p=3 --source papers', [{ kind: 'uri', uri: 'a.pdf#p=3', source: 'papers' }, {}]],
  ])('passes the place and size of "snap %s" to the App', async (line, expected) => {
    const { asked, app } = drawing();
    await runCommand(['snap', ...line.split(' '), '-o', file('taken.png'), '--force'], { app });
    expect(asked).toEqual([expected]);
  });

  it('passes the password on without printing it', async () => {
    const line = ['snap', 'a.pdf#p=3', '-o', file('secret.png'), '--pdf-password', 'pw'];
    const { opened, stdout, stderr } = await runCommand(line, drawing());
    expect(opened[0]?.flags).toMatchObject({ values: [{ key: 'pdf.password', flag: '--pdf-password', value: 'pw' }] });
    expect(stdout.text + stderr.text).not.toContain('pw\n');
  });

  it('overwrites nothing without --force', async () => {
    writeFileSync(file('mine.png'), 'mine');
    const refused = await runCommand(['snap', 'a.pdf#p=3', '-o', file('mine.png'), '--json'], drawing());
    expect([refused.code, refused.stdout.text, refused.stderr.json]).toMatchObject([
      2,
      '',
      [{ code: 'invalid_input', details: { field: '--output' }, hint: expect.stringContaining('--force') }],
    ]);
    expect(readFileSync(file('mine.png'), 'utf8')).toBe('mine');
    expect((await runCommand(['snap', 'a.pdf#p=3', '-o', file('mine.png'), '--force'], drawing())).code).toBe(0);
  });

  it('does not overwrite the document itself even with --force', async () => {
    writeFileSync(file('b.png'), 'the document');
    const { code, stderr } = await runCommand(
      ['snap', 'b.png', '-o', file('b.png'), '--force'],
      drawing({ file: file('b.png') }),
    );
    expect([code, stderr.text]).toEqual([2, expect.stringContaining('is the document itself')]);
    expect(readFileSync(file('b.png'), 'utf8')).toBe('the document');
  });

  it.each(['-', ''])('writes no picture to standard output (%j)', async (output) => {
    const { code, stdout, opened } = await runCommand(['snap', 'a.pdf#p=3', `--output=${output}`], drawing());
    expect([code, stdout.text, opened.length]).toEqual([2, '', 0]);
  });

  it.each([
    [{ outlined: false, freshness: 'fresh' }, 'is not known'],
    [
      { outlined: false, freshness: 'changed' },
      'changed since it was ingested; this is how it is now, without a frame',
    ],
  ] as const)('reports why a chunk has no frame: %j', async (given, notice) => {
    const { stderr } = await runCommand(['snap', '0fa1b2', '-o', file('f.png'), '--force'], drawing(given));
    expect(stderr.text).toContain(notice);
    const json = await runCommand(['snap', '0fa1b2', '-o', file('f.png'), '--force', '--json'], drawing(given));
    expect(json.stderr.text).toBe('');
  });

  it('names the file after the document when --output is missing', async () => {
    const outside = '/work-folder/'; // the working directory of these tests, which does not exist
    for (const [given, name] of [
      [{}, 'a-p3.png'],
      [{ docPath: 'photos/b.c.jpg', page: null }, 'b.c-snap.png'],
    ] as const) {
      const { stderr } = await runCommand(['snap', 'x', '--json'], drawing(given));
      expect(stderr.json).toMatchObject([{ code: 'io_error', details: { path: expect.stringContaining(name) } }]);
    }
    expect(existsSync(outside)).toBe(false);
  });
});

describe('writeNewFile', () => {
  const BYTES = Uint8Array.of(1, 2, 3);
  let target: string;
  beforeEach(() => {
    target = mkdtempSync(path.join(tmpdir(), 'kebab-write-'));
  });
  afterEach(() => rmSync(target, { recursive: true, force: true }));

  const at = (name: string): string => path.join(target, name);
  const write = (name: string, overwrite: boolean, spare: readonly string[] = []): void =>
    writeNewFile(at(name), BYTES, { overwrite, spare });

  it.each([true, false])('writes the file and leaves nothing else behind (overwrite: %s)', (overwrite) => {
    write('a.png', overwrite);
    expect(readdirSync(target)).toEqual(['a.png']);
    expect(readFileSync(at('a.png'))).toEqual(Buffer.from(BYTES));
  });

  it('treats a broken link as an existing file', () => {
    symlinkSync(at('nowhere'), at('a.png'));
    expect(() => write('a.png', false)).toThrow('a.png is there already');
  });

  it('never replaces a protected file, under any name', () => {
    mkdirSync(at('photos'));
    writeFileSync(at('photos/b.png'), 'the document');
    symlinkSync(at('photos'), at('link'));
    symlinkSync(at('photos/b.png'), at('c.png'));
    for (const name of ['photos/b.png', 'link/b.png', 'c.png'])
      expect(() => write(name, true, [at('photos/b.png')])).toThrow('is the document itself');
    expect(readFileSync(at('photos/b.png'), 'utf8')).toBe('the document');
  });

  it('breaks a hard link rather than writing through it', () => {
    writeFileSync(at('b.png'), 'the document');
    linkSync(at('b.png'), at('c.png'));
    write('c.png', true, [at('b.png')]);
    expect(readFileSync(at('b.png'), 'utf8')).toBe('the document');
  });

  it('fails for a missing folder', () => {
    expect(() => write('gone/a.png', false)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
