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
  it('finds nothing in an empty tree', () => {
    expect(findProject(world.cwd)).toBeUndefined();
  });

  it('finds the nearest file above, even past a package.json', () => {
    world.write('../kebab.toml', '');
    const nearest = world.write('kebab.yml', '');
    world.write('deep/package.json', '{}');
    expect(findProject(world.cwd)).toEqual({
      folder: world.project,
      file: { path: nearest, shadowed: [] },
      kebabFolder: null,
    });
  });

  it('prefers TOML, JSON, YAML in that order and reports the shadowed ones', () => {
    const yaml = world.write('kebab.yaml', '');
    const json = world.write('kebab.json', '');
    expect(findProject(world.cwd)).toMatchObject({ file: { path: json, shadowed: [yaml] } });
  });

  it('does not mistake a folder for a project file of the same name', () => {
    mkdirSync(path.join(world.cwd, 'kebab.toml'));
    expect(findProject(world.cwd)).toBeUndefined();
  });

  it('finds the folder of a knowledge base with the project file beside it, and prefers the nearest project', () => {
    const file = world.write('kebab.toml', '');
    world.write('.kebab/id', 'x');
    const kebabFolder = path.join(world.project, '.kebab');
    expect(findProject(world.cwd)).toEqual({ folder: world.project, file: { path: file, shadowed: [] }, kebabFolder });
    const nearer = world.write('deep/kebab.json', '');
    expect(findProject(world.cwd)).toMatchObject({ file: { path: nearer }, kebabFolder: null });
  });

  it('ignores a folder of that name without a knowledge base', () => {
    world.write('deep/.kebab/notes.md', '');
    world.write('.kebab/config.toml', '');
    expect(findProject(world.cwd)).toMatchObject({ folder: world.project, file: null });
  });
});
