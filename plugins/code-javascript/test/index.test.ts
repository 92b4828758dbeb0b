import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'javascript');

async function symbols(source: string, path = 'src/m.js'): Promise<readonly string[]> {
  const { chunks } = await pack.read(path, source);
  return chunks.map(({ symbol = '' }) => symbol);
}

describe('symbols of JavaScript', () => {
  it.each([
    ['function f() {}', 'src/m.f'],
    ['async function* f() {}', 'src/m.f'],
    ['export const f = () => {};', 'src/m.f'],
    ['export default function () {}', 'src/m.default'],
    ['export default function f() {}', 'src/m.f'],
    ['export default class {}', 'src/m.default'],
    ['export default class A {}', 'src/m.A'],
    ['export default async () => {};', 'src/m.default'],
    ['exports.f = function () {};', 'src/m.f'],
    ['exports.f = function g() {};', 'src/m.f'],
    ['module.exports.f = () => {};', 'src/m.f'],
    ['module.exports = function () {};', 'src/m.default'],
    ['module.exports = function f() {};', 'src/m.f'],
    ['module.exports = class {};', 'src/m.default'],
    ['module.exports = class A {};', 'src/m.A'],
    ['A.prototype.f = function () {};', 'src/m.A.f'],
    ['A.f = () => {};', 'src/m.A.f'],
    ['f = function () {};', 'src/m.f'],
    ['const A = class B {};', 'src/m.A'],
    ['const A = class {};', 'src/m.A'],
    ['const f = function g() {};', 'src/m.f'],
    ['function 함수() {}', 'src/m.함수'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'const a = 1;',
    'const a = { b: 1 };',
    'export default { a: 1 };',
    'module.exports = { a };',
    'export { a } from "b";',
    'export * from "b";',
    'import a from "b";',
    'describe("a", () => {});',
    '(function () { function f() {} })();',
    'const f = memo(() => {});',
    '#!/usr/bin/env node',
    '"use strict";',
  ])('%s is not a unit', async (source) => {
    expect(await symbols(source)).toEqual(['<module>']);
  });

  it('names functions in an object after the object, and those of a default export after the file', async () => {
    expect(await symbols('const a = {\n  b: 1,\n  f() {},\n  g: () => {},\n};')).toEqual([
      'src/m.a',
      'src/m.a.f',
      'src/m.a.g',
    ]);
    expect(await symbols('module.exports = {\n  b,\n  f() {},\n};')).toEqual(['src/m', 'src/m.f']);
    expect(await symbols('export default {\n  b,\n  f() {},\n};')).toEqual(['src/m.default', 'src/m.default.f']);
  });

  it('names members after their class, whatever the form of their names', async () => {
    const source =
      'class A {\n  x = 1;\n\n  constructor() {}\n  #p() {}\n  get g() {}\n  [s]() {}\n  "q r"() {}\n  f = () => {};\n}';
    const members = ['A', 'A.constructor', 'A.#p', 'A.g', 'A.[s]', 'A.q r', 'A.f'];
    expect(await symbols(source)).toEqual(members.map((name) => `src/m.${name}`));
  });

  it.each([
    ['App.jsx', 'App.f'],
    ['a/b.test.mjs', 'a/b.test.f'],
    ['.eslintrc.cjs', '.eslintrc.f'],
    ['웹/앱.js', '웹/앱.f'],
  ])('begin with the path: %s', async (path, symbol) => {
    expect(await symbols('function f() {}', path)).toEqual([symbol]);
  });
});
