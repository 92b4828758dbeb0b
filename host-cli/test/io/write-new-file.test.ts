import {
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeNewFile } from '../../src/io/write-new-file.ts';

const BYTES = Uint8Array.of(1, 2, 3);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const write = (name: string, overwrite: boolean, spare: readonly string[] = []): void =>
  writeNewFile(at(name), BYTES, { overwrite, spare });

describe('writeNewFile', () => {
  it.each([true, false])('writes the file and leaves nothing else behind (overwrite: %s)', (overwrite) => {
    write('a.png', overwrite);
    expect(readdirSync(folder)).toEqual(['a.png']);
    expect(readFileSync(at('a.png'))).toEqual(Buffer.from(BYTES));
  });

  it('replaces a file only when it may', () => {
    writeFileSync(at('a.png'), 'old');
    expect(() => write('a.png', false)).toThrow('a.png is there already');
    expect(readFileSync(at('a.png'), 'utf8')).toBe('old');
    write('a.png', true);
    expect(readFileSync(at('a.png'))).toEqual(Buffer.from(BYTES));
    expect(readdirSync(folder)).toEqual(['a.png']);
  });

  it('takes a link that leads nowhere for a file that is there', () => {
    symlinkSync(at('nowhere'), at('a.png'));
    expect(() => write('a.png', false)).toThrow('a.png is there already');
  });

  it('never replaces a spared file, by whatever name it is reached', () => {
    mkdirSync(at('photos'));
    writeFileSync(at('photos/b.png'), 'the document');
    symlinkSync(at('photos'), at('link'));
    symlinkSync(at('photos/b.png'), at('c.png'));
    for (const name of ['photos/b.png', 'link/b.png', 'c.png'])
      expect(() => write(name, true, [at('photos/b.png')])).toThrow('is the document itself');
    expect(readFileSync(at('photos/b.png'), 'utf8')).toBe('the document');
  });

  it('breaks a hard link rather than write through it', () => {
    writeFileSync(at('b.png'), 'the document');
    linkSync(at('b.png'), at('c.png'));
    write('c.png', true, [at('b.png')]);
    expect(readFileSync(at('b.png'), 'utf8')).toBe('the document');
  });

  it('says which folder is missing', () => {
    expect(() => write('gone/a.png', false)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
