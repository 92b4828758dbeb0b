import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pagerOf, showInPager } from '../../src/io/pager.ts';
import { Printer } from '../../src/io/printer.ts';
import { screenOf } from '../../src/screen/screen.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-pager-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const from = (env: Readonly<Record<string, string>>) => (name: string) => env[name];

/** A pager that stores its input in a file. */
function keeping() {
  const script = path.join(folder, 'pager.cjs');
  const kept = path.join(folder, 'kept.txt');
  writeFileSync(script, `process.stdin.pipe(require('node:fs').createWriteStream(${JSON.stringify(kept)}))`);
  return { pager: { command: process.execPath, args: [script], env: {} }, read: () => readFileSync(kept, 'utf8') };
}

describe('the pager', () => {
  it.each([
    [{}, { command: 'less', args: ['-FRX'] }],
    [{ LESS: 'R' }, { command: 'less', args: [] }],
    [{ PAGER: 'less -S' }, { command: 'less', args: ['-S'] }],
    [{ PAGER: 'bat --plain' }, { command: 'bat', args: ['--plain'] }],
    [{ PAGER: '' }, null],
    [{ PAGER: 'cat' }, null],
    [{ TERM: 'dumb' }, null],
  ])('for %j is %j', (env, expected) => {
    const pager = pagerOf(from(env));
    if (expected === null) expect(pager).toBeNull();
    else expect(pager).toMatchObject(expected);
  });

  it('gets the same safe output as a terminal if it is longer than the screen', async () => {
    const { pager, read } = keeping();
    const output = new MemoryOutput(80, 3);
    const printer = new Printer(output);
    const { colors } = screenOf(printer, { env: {}, homeDir: '/' });
    const text = `${colors.bold('one\u001b]0;x')}\n2\n3\n4\n`;
    await printer.printThrough((shown) => showInPager(shown, { rows: 3, pager }), text);
    expect([output.text, read()]).toEqual(['', '\u001b[1mone␛]0;x\u001b[22m\n2\n3\n4\n']);
  });

  it.each([
    ['the text fits', 'one\n', keeping().pager],
    ['there is none', 'one\ntwo\nthree\n', null],
    ['it does not start', 'one\ntwo\nthree\n', { command: path.join(folder, 'missing'), args: [], env: {} }],
  ])('is not used when %s', async (_why, text, pager) => {
    const output = new MemoryOutput(80, 3);
    await new Printer(output).printThrough((shown) => showInPager(shown, { rows: 3, pager }), text);
    expect(output.text).toBe(text);
  });
});
