import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProjectFile } from '../../src/config/find-project-file.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('findProjectFile', () => {
  it('finds nothing where there is nothing', () => {
    expect(findProjectFile(world.cwd)).toBeUndefined();
  });

  it('finds the nearest file above, also past a package.json', () => {
    world.write('../kebab.toml', '');
    const nearest = world.write('kebab.yml', '');
    world.write('deep/package.json', '{}');
    expect(findProjectFile(world.cwd)).toEqual({ path: nearest, shadowed: [] });
  });

  it('prefers TOML, JSON, YAML in that order and tells what it passes over', () => {
    const yaml = world.write('kebab.yaml', '');
    const json = world.write('kebab.json', '');
    expect(findProjectFile(world.cwd)).toEqual({ path: json, shadowed: [yaml] });
  });

  it('takes a folder of that name for what it is', () => {
    mkdirSync(path.join(world.cwd, 'kebab.toml'));
    expect(findProjectFile(world.cwd)).toBeUndefined();
  });
});
