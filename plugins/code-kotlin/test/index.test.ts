import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'kotlin');

async function symbols(source: string, path = 'm.kt'): Promise<readonly string[]> {
  const { chunks } = await pack.read(path, source);
  return chunks.map(({ symbol = '' }) => symbol);
}

describe('symbols of Kotlin', () => {
  it.each([
    ['fun f() {}', 'a.b.f'],
    ['fun f() = 1', 'a.b.f'],
    ['suspend inline fun <T> List<T>.f(): T = first()', 'a.b.f'],
    ['fun `f g`() {}', 'a.b.f g'],
    ['class A', 'a.b.A'],
    ['data class A(val b: Int) : C()', 'a.b.A'],
    ['sealed interface A', 'a.b.A'],
    ['enum class A { B, C }', 'a.b.A'],
    ['annotation class A', 'a.b.A'],
    ['object A', 'a.b.A'],
    ['typealias A = B', 'a.b.A'],
    ['val f = { a: Int -> a }', 'a.b.f'],
    ['val f = fun(a: Int): Int { return a }', 'a.b.f'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(`package a.b\n\n${source}\n`)).toEqual(['<top-level>', symbol]);
  });

  it.each(['val a = 1', 'const val A = 1', 'val (a, b) = c', 'val a by lazy { 1 }', 'println(1)', 'import a.b'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(`${source}\n`)).toEqual(['<module>']);
    },
  );

  it('names an unnamed companion Companion, and a constructor like its class', async () => {
    const source =
      'class A {\n  val x = 1\n\n  constructor(a: Int) {}\n\n  companion object {\n    val y = 1\n\n    fun f() {}\n  }\n}\n';
    expect(await symbols(source)).toEqual(['A', 'A.A', 'A.Companion', 'A.Companion.f']);
    expect(await symbols(source.replace('object {', 'object B {'))).toEqual(['A', 'A.A', 'A.B', 'A.B.f']);
  });
});
