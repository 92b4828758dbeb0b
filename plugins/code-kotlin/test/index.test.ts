import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'kotlin');
const symbols = (source: string, path = 'm.kt') => pack.symbols(path, source);

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
    ['val a = 1', 'a.b.a'],
    ['const val A = 1', 'a.b.A'],
    ['private val a by lazy { 1 }', 'a.b.a'],
    ['context(A)\nfun f() {}', 'a.b.f'],
    ['context(a: A, b: B<C>)\n@D\nprivate suspend fun f() {}', 'a.b.f'],
    ['/** f */\ncontext(A)\nval f: Int get() = 1', 'a.b.f'],
    ['context(A, (B) -> C)\n// of f\nfun f() {}', 'a.b.f'],
    ['@A\ncontext(B)\nclass C', 'a.b.C'],
    ['@A(B)\n@C(D)\nannotation class E', 'a.b.E'],
    ['class A<T : B>\n@C("d")\ninternal constructor(val e: Int) : F(e) {\n  val g = 1\n}', 'a.b.A'],
    ['expect val a: Int', 'a.b.a'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(`package a.b\n\n${source}\n`)).toEqual(['<top-level>', symbol]);
  });

  it.each(['lateinit var a: B', 'val (a, b) = c', 'println(1)', 'context(a)', 'import a.b'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(`${source}\n`)).toEqual(['<module>']);
    },
  );

  it('keeps the context of a member with it', async () => {
    const { document, chunks } = await pack.read(
      'm.kt',
      'class A {\n    val x = 1\n\n    context(B)\n    fun f() {}\n}\n',
    );
    expect(chunks.map(({ start, end }) => document.text.slice(start, end))).toEqual([
      'class A {\n    val x = 1',
      '    context(B)\n    fun f() {}\n}',
    ]);
  });

  it.each([
    ['class A { fun f() = 1 }', 'A.f'],
    ['interface A { fun f(): B }', 'A.f'],
    ['object A : B { override val c get() = "}" }', 'A'],
    ['enum class A { B, C }', 'A'],
    ['class A { enum class B { C, D } }', 'A.B'],
    ['actual class A actual constructor(val b: Int) { actual fun f() = b }', 'A.f'],
    ['val a = object : B { override fun f() { g() } }', 'a.f'],
  ])('goes on behind a body on one line: %s', async (source, symbol) => {
    expect(await symbols(`${source}\nfun last() = 1\n`)).toEqual([symbol, 'last']);
  });

  it.each([
    ['class A {\n  val b\n    @JvmName("c")\n    get() = d()\n\n  fun f() = b\n}\n', ['A', 'A.f']],
    ['class A {\n  fun f() {\n    val open: Int\n    g {\n    }\n    open = 1\n  }\n}\n', ['A', 'A.f']],
    ['class A {\n  val b = object : C {\n    override fun f() {}\n  }\n}\n', ['A', 'A.b', 'A.b.f']],
  ])('finds the members of %s', async (source, expected) => {
    expect(await symbols(source)).toEqual(expected);
  });

  it('names the constants of objects', async () => {
    expect(await symbols('object A {\n  var x = 1\n\n  const val B = 1\n}\n')).toEqual(['A', 'A.B']);
  });

  it('cuts a long enum at its entries', async () => {
    const entries = Array.from({ length: 24 }, (_, at) => `  E${at}(${at}),`);
    expect((await symbols(`enum class A(val a: Int) {\n${entries.join('\n')}\n}\n`)).slice(0, 25)).toEqual([
      'A',
      ...entries.map((_, at) => `A.E${at}`),
    ]);
  });

  it('names an unnamed companion Companion, and a constructor like its class', async () => {
    const source =
      'class A {\n  val x = 1\n\n  constructor(a: Int) {}\n\n  companion object {\n    val y = 1\n\n    fun f() {}\n  }\n}\n';
    expect(await symbols(source)).toEqual(['A', 'A.A', 'A.Companion', 'A.Companion.f']);
    expect(await symbols(source.replace('object {', 'object B {'))).toEqual(['A', 'A.A', 'A.B', 'A.B.f']);
  });
});

it('ends with a file that ends with an annotation of nothing', async () => {
  expect(await symbols('val t = { it * 2 }\n\n@Deprecated("old")')).toEqual(['t', '<top-level>']);
});
