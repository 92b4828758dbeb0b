import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject } from '../../src/admin/run-init.ts';
import { type ConfigRequest, runConfig } from '../../src/admin/run-config.ts';
import { annotatedConfig } from '../../src/config/annotated-config.ts';
import type { ConfigInput } from '../../src/config/read-config-files.ts';
import { resolveOrDefault } from '../../src/config/resolve-config.ts';
import { ConfigEntrySchema } from '../../src/wire/config.ts';
import type { ConfigEntry } from '../../src/wire/index.ts';
import { builtins } from '@kebab/builtins';
import { bundledKeys } from '../config/bundled-keys.ts';
import { ConfigWorld, configInvalid } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

/** Runs a request as the command line does, in a given environment. */
async function run(request: ConfigRequest, given: Partial<ConfigInput> = {}): Promise<ConfigEntry> {
  const input = { cwd: world.cwd, env: {}, homeDir: world.home, builtins, makesConfig: true, ...given };
  const tools = {
    resolution: await resolveOrDefault(input),
    resolveAgain: ({ replaced }: Pick<ConfigInput, 'replaced'>) => world.resolve({ ...input, replaced }),
    cwd: world.cwd,
    env: {},
    homeDir: world.home,
  };
  const entry = await runConfig(tools, request);
  return ConfigEntrySchema.parse(entry);
}
const set = (key: string, ...values: string[]): ConfigRequest => ({ kind: 'set', key, values });
const userText = (): string => readFileSync(world.userFile, 'utf8');

