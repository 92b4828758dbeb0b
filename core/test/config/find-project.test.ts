import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProject } from '../../src/config/find-project.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('findProject', () => {
  it('finds nothing where there is nothing', () => {
    expect(findProject(world.cwd)).toBeUndefined();
  });

  it('finds the nearest file above, also past a package.json', () => {
    world.write('../kebab.toml', '');
    const nearest = world.write('kebab.yml', '');
    world.write('deep/package.json', '{}');
    expect(findProject(world.cwd)).toEqual({
      folder: world.project,
      file: { path: nearest, shadowed: [] },
      kebabFolder: null,
    });
  });

  it('prefers TOML, JSON, YAML in that order and tells what it passes over', () => {
    const yaml = world.write('kebab.yaml', '');
    const json = world.write('kebab.json', '');
    expect(findProject(world.cwd)).toMatchObject({ file: { path: json, shadowed: [yaml] } });
  });

  it('takes a folder of that name for what it is', () => {
    mkdirSync(path.join(world.cwd, 'kebab.toml'));
    expect(findProject(world.cwd)).toBeUndefined();
  });

  it('finds the folder of a knowledge base with the project file beside it, and what is nearer before both', () => {
    const file = world.write('kebab.toml', '');
    world.write('.kebab/id', 'x');
    const kebabFolder = path.join(world.project, '.kebab');
    expect(findProject(world.cwd)).toEqual({ folder: world.project, file: { path: file, shadowed: [] }, kebabFolder });
    const nearer = world.write('deep/kebab.json', '');
    expect(findProject(world.cwd)).toMatchObject({ file: { path: nearer }, kebabFolder: null });
  });

  it('passes over a folder of that name in which no knowledge base is', () => {
    world.write('deep/.kebab/notes.md', '');
    world.write('.kebab/config.toml', '');
    expect(findProject(world.cwd)).toMatchObject({ folder: world.project, file: null });
  });
});
