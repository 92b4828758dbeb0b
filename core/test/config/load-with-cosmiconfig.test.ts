import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfigFile } from '../../src/config/load-config-file.ts';
import { configInvalid, ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
let workingDirectory: () => string;
beforeEach(() => {
  world = new ConfigWorld();
  workingDirectory = process.cwd.bind(process);
  process.cwd = () => world.cwd; // worker threads cannot change directory
});
afterEach(() => {
  process.cwd = workingDirectory;
  world.remove();
});

/** A script that leaves a trace when it runs. */
function plant(file: string): string {
  const trace = path.join(world.root, `${path.basename(file)}.ran`);
  world.write(file, `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = {};`);
  return trace;
}

describe('loadWithCosmiconfig', () => {
  it("neither runs nor reads cosmiconfig's own files in the working directory", async () => {
    const traces = ['deep/.config/config.js', 'deep/.config/config.cjs', 'deep/.config/config.ts'].map(plant);
    world.write('deep/.config/config.json', '{"searchPlaces": ["other.json"]}');
    world.write('deep/package.json', '{"cosmiconfig": {"loaders": {}}}');
    const file = world.write('kebab.json', '{"search": {"default_k": 3}}');
    expect((await loadConfigFile(file)).table).toEqual({ search: { default_k: 3 } });
    expect(traces.filter((trace) => existsSync(trace))).toEqual([]);
    expect(process.cwd()).toBe(world.cwd);
  });

  it.each([
    ['kebab.json', '{"$import": "./evil.js"}'],
    ['kebab.json', '{"$import": ["./more.json"]}'],
    ['kebab.yaml', '$import: ./evil.cjs'],
    ['kebab.yml', '$import: ./more.json'],
  ])('rejects a $import key before anything is imported: %s %s', async (name, text) => {
    const traces = ['evil.js', 'evil.cjs'].map(plant);
    world.write('more.json', '{"search": {"default_k": 3}}');
    const file = world.write(name, text);
    expect((await configInvalid(() => loadConfigFile(file))).message).toContain('$import is not supported');
    expect(traces.filter((trace) => existsSync(trace))).toEqual([]);
  });

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