describe('runConfig', () => {
  it('creates the user’s file when there is none, and reports its value', async () => {
    const entry = await run(set('search.default_k', '20'));
    expect(entry).toMatchObject({ value: 20, origin: 'file', file: world.userFile, written: 20, changed: true });
    expect(userText()).toContain('\n[search]\n');
    expect(userText()).toContain('\n# default_k = 10\ndefault_k = 20\n');
    expect(await run(set('search.default_k', '20'))).toMatchObject({ changed: false });
    expect(await run({ kind: 'get', key: 'search.default_k' })).toMatchObject({ value: 20, written: 20 });
    const unset = await run({ kind: 'unset', key: 'search.default_k' });
    expect(unset).toMatchObject({ value: 10, origin: 'default', changed: true });
    expect(unset).not.toHaveProperty('written');
  });

  it('parses values as in environment variables, and several words as a list', async () => {
    expect((await run(set('workspace.follow_symlinks', 'no'))).value).toBe(false);
    expect((await run(set('models.llm.temperature', '1'))).value).toBe(1);
    expect(userText()).toContain('\ntemperature = 1.0\n');
    expect((await run(set('workspace.include', '*.md', 'a b.txt'))).value).toEqual(['*.md', 'a b.txt']);
    expect((await run(set('workspace.include', '*.md, *.txt'))).value).toEqual(['*.md', '*.txt']);
    expect((await run(set('workspace.include', '["a,b"]'))).value).toEqual(['a,b']);
    const sources = '[{"id": "w", "root": "~/w"}]';
    expect((await run(set('workspace.sources', sources))).value).toMatchObject([{ id: 'w' }]);
    expect((await run(set('workspace.sources', ...sources.split(' ')))).value).toMatchObject([{ id: 'w' }]);
    expect((await run(set('plugins', '~/a', '~/b c'))).written).toEqual(['~/a', '~/b c']);
    expect((await run(set('search.default_k', '10'))).written).toBe(10);
  });

  it('loses no concurrent change, and leaves no lock behind', async () => {
    const keys = ['search.default_k', 'chunking.target_tokens', 'indexing.max_file_mb', 'search.rrf_k'];
    await Promise.all(keys.map((key) => run(set(key, '97'))));
    for (const key of keys) expect(await run({ kind: 'get', key })).toMatchObject({ written: 97 });
    expect(existsSync(`${world.userFile}.lock`)).toBe(false);
  });

  it('waits for the change of another process', async () => {
    await run(set('search.default_k', '20'));
    const lock = `${world.userFile}.lock`;
    writeFileSync(lock, '');
    const changing = run(set('search.default_k', '30'));
    await delay(100);
    expect(userText()).toContain('default_k = 20');
    rmSync(lock);
    expect(await changing).toMatchObject({ written: 30 });
  });

  it('treats a typed path as relative to the working directory', async () => {
    mkdirSync(path.join(world.home, 'notes'));
    const typed = path.relative(world.cwd, path.join(world.home, 'notes'));
    expect((await run(set('workspace.root', typed))).written).toBe('~/notes');
    expect((await run(set('workspace.root', '~/else'))).written).toBe('~/else');
    expect((await run(set('mcp.ingest_roots', 'a', '/b'))).written).toEqual([path.join(world.cwd, 'a'), '/b']);
  });

  it('rejects a value that makes the configuration invalid, and writes nothing', async () => {
    const range = await configInvalid(() => run(set('search.default_k', '1000')));
    expect(range.message).toContain('must be a whole number from 1 to 100, not 1000');
    expect(range.hint).toBe('nothing was changed; `kebab config get search.default_k` shows the value in effect');
    const value = await configInvalid(() => run(set('logging.level', 'wran')));
    expect(value.details.suggestion).toBe('warn');
    const rule = await configInvalid(() => run(set('chunking.overlap_tokens', '600')));
    expect(rule.message).toMatch(
      /^config set: chunking\.overlap_tokens \(600\) must be less than chunking\.target_tokens/,
    );
    expect(rule.hint).toBe('nothing was changed; `kebab config get chunking.overlap_tokens` shows the value in effect');
    await configInvalid(() => run(set('workspace.sources', '[{"id": "default", "root": "x"}]')));
    expect(existsSync(world.userFile)).toBe(false);
    await expect(run(set('search.defualt_k', '1'))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { suggestion: 'search.default_k' },
    });
    await expect(run({ kind: 'get', key: 'search' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('reports what overrides the file', async () => {
    const env = { KEBAB_SEARCH_DEFAULT_K: '7' };
    expect(await run(set('search.default_k', '20'), { env })).toMatchObject({
      value: 7,
      overridden_by: 'KEBAB_SEARCH_DEFAULT_K',
    });
    const project = world.write('kebab.toml', '[search]\ndefault_k = 5\n');
    expect(await run(set('search.default_k', '21'))).toMatchObject({ value: 5, overridden_by: project });
  });

  it('shows no secret, and makes a file with one readable only by its owner', async () => {
    const entry = await run(set('models.llm.api_key', 'hush'));
    expect(JSON.stringify(entry)).not.toContain('hush');
    expect(entry).toMatchObject({ value: '***', written: '***' });
    expect(userText()).toContain('api_key = "hush"');
    expect(statSync(world.userFile).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['models.llm.api_key', 0o644, 0o600],
    ['models.llm.api_key', 0o660, 0o600],
    ['models.llm.api_key', 0o400, 0o400],
    ['search.default_k', 0o644, 0o644],
    ['models.llm.model', 0o640, 0o640],
  ])('writes %s to a file of mode %o, which has mode %o afterwards', async (key, before, after) => {
    world.write(world.userFile, '[search]\nrrf_k = 60\n');
    chmodSync(world.userFile, before);
    await run(set(key, '12'));
    expect(statSync(world.userFile).mode & 0o777).toBe(after);
  });

  it('repairs an invalid file, one key at a time', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 1000\nrrf_k = "x"\n');
    expect(await run(set('search.default_k', '10'))).toMatchObject({
      problem: expect.stringContaining('search.rrf_k'),
    });
    expect(await run({ kind: 'unset', key: 'search.rrf_k' })).not.toHaveProperty('problem');
    expect(userText()).toBe('[search]\ndefault_k = 10\n');
    world.write(world.userFile, 'this is [ not toml');
    await configInvalid(() => run(set('search.rrf_k', '1')));
    expect(userText()).toBe('this is [ not toml');
  });

  it('writes to the target of a link, and to the named file', async () => {
    const real = world.write('dotfiles/config.toml', '# mine\n');
    mkdirSync(path.dirname(world.userFile), { recursive: true });
    symlinkSync(real, world.userFile);
    await run(set('search.rrf_k', '1'));
    expect(lstatSync(world.userFile).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('# mine\n\n[search]\nrrf_k = 1\n');
    const named = path.join(world.cwd, 'own.json');
    await run(set('search.rrf_k', '2'), { flags: { config: 'own.json' } });
    expect(JSON.parse(readFileSync(named, 'utf8'))).toEqual({ search: { rrf_k: 2 } });
  });

  it('writes the file of a project and keeps it trusted, unless it was edited otherwise', async () => {
    await makeProject({
      folder: world.project,
      force: false,
      keys: bundledKeys,
      stateDir: path.join(world.home, '.local/state/kebab'),
      env: {},
      homeDir: world.home,
      randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    });
    const file = path.join(world.project, '.kebab/config.toml');
    const entry = await run(set('models.llm.model', 'small'));
    expect(entry).toMatchObject({ value: 'small', file, path: file, needs_trust: false });
    world.write(file, annotatedConfig(bundledKeys));
    expect(await run(set('models.llm.model', 'large'))).toMatchObject({ needs_trust: true, written: 'large' });
    const own = await run(set('models.llm.model', 'mine'), { flags: { user: true } });
    expect(own).toMatchObject({ file: world.userFile, value: 'mine' });
  });
});
