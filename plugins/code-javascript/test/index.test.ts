import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'javascript');
const symbols = (source: string, path = 'src/m.js') => pack.symbols(path, source);

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
    ['const a = 1;', 'src/m.a'],
    ['const a = { b: 1 };', 'src/m.a'],
    ['exports.LEVEL = 3;', 'src/m.LEVEL'],
    ['A.prototype.LEVELS = { b: 1 };', 'src/m.A.LEVELS'],
    ['A.LEVEL = new B();', 'src/m.A.LEVEL'],
    ['export default { a: 1 };', 'src/m.default'],
    ['(function () { function f() {} })();', 'src/m.f'],
    ['const f = memo(() => {});', 'src/m.f'],
    ['exports.f = throttle(function () {}, 20);', 'src/m.f'],
    ['export default connect(select)(Panel);', 'src/m.default'],
    ['const List = styled.ul`margin: 0`;', 'src/m.List'],
    ['module.exports = defineStore("cart", { state: () => 1 });', 'src/m.default'],
    ['describe("a", () => {});', 'src/m.a'],
    ['it.each([1, 2])("doubles %i", (n) => {});', 'src/m.doubles %i'],
    ['test.only(`rounds`, async () => { function helper() {} });', 'src/m.rounds'],
    ['Deno.test("closes", () => {});', 'src/m.Deno.test closes'],
    ['router.post("/books", parse, async (request) => {});', 'src/m.router.post /books'],
    ['app.route("/books").get((request) => {});', 'src/m.app.route.get /books'],
    ['app.get("/health", health);', 'src/m.app.get /health'],
    [
      'program.command("sync <dir>").option("-q").action((dir) => {});',
      'src/m.program.command.option.action sync <dir>',
    ],
    ['bus.on("paid", function ship(order) {});', 'src/m.bus.on paid ship'],
    ['socket.once(Events.Open, () => {});', 'src/m.socket.once Events.Open'],
    ['customElements.define("x-card", class extends HTMLElement {});', 'src/m.customElements.define x-card'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'module.exports = { a };',
    'export { a } from "b";',
    'export * from "b";',
    'import a from "b";',
    'const a = require("b");',
    'const a = require("b").c;',
    'const { a } = b;',
    'const a = await import("b");',
    'main().catch((error) => { exit(1); });',
    'items.forEach((item) => { item(); });',
    'console.log("a", b);',
    'beforeEach(() => {});',
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

  it('names tests after their suites, and keeps what a test itself declares', async () => {
    const tests =
      'describe("cart", () => {\n  const make = () => 1;\n\n  context("empty", () => {\n' +
      '    it("costs nothing", () => {\n      function f() {}\n    });\n  });\n  it("ships", () => {});\n});';
    const names = ['cart', 'cart.make', 'cart.empty', 'cart.empty.costs nothing', 'cart.ships'];
    expect(await symbols(tests)).toEqual(names.map((name) => `src/m.${name}`));
  });

  it('finds declarations in the functions that modules and scripts are wrapped in', async () => {
    const body = '{\n  function f() {}\n  class A {}\n}';
    for (const [head, end] of [
      ['define(["a"], function (a) ', ');'],
      ['(async () => ', ')();'],
      ['!function () ', '();'],
      ['$(document).ready(function () ', ');'],
      ['(function (root) ', ').call(this, window);'],
    ])
      expect((await symbols(`${head}${body}${end}`)).filter((name) => name !== '<top-level>')).toEqual([
        'src/m.f',
        'src/m.A',
      ]);
  });

  it.each([
    ['const a = {', '};'],
    ['export default defineConfig({', '});'],
    ['const a = create(() => ({', '}));'],
  ])('cuts a long table at its entries, not a short one: %s', async (head, end) => {
    const table = (count: number): string =>
      [head, ...Array.from({ length: count }, (_, at) => `  entry${at}: make(${at}),`), end].join('\n');
    expect(await symbols(table(3))).toHaveLength(1);
    const names = await symbols(table(30));
    expect(names).toHaveLength(31);
    expect(names[12]).toBe(`${names[0]}.entry11`);
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
