import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPackages, publishablePackages, type CheckedPackage } from '../scripts/check-packages.mjs';

/**
 * The engine, the author kit, a plugin and a program, by their main entries; `node scripts/check-packages.mjs` checks all packages and
 * entries.
 */
const NAMES = ['@kebab/core', '@kebab/plugin', '@kebab/plugin-docx', 'create-kebab-plugin'];
const packages = publishablePackages().filter(({ manifest }) => NAMES.includes(manifest.name));
const unbuilt = packages.filter(({ folder }) => !existsSync(path.join(folder, 'dist'))).map(({ folder }) => folder);
const unless = unbuilt.length === 0 ? '' : ` (skipped: not built, run npm run build: ${unbuilt.join(', ')})`;
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-package-'));
let found: readonly string[];

/** All packages are checked together: most of the time goes into compilers reading the same libraries. */
beforeAll(async () => {
  const mains = packages.map((one) => ({ ...one, entries: ['.'] }));
  found = await checkPackages([...(unbuilt.length === 0 ? mains : []), writeWrong()]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package with one entry that does not exist, and one that imports an undeclared dependency. */
function writeWrong(): CheckedPackage {
  const main = { types: './dist/index.d.ts', default: './dist/index.js' };
  const exports = { '.': main, './gone': { default: './dist/gone.js' } };
  const manifest = { name: 'kebab-wrong', version: '1.0.0', license: 'MIT', type: 'module', files: ['dist'], exports };
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'dist', 'index.js'), 'export const one = 1;\n');
  const types = "import type { ZodType } from 'zod';\nexport declare const one: ZodType;\n";
  writeFileSync(path.join(folder, 'dist', 'index.d.ts'), types);
  return { folder, manifest };
}

const isOfWrong = (line: string): boolean => line.includes('kebab-wrong');

describe('packages as they are published', () => {
  it.skipIf(unbuilt.length > 0)(
    `pass publint and arethetypeswrong, and their types compile in TypeScript 5.9 and 7${unless}`,
    () => {
      expect(packages.map(({ manifest }) => manifest.name).toSorted()).toEqual(NAMES);
      expect(found.filter((line) => !isOfWrong(line))).toEqual([]);
    },
  );
});

describe('checkPackages', () => {
  it.each([
    ['an entry that leads nowhere, by publint', /publint: .*gone\.js.* does not exist/],
    ['an entry that leads nowhere, by arethetypeswrong', /arethetypeswrong: NoResolution at \.\/gone/],
    ['an entry that leads nowhere, by TypeScript 7', /^typescript: all\.ts.*kebab-wrong\/gone/],
    ['an entry that leads nowhere, by TypeScript 5.9', /^typescript-5: all\.ts.*kebab-wrong\/gone/],
    ['types of a package that is not declared, by TypeScript 7', /^typescript: .*index\.d\.ts.*'zod'/],
    ['types of a package that is not declared, by TypeScript 5.9', /^typescript-5: .*index\.d\.ts.*'zod'/],
  ])('tells %s', (_, problem) => {
    expect(found.filter(isOfWrong)).toContainEqual(expect.stringMatching(problem));
  });
});
