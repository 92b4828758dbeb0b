import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'typescript');
const symbols = (source: string, path = 'src/m.ts') => pack.symbols(path, source);

describe('symbols of TypeScript', () => {
  it.each([
    ['export type A<T> = T[];', 'src/m.A'],
    ['interface A {}', 'src/m.A'],
    ['export const enum A { B }', 'src/m.A'],
    ['declare enum A { B }', 'src/m.A'],
    ['abstract class A<T> {}', 'src/m.A'],
    ['@a @b(1) export class A {}', 'src/m.A'],
    ['declare function f(): void;', 'src/m.f'],
    ['export declare const enum A {}', 'src/m.A'],
    ['namespace A.B {}', 'src/m.A.B'],
    ['declare module "a" {}', 'src/m.a'],
    ['export default abstract class A {}', 'src/m.A'],
    ['export default interface A {}', 'src/m.A'],
    ['export const f = <T>(a: T): T => a;', 'src/m.f'],
    ['export const Field = forwardRef<HTMLInputElement, P>((props, ref) => null);', 'src/m.Field'],
    ['export const book = z.object({ title: z.string() }).strict();', 'src/m.book'],
    ['export const LIMITS = { min: 1 } as const;', 'src/m.LIMITS'],
    ['const table: Record<string, number> = new Map([["a", 1]]);', 'src/m.table'],
    ['it<Context>("opens", ({ page }) => {});', 'src/m.opens'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each(['declare const a: string;', 'export type { A } from "b";', 'import a = require("a");', 'export = a;'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(source)).toEqual(['<module>']);
    },
  );

  it('keeps overloads apart, each with the name', async () => {
    const source = 'function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {}';
    expect(await symbols(source)).toEqual(['src/m.f', 'src/m.f', 'src/m.f']);
  });

  it('makes methods of an interface separate units, but not its properties', async () => {
    expect(await symbols('interface A {\n  a: string;\n  f(): void;\n  readonly b: () => void;\n}')).toEqual([
      'src/m.A',
      'src/m.A.f',
      'src/m.A',
    ]);
  });

  it('cuts a long enum at its members, not a short one', async () => {
    const members = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? `  M${at},` : `  M${at} = ${at},`));
    expect(await symbols(`enum A {\n${members.slice(0, 4).join('\n')}\n}`)).toEqual(['src/m.A']);
    const names = await symbols(`enum A {\n${members.join('\n')}\n}`);
    expect(names).toEqual(['src/m.A', ...members.map((_, at) => `src/m.A.M${at}`)]);
  });

  it('makes a member whose function is wrapped a unit', async () => {
    expect(await symbols('class A {\n  f = debounce(() => {}, 5);\n  static b = 1;\n}')).toEqual([
      'src/m.A',
      'src/m.A.f',
      'src/m.A',
    ]);
  });

  it('goes on behind a broken parenthesis, in a function, a method or a table', async () => {
    const source =
      'function a(b: string {\n  return c(b, 1;\n}\nclass D {\n  e() {\n    return f(1;\n  }\n  g() {\n    return 1;\n  }\n}\nconst h = { i: [1, };\nfunction j() {}';
    expect(await symbols(source)).toEqual(['a', 'D', 'D.e', 'D.g', 'h', 'j'].map((name) => `src/m.${name}`));
  });

  it('attaches decorators to the member below them', async () => {
    const { document, chunks } = await pack.read('m.ts', 'class A {\n  a = 1;\n\n  @b()\n  @c\n  f() {}\n}\n');
    expect(chunks.map(({ start, end }) => document.text.slice(start, end))).toEqual([
      'class A {\n  a = 1;',
      '  @b()\n  @c\n  f() {}\n}',
    ]);
  });

  it('parses JSX in .tsx and type assertions in .ts', async () => {
    expect(await symbols('const f = () => <A b="c">d</A>;\nfunction g() {}', 'v.tsx')).toEqual(['v.f', 'v.g']);
    expect(await symbols('const f = () => <A>b;\nfunction g() {}', 'v.ts')).toEqual(['v.f', 'v.g']);
  });

  it('finds functions in an object with a type assertion', async () => {
    expect(await symbols('const a = {\n  b: 1,\n  f() {},\n} as const;')).toEqual(['src/m.a', 'src/m.a.f', 'src/m.a']);
    expect(await symbols('export default {\n  b,\n  f() {},\n} satisfies A;')).toEqual([
      'src/m.default',
      'src/m.default.f',
      'src/m.default',
    ]);
  });
});
