import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfigFile } from '../../src/config/load-config-file.ts';
import { configInvalid, ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const TABLE = { plugins: ['a'], search: { default_k: 3 }, workspace: { include: ['*.md', 'x # y'] } };
const TOML =
  'plugins = ["a"] # one\n# comment\n[search]\n\t# indented\ndefault_k = 3\n[workspace]\ninclude = [\n  # in a list\n  "*.md", "x # y"]\n';
const YAML = '# comment\nplugins: [a]\nsearch:\n  default_k: 3\nworkspace:\n  include: ["*.md", "x # y"]\n';

describe('loadConfigFile', () => {
  it.each([
    ['kebab.toml', TOML],
    ['kebab.json', JSON.stringify(TABLE)],
    ['kebab.yaml', YAML],
    ['kebab.yml', YAML],
  ])('reads %s equally with and without a byte order mark', async (name, text) => {
    expect(await loadConfigFile(world.write(name, text))).toEqual({ table: TABLE, text });
    expect((await loadConfigFile(world.write(name, `\uFEFF${text}`))).table).toEqual(TABLE);
    expect((await loadConfigFile(world.write(name, text.replaceAll('\n', '\r\n')))).table).toEqual(TABLE);
  });

  it('keeps lines in a multi-line string that look like comments', async () => {
    const file = world.write('kebab.toml', 'a = """\n# not a comment\n"""\n');
    expect((await loadConfigFile(file)).table).toEqual({ a: '# not a comment\n' });
  });

  it.each(['kebab.toml', 'kebab.json', 'kebab.yaml'])('reads an empty %s as an empty table', async (name) => {
    expect((await loadConfigFile(world.write(name, ' \n'))).table).toEqual({});
  });

  it('reads a YAML file of comments as an empty table', async () => {
    expect((await loadConfigFile(world.write('kebab.yaml', '# nothing\n---\n\n'))).table).toEqual({});
  });

  it.each([
    ['kebab.toml', '[search]\n# c\ndefault_k = \n', 'kebab.toml:3:'],
    ['kebab.toml', 'a = 1\na = 2\n', 'kebab.toml:2:'],
    ['kebab.yaml', 'a: 1\na: 2\n', 'kebab.yaml:2:1: duplicated mapping key'],
    ['kebab.json', '{"a": 1\n', "kebab.json:2:1: Expected ',' or '}' after property value"],
  ])('reports file, line and column of a syntax error in %s', async (name, text, expected) => {
    const file = world.write(name, text);
    const error = await configInvalid(() => loadConfigFile(file));
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain('\n');
    expect(error.details).toMatchObject({ path: file, key: null });
    expect(error.details.cause).toMatch(/^line \d+, column \d+: /);
    expect(error.hint).toBe('correct the file at this place with an editor');
  });

  it.each([
    ['kebab.toml', 'api_key = "hunter2\n'],
    ['kebab.yaml', 'api_key: "hunter2\n'],
    ['kebab.json', '{"api_key": "hunter2}'],
    ['kebab.json', '{"api_key": hunter2}'],
  ])('does not quote a file that it cannot parse: %s', async (name, text) => {
    const file = world.write(name, text);
    const error = await configInvalid(() => loadConfigFile(file));
    expect(error.message + JSON.stringify(error.details) + String(error.cause)).not.toContain('hunter2');
  });

  it('rejects a file with another extension, and one that cannot be read', async () => {
    expect((await configInvalid(() => loadConfigFile('/x/kebab.js'))).message).toContain('.toml, .json, .yaml or .yml');
    expect((await configInvalid(() => loadConfigFile('/x/kebab.toml'))).message).toContain('ENOENT');
    expect((await configInvalid(() => loadConfigFile('/x/kebab.yaml'))).message).toContain('ENOENT');
  });

  it.each(['kebab.toml', 'kebab.json', 'kebab.yaml'])('neither blocks nor reads without end: %s', async (name) => {
    const file = world.write(name, 'x');
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('is not a regular file');
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('is not a regular file');
    rmSync(file);
    writeFileSync(file, '');
    truncateSync(file, 3_000_000_000);
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('more than the 1048576 allowed');
  });

  it.skipIf(process.getuid?.() === 0)('names the command that makes an unreadable file readable', async () => {
    const file = world.write('kebab.toml', '');
    chmodSync(file, 0o000);
    expect((await configInvalid(() => loadConfigFile(file))).hint).toBe(
      `chmod u+r ${file}, or name another file with --config`,
    );
  });
});
