import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'cpp');

async function symbols(source: string, path = 'm.cpp'): Promise<readonly string[]> {
  const { chunks } = await pack.read(path, source);
  return chunks.map(({ symbol = '' }) => symbol);
}

describe('symbols of C++', () => {
  it.each([
    ['void f() {}', 'f'],
    ['void f();', 'f'],
    ['int& f() { return a; }', 'f'],
    ['auto f() -> int;', 'f'],
    ['template <typename T> T f(T a) { return a; }', 'f'],
    ['template <> int f<int>(int a) { return a; }', 'f'],
    ['void a::b::C::f() {}', 'a::b::C::f'],
    ['void ::f() {}', 'f'],
    ['template <class T> void A<T>::f() {}', 'A::f'],
    ['template <class T> template <class U> void A<T, B<U>>::f() {}', 'A::f'],
    ['A::A() : b(1) {}', 'A::A'],
    ['A::~A() {}', 'A::~A'],
    ['A A::operator+(const A& b) const {}', 'A::operator+'],
    ['bool operator == (A a, A b) { return true; }', 'operator=='],
    ['int A::operator()(int b) {}', 'A::operator()'],
    ['A::operator bool() const {}', 'A::operator bool'],
    ['void* operator new[](size_t a);', 'operator new[]'],
    ['class A { int x; };', 'A'],
    ['struct A : B { int x; };', 'A'],
    ['enum class A { B };', 'A'],
    ['template <> struct A<int> { int x; };', 'A'],
    ['using A = int;', 'A'],
    ['typedef int A;', 'A'],
    ['template <typename T> concept A = true;', 'A'],
    ['auto f = [](int a) { return a; };', 'f'],
    ['class EXPORT A { int x; };', 'A'],
    ['TEST(A, B) {}', 'TEST'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'class A;',
    'template <class T> class A;',
    'int a;',
    'A a{1};',
    'using namespace a;',
    'static_assert(true);',
  ])('%s is not a unit', async (source) => {
    expect(await symbols(source)).toEqual(['<module>']);
  });

  it.each([
    ['namespace a {\nvoid f();\n}', ['a', 'a::f']],
    ['namespace a::b {\nvoid f();\n}', ['a::b', 'a::b::f']],
    ['namespace {\nvoid f();\n}', ['<anonymous>', '<anonymous>::f']],
    ['namespace a {\nnamespace {\nvoid f();\n}\n}', ['a', 'a::<anonymous>', 'a::<anonymous>::f']],
    ['inline namespace v1 {\nvoid f();\n}', ['v1', 'v1::f']],
    ['extern "C" {\nvoid f();\n}', ['<top-level>', 'f']],
  ])('%j contains %j', async (source, expected) => {
    expect(await symbols(source)).toEqual(expected);
  });

  it('attaches access labels and templates to the member below them', async () => {
    const source = 'class A {\n  int x;\n\n public:\n  // f\n  template <class T>\n  void f();\n};\n';
    const { document, chunks } = await pack.read('m.hpp', source);
    expect(chunks.map(({ start, end, symbol }) => [symbol, document.text.slice(start, end)])).toEqual([
      ['A', 'class A {\n  int x;'],
      ['A::f', ' public:\n  // f\n  template <class T>\n  void f();\n};'],
    ]);
  });
});
