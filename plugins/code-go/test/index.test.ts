import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'go');
const symbols = (source: string, path = 'p/m.go') => pack.symbols(path, source);

describe('symbols of Go', () => {
  it.each([
    ['func F() {}', 'p.F'],
    ['func F[T any](a T) {}', 'p.F'],
    ['func (a *A) F() {}', 'p.(*A).F'],
    ['func (a A) F() {}', 'p.(A).F'],
    ['func (A) F() {}', 'p.(A).F'],
    ['func (a *A[K, V]) F() {}', 'p.(*A).F'],
    ['func (a A[K]) F() {}', 'p.(A).F'],
    ['type A struct{}', 'p.A'],
    ['type A = B', 'p.A'],
    ['type A[T any] interface{}', 'p.A'],
    ['var f = func() {}', 'p.f'],
    ['var a = 1', 'p.a'],
    ['const A = 1', 'p.A'],
    ['var a, f = 1, func() {}', 'p.a'],
    ['func 함수() {}', 'p.함수'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(`package p\n\n${source}`)).toEqual(['<top-level>', symbol]);
  });

  it.each(['var a int', 'import "fmt"', 'func init'])('%j is not a unit', async (source) => {
    expect(await symbols(`package p\n\n${source}`)).toEqual(['<module>']);
  });

  it('are bare without a package', async () => {
    expect(await symbols('func F() {}')).toEqual(['F']);
  });

  it('puts each type of a group into its own chunk, with its comment', async () => {
    const { document, chunks } = await pack.read('m.go', 'package p\n\ntype (\n\t// A.\n\tA int\n\tB string\n)\n');
    expect(chunks.map(({ start, end, symbol }) => [symbol, document.text.slice(start, end)])).toEqual([
      ['<top-level>', 'package p\n\ntype ('],
      ['p.A', '\t// A.\n\tA int'],
      ['p.B', '\tB string\n)'],
    ]);
  });
});
