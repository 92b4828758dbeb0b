import { describe, expect, it } from 'vitest';
import { Printer } from '../../src/io/printer.ts';
import { screenOf } from '../../src/screen/screen.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';

const TERMINAL = 80;

describe('the colours of a screen', () => {
  it.each([
    [TERMINAL, undefined, {}, true],
    [null, undefined, {}, false],
    [TERMINAL, 'never', {}, false],
    [null, 'always', { NO_COLOR: '1' }, true],
    [null, 'auto', {}, false],
    [TERMINAL, undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [TERMINAL, undefined, { NO_COLOR: '' }, true],
    [null, undefined, { FORCE_COLOR: '1' }, true],
    [null, undefined, { CLICOLOR_FORCE: '1' }, true],
    [null, undefined, { FORCE_COLOR: '0', CLICOLOR_FORCE: '0' }, false],
    [TERMINAL, undefined, { TERM: 'dumb' }, false],
  ])('with %j columns, --color %s and %j are wanted: %s', (columns, color, env, expected) => {
    const output = new MemoryOutput(columns);
    const printer = new Printer(output);
    printer.print(screenOf(printer, { env, homeDir: '/' }, color).colors.bold('x'));
    expect(output.text).toBe(expected ? '\u001b[1mx\u001b[22m' : 'x');
  });
});

describe('the links of a screen', () => {
  const printed = (columns: number | null, url: string): string => {
    const output = new MemoryOutput(columns);
    const printer = new Printer(output);
    printer.print(screenOf(printer, { env: {}, homeDir: '/' }).link('a\u001b.md', url));
    return output.text;
  };

  it("are the program's addresses around foreign text", () => {
    expect(printed(TERMINAL, 'file:///a')).toBe('\u001b]8;;file:///a\u001b\\a␛.md\u001b]8;;\u001b\\');
  });

  it.each(['file:///a\u001b\\', 'file:///a b', 'file:///한', ''])('are not created for %j', (url) => {
    expect(printed(TERMINAL, url)).toBe('a␛.md');
  });

  it('are only for terminals', () => {
    expect(printed(null, 'file:///a')).toBe('a␛.md');
  });
});
