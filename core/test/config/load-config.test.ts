import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProject, loadConfigFile } from '../../src/config/load-config.ts';
import { configInvalid, ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('findProject', () => {
  it('neither waits for a pipe nor passes over a project file that is too large or may not be read', async () => {
    world.write('../kebab.toml', '');
    execFileSync('mkfifo', [path.join(world.cwd, 'kebab.toml')]);
    expect(await findProject(world.cwd)).toMatchObject({ folder: path.dirname(world.project) });
    const file = world.write('kebab.json', '');
    truncateSync(file, 3_000_000_000);
    expect((await configInvalid(() => findProject(world.cwd))).message).toContain('more than the 1048576 allowed');
    truncateSync(file, 0);
    if (process.getuid?.() === 0) return;
    chmodSync(file, 0o000);
    expect((await configInvalid(() => findProject(world.cwd))).message).toContain('cannot be read (EACCES)');
  });

  it('finds nothing in an empty tree', async () => {
    expect(await findProject(world.cwd)).toBeUndefined();
  });

  it('finds the nearest file above, even past a package.json', async () => {
    world.write('../kebab.toml', '');
    const nearest = world.write('kebab.yml', '');
    world.write('deep/package.json', '{}');
    expect(await findProject(world.cwd)).toEqual({
      folder: world.project,
      file: { path: nearest, shadowed: [] },
      kebabFolder: null,
    });
  });

  it('prefers TOML, JSON, YAML in that order and reports the shadowed ones', async () => {
    const yaml = world.write('kebab.yaml', '');
    const json = world.write('kebab.json', '');
    expect(await findProject(world.cwd)).toMatchObject({ file: { path: json, shadowed: [yaml] } });
  });

  it('does not mistake a folder for a project file of the same name', async () => {
    mkdirSync(path.join(world.cwd, 'kebab.toml'));
    expect(await findProject(world.cwd)).toBeUndefined();
  });

  it('finds the folder of a knowledge base with the project file beside it, and prefers the nearest project', async () => {
    const file = world.write('kebab.toml', '');
    world.write('.kebab/id', 'x');
    const kebabFolder = path.join(world.project, '.kebab');
    expect(await findProject(world.cwd)).toEqual({
      folder: world.project,
      file: { path: file, shadowed: [] },
      kebabFolder,
    });
    const nearer = world.write('deep/kebab.json', '');
    expect(await findProject(world.cwd)).toMatchObject({ file: { path: nearer }, kebabFolder: null });
  });

  it('ignores a folder of that name without a knowledge base', async () => {
    world.write('deep/.kebab/notes.md', '');
    world.write('.kebab/config.toml', '');
    expect(await findProject(world.cwd)).toMatchObject({ folder: world.project, file: null });
  });
});

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

  it.each([
    ['kebab.yaml', '# nothing\n---\n\n'],
    ['kebab.toml', '# nothing\n\n  # [search]\n'],
  ])('reads %s of comments alone as an empty table', async (name, text) => {
    expect((await loadConfigFile(world.write(name, text))).table).toEqual({});
  });

  it.each([
    ['kebab.toml', '[search]\n# c\ndefault_k = \n', 'kebab.toml:3:'],
    ['kebab.toml', 'a = 1\na = 2\n', 'kebab.toml:2:'],
    ['kebab.yaml', 'a: 1\na: 2\n', 'kebab.yaml:2:1: Map keys must be unique'],
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

/** A script that leaves a trace when it runs. */
function plant(file: string): string {
  const trace = path.join(world.root, `${path.basename(file)}.ran`);
  world.write(file, `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = {};`);
  return trace;
}

describe('what cosmiconfig could do besides', () => {
  const workingDirectory = process.cwd.bind(process);
  beforeEach(() => {
    process.cwd = () => world.cwd; // worker threads cannot change directory
  });
  afterEach(() => {
    process.cwd = workingDirectory;
  });

  it('neither runs nor reads files that configure it, nor scripts with the names of configurations', async () => {
    const scripts = ['.config/config.js', '.config/config.cjs', '.config/config.ts', 'kebab.config.js', '.kebabrc.cjs'];
    const traces = scripts.map((script) => plant(`deep/${script}`));
    world.write('deep/.config/config.json', '{"searchPlaces": ["other.json"]}');
    world.write('deep/package.json', '{"cosmiconfig": {"loaders": {}}, "kebab": {"search": {"default_k": 1}}}');
    world.write('deep/other.json', '{"search": {"default_k": 2}}');
    const file = world.write('kebab.json', '{"search": {"default_k": 3}}');
    expect(await findProject(world.cwd)).toMatchObject({ file: { path: file } });
    expect((await loadConfigFile(file)).table).toEqual({ search: { default_k: 3 } });
    expect(traces.filter((trace) => existsSync(trace))).toEqual([]);
  });

  it.each([
    ['kebab.json', '{"$import": "./evil.js"}', './evil.js'],
    ['kebab.json', '{"$import": ["./more.json"]}', ['./more.json']],
    ['kebab.yaml', '$import: ./evil.cjs', './evil.cjs'],
    ['kebab.toml', '"$import" = "./more.json"', './more.json'],
  ])('takes $import in %s for a key like any other, which is unknown: %s', async (name, text, value) => {
    const traces = ['evil.js', 'evil.cjs'].map(plant);
    world.write('more.json', '{"search": {"default_k": 3}}');
    const file = world.write(name, text);
    expect((await loadConfigFile(file)).table).toEqual({ $import: value });
    expect((await world.failure()).message).toBe(`${file}: $import: unknown key`);
    expect(traces.filter((trace) => existsSync(trace))).toEqual([]);
  });
});

describe('the limits of a configuration file', () => {
  it('reads the current content of a file, not a cached one', async () => {
    const file = world.write('kebab.json', '{"a": 1}');
    await loadConfigFile(file);
    world.write('kebab.json', '{"a": 2}');
    expect((await loadConfigFile(file)).table).toEqual({ a: 2 });
  });

  it.each([
    [
      'aliases of aliases',
      [
        'a: &a [x, x, x, x, x, x, x, x, x]',
        ...'bcdefg'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefg'[i] ?? ''},`.repeat(9)}]`),
      ].join('\n'),
    ],
    ['a table that contains itself', 'a: &a\n  b: *a'],
    ['excessive nesting', `a: ${'['.repeat(60)}${']'.repeat(60)}`],
  ])('rejects %s', async (_name, text) => {
    const file = world.write('kebab.yaml', text);
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('too large or too deep');
  });

  it('constructs no objects from YAML tags', async () => {
    const file = world.write('kebab.yaml', 'a: !!js/function "function () { return 1 }"');
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('kebab.yaml:1:');
  });
});
