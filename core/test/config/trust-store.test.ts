import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readTrusted, trustStoreIn, withoutTrusted, withTrusted, writeTrusted } from '../../src/config/trust-store.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const a = { path: '/a/kebab.toml', hash: 'a'.repeat(64), plugins: { '/a/p.mjs': 'd'.repeat(64), '/a/gone': null } };
const b = { path: '/b/kebab.toml', hash: 'b'.repeat(64), plugins: {} };

describe('the list of trusted files', () => {
  it('is empty before anything is trusted', () => {
    expect(readTrusted(trustStoreIn(world.root))).toEqual([]);
  });

  it('round-trips, readable by everyone and writable by its owner', () => {
    const store = trustStoreIn(`${world.root}/state/kebab`);
    writeTrusted(store, [a, b]);
    expect(readTrusted(store)).toEqual([a, b]);
    expect(statSync(store).mode & 0o777).toBe(0o644);
    expect(JSON.parse(readFileSync(store, 'utf8'))).toMatchObject({ schema_version: 1 });
  });

  it('contains a file once, with its latest hash, sorted', () => {
    const renewed = { ...a, hash: 'c'.repeat(64) };
    expect(withTrusted(withTrusted(withTrusted([], b), a), renewed)).toEqual([renewed, b]);
    expect(withoutTrusted([a, b], a.path)).toEqual([b]);
  });

  it.each(['{', '[]', '{"files": {"/a": "short"}}', '{"files": {"/a": {"hash": "x"}}}', 'null'])(
    'is rejected when it is damaged: %s',
    (text) => {
      const store = world.write('trust.json', text);
      expect(() => readTrusted(store)).toThrow(expect.objectContaining({ code: 'io_error' }));
    },
  );

  it('is rejected when every user may write to it, or to its folder', () => {
    const store = trustStoreIn(`${world.root}/state/kebab`);
    writeTrusted(store, [a]);
    chmodSync(store, 0o666);
    expect(() => readTrusted(store)).toThrow(/every user of this machine may write to .*trust\.json/);
    chmodSync(store, 0o644);
    chmodSync(`${world.root}/state/kebab`, 0o777);
    expect(() => readTrusted(store)).toThrow(/every user of this machine may write to .*kebab$/);
  });

  it('is rejected if it belongs to another user, except root', () => {
    const store = trustStoreIn(`${world.root}/state/kebab`);
    writeTrusted(store, [a]);
    const owner = statSync(store).uid;
    const user = vi.spyOn(process, 'getuid').mockReturnValue(owner + 1);
    onTestFinished(() => user.mockRestore());
    if (owner === 0) expect(readTrusted(store)).toEqual([a]);
    if (owner === 0) chownSync(store, 12_345, 12_345);
    expect(() => readTrusted(store)).toThrow(/trust\.json belongs to another user/);
  });

  it('is rejected when it is a pipe, without blocking', () => {
    const store = trustStoreIn(world.root);
    execFileSync('mkfifo', ['-m', '600', store]);
    expect(() => readTrusted(store)).toThrow('is not a regular file');
  });

  it('is rejected when it is a link', () => {
    const store = trustStoreIn(world.root);
    writeFileSync(`${world.root}/planted.json`, '{"files": {}}');
    rmSync(store, { force: true });
    symlinkSync(`${world.root}/planted.json`, store);
    expect(() => readTrusted(store)).toThrow(/symbolic link/);
  });
});
