import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable, printableJson } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { Printer } from '../../src/io/printer.ts';
import { screenOf } from '../../src/screen/screen.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';

function printing(columns: number | null) {
  const output = new MemoryOutput(columns);
  const printer = new Printer(output);
  return { output, printer, screen: screenOf(printer, { env: {}, homeDir: '/home/ada' }) };
}

describe('Printer', () => {
  it('colours what the program styles, and nothing else', () => {
    const { output, printer, screen } = printing(80);
    printer.print(`${screen.colors.cyan('a\u001b[31mb\u009b1m')} \u001b[32mc\n`);
    expect(output.text).toBe('\u001b[36ma␛[31mb\u{fffd}1m\u001b[39m ␛[32mc\n');
  });

  it('keeps one style within another', () => {
    const { output, printer, screen } = printing(80);
    printer.print(screen.colors.red(`a${screen.colors.bold('b')}c`));
    expect(output.text).toBe('\u001b[31ma\u001b[1mb\u001b[22mc\u001b[39m');
  });

  it('interprets only its own marks: not those of another output, and not incomplete ones', () => {
    const { output, printer, screen } = printing(80);
    const other = printing(80).screen.colors.red('x');
    const half = screen.colors.red('y').slice(1);
    printer.print(`${other}${half}`);
    expect(output.text.replaceAll(/[0-9a-f-]{36}/g, 'KEY')).toBe('␂KEYred␃x␂KEY␃KEYred␃y');
  });

  it('closes a style that was cut off', () => {
    const { output, printer, screen } = printing(80);
    printer.print(screen.colors.red('abc').slice(0, -20));
    expect(output.text.endsWith('\u001b[39m')).toBe(true);
  });

  it('prints a value as a single line, and a drawn line over the previous one', () => {
    const { output, printer } = printing(80);
    printer.line('a\nb\tc');
    printer.draw('d\re\u001b[K');
    printer.erase();
    expect(output.text).toBe('a␊b␉c\n\r\u001b[2Kd␍e␛[K\r\u001b[2K');
  });

  it.each([
    [1, '\r\u001b[0J'],
    [3, '\u001b[2A\r\u001b[0J'],
  ])('takes back %i rows that are on the screen', (rows, written) => {
    const output = new MemoryOutput(80, 24);
    expect(new Printer(output).retract(rows)).toBe(true);
    expect(output.text).toBe(written);
  });

  it('takes nothing back from a pipe, nor what began above the screen', () => {
    for (const output of [new MemoryOutput(null), new MemoryOutput(80, 24), new MemoryOutput(80)]) {
      expect(new Printer(output).retract(24)).toBe(false);
      expect(output.text).toBe('');
    }
  });

  it('prints exact text unchanged to a pipe, and makes it safe on a terminal', () => {
    const text = 'a\u001b[31m\r\n\u202eb';
    const pipe = printing(null);
    pipe.printer.print(`${pipe.screen.exact(text)}\u001b|`);
    const terminal = printing(80);
    terminal.printer.print(`${terminal.screen.exact(text)}\u001b|`);
    expect([pipe.output.text, terminal.output.text]).toEqual([`${text}␛|`, 'a␛[31m␍\n\u{fffd}b␛|']);
  });

  it.each([
    0x00, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xd800,
  ])('escapes U+%s in JSON and makes it visible in text, one unit for one', (code) => {
    const char = String.fromCharCode(code);
    expect(printable(char)).toMatch(/^[\u2400-\u2421\ufffd]$/u);
    const json = printableJson(JSON.stringify({ [char]: char }));
    expect(json).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(json)).toEqual({ [char]: char });
  });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Matches code that writes to standard output or standard error. */
const DOOR =
  /\bprocess\s*\.\s*std(?:out|err)\b|\bconsole\s*\.|\bstd(?:out|err)\b[^}]*\}\s*from\s*'(?:node:)?process'|\bwriteSync\(\s*[12]\b/;

/** TypeScript files below a folder that are shipped. */
function sources(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.ts'));
}

describe('standard output and standard error', () => {
  it('are written to only by the printer, the list to pick from, the pipe of the MCP host and the watchdogs of plugins', () => {
    const allowed =
      /^host-cli\/src\/(?:io\/|commands\/pick\.ts$)|^host-mcp\/src\/main\.ts$|^core\/src\/plugin\/process\/(?:process-program|stall-watch)\.ts$/;
    const files = ['host-cli/src', 'host-mcp/src', 'core/src', 'builtins/src']
      .flatMap(sources)
      .filter((file) => !allowed.test(file));
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((file) => DOOR.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});
