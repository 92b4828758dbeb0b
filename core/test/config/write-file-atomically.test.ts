import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomically } from '../../src/config/write-file-atomically.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('writeFileAtomically', () => {
  it('makes the folder and replaces what was there, leaving nothing else behind', () => {
    const file = path.join(world.root, 'a', 'b', 'file.txt');
    writeFileAtomically(file, 'old');
    writeFileAtomically(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readdirSync(path.dirname(file))).toEqual(['file.txt']);
  });

  it('leaves nothing behind when it fails', () => {
    const file = path.join(world.root, 'taken');
    mkdirSync(path.join(file, 'inside'), { recursive: true });
    expect(() => writeFileAtomically(file, 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(world.root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
