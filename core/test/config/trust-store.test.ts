import { readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTrusted, trustStoreIn, withoutTrusted, withTrusted, writeTrusted } from '../../src/config/trust-store.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const a = { path: '/a/kebab.toml', hash: 'a'.repeat(64) };
const b = { path: '/b/kebab.toml', hash: 'b'.repeat(64) };

describe('the list of trusted files', () => {
  it('is empty before anything is trusted', () => {
    expect(readTrusted(trustStoreIn(world.root))).toEqual([]);
  });

  it('survives being written, readable for everybody and writable for its owner', () => {
    const store = trustStoreIn(`${world.root}/state/kebab`);
    writeTrusted(store, [a, b]);
    expect(readTrusted(store)).toEqual([a, b]);
    expect(statSync(store).mode & 0o777).toBe(0o644);
    expect(JSON.parse(readFileSync(store, 'utf8'))).toMatchObject({ schema_version: 1 });
  });

  it('holds a file once, with its latest hash, in order', () => {
    const renewed = { ...a, hash: 'c'.repeat(64) };
    expect(withTrusted(withTrusted(withTrusted([], b), a), renewed)).toEqual([renewed, b]);
    expect(withoutTrusted([a, b], a.path)).toEqual([b]);
  });

  it.each(['{', '[]', '{"files": {"/a": "short"}}', 'null'])('trusts nobody when it is damaged: %s', (text) => {
    const store = world.write('trust.json', text);
    expect(() => readTrusted(store)).toThrow(expect.objectContaining({ code: 'io_error' }));
  });
});
