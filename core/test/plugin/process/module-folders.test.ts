import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moduleFolders, packageFolderOf } from '../../../src/plugin/process/module-folders.ts';

let root: string;
const at = (...names: readonly string[]): string => path.join(root, ...names);
const folder = (...names: readonly string[]): string => {
  mkdirSync(at(...names), { recursive: true });
  return at(...names);
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-modules-')));
  folder('project/plugin/src');
  writeFileSync(at('project/plugin/package.json'), '{}');
  writeFileSync(at('project/plugin/src/index.js'), '');
  folder('project/node_modules/mammoth');
  folder('project/node_modules/@kebab');
  folder('kebab/kits/plugin');
  folder('kebab/node_modules/zod');
  folder('notes');
  symlinkSync(at('kebab/kits/plugin'), at('project/node_modules/@kebab/plugin'));
  symlinkSync(at('nowhere'), at('project/node_modules/gone'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Those below the folder of this test: a machine may have a `node_modules` above it. */
const ownFolders = (places: readonly string[]): readonly string[] =>
  moduleFolders(places)
    .filter((each) => each.startsWith(root))
    .map((each) => path.relative(root, each));

describe('moduleFolders', () => {
  it('adds the packages beside a folder and above it, and what links there lead to', () => {
    expect(ownFolders([at('project/plugin')])).toEqual([
      'project/plugin',
      'project/node_modules',
      'kebab/kits/plugin',
      'kebab/node_modules',
    ]);
  });

  it('takes the folder of a file, leaves out what is missing, and lists nothing twice', () => {
    const file = at('project/plugin/src/index.js');
    expect(ownFolders([file, at('project/plugin/src'), at('absent/plugin')])).toEqual([
      'project/plugin/src',
      'project/node_modules',
      'kebab/kits/plugin',
      'kebab/node_modules',
    ]);
  });

  it('adds the real folder of one that is linked', () => {
    symlinkSync(at('project/plugin'), at('linked'));
    expect(ownFolders([at('linked')])).toEqual(expect.arrayContaining(['linked', 'project/plugin']));
  });
});

describe('packageFolderOf', () => {
  it('is the nearest folder with a package.json', () => {
    expect(packageFolderOf(at('project/plugin/src/index.js'))).toBe(at('project/plugin'));
  });
});
