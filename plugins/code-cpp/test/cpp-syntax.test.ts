import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'cpp');
const symbols = (source: string, path = 'm.cpp') => pack.symbols(path, source);

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
    ['A a{1};', 'a'],
    ['TEST(A, B) {}', 'A::B'],
    ['TEST_F(Fixture, Rounds) {\n  EXPECT_EQ(1, 1);\n}', 'Fixture::Rounds'],
    ['TEST_CASE("rounds half a cent", "[math]") {\n  REQUIRE(a);\n}', 'rounds half a cent'],
    ['NODE_METHOD(A::f) {\n  return 1;\n}', 'A::f'],
    ['MODULE_INIT(/* a, b */) {\n}', 'MODULE_INIT'],
    ['class API_EXPORT A : public B<C>, private d::D { int x; };', 'A'],
    ['class API_EXPORT A final : public B { int x; };', 'A'],
    ['class API_EXPORT [[nodiscard]] A final : public B<A> { int x; };', 'A'],
    ['class __declspec(dllexport) A : public B { int x; };', 'A'],
    ['class KIT_DEPRECATED("use B") A { int x; };', 'A'],
    ['template <class T> class lower_export A : public B<T> { int x; };', 'A'],
    ['class A SEALED : public B { int x; };', 'A'],
    ['enum class KIT_API A : int { B };', 'A'],
    ['struct alignas(16) KIT_API A : B { int x; };', 'A'],
    ['KIT_API std::string f(const char *a) { return a; }', 'f'],
    ['void f() NOEXCEPT_IF(a) {}', 'f'],
    ['constexpr int kLimit = 3;', 'kLimit'],
    ['struct point a{0, 0};', 'a'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each(['class A;', 'template <class T> class A;', 'int a;', 'using namespace a;', 'static_assert(true);'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(source)).toEqual(['<module>']);
    },
  );

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

  it('finds the members below macros that stand for declarations', async () => {
    const qt =
      'class UI_API A : public B {\n  Q_OBJECT\n  Q_PROPERTY(int a READ a)\n\npublic slots:\n  void f() {}\n\nsignals:\n  void g();\n};';
    expect(await symbols(qt)).toEqual(['A', 'A::f', 'A::g']);
    const game =
      'UCLASS(Blueprintable)\nclass GAME_API A : public B\n{\n  GENERATED_BODY()\n\npublic:\n  UFUNCTION(Exec)\n  void f(float a);\n};';
    const { document, chunks } = await pack.read('m.hpp', game);
    expect(chunks.map(({ start, end, symbol }) => [symbol, document.text.slice(start, end)])).toEqual([
      ['A', 'UCLASS(Blueprintable)\nclass GAME_API A : public B\n{\n  GENERATED_BODY()'],
      ['A::f', 'public:\n  UFUNCTION(Exec)\n  void f(float a);\n};'],
    ]);
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
