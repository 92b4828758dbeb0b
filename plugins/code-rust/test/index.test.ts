import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const rust = new PackUnderTest(plugin, 'rust');
const symbols = (source: string) => rust.symbols('src/a.rs', source);

describe('symbols of Rust', () => {
  it.each([
    ['fn f() {}', 'f'],
    ['pub(crate) const unsafe extern "C" fn f<T>() {}', 'f'],
    ['struct A<T>(T);', 'A'],
    ['enum A {}', 'A'],
    ['union A { x: u8 }', 'A'],
    ['type A<T> = Vec<T>;', 'A'],
    ['macro_rules! m { () => {} }', 'm!'],
    ['trait A {}', 'A'],
    ['impl A {}', 'A'],
    ['impl A for B {}', '<B as A>'],
    ['impl<T> A<T> { fn f() {} }', 'A::f'],
    ['impl<T> a::A<T> for b::B<Vec<T>, 3> { fn f() {} }', '<b::B as a::A>::f'],
    ['impl A for &mut [B<u8>] { fn f() {} }', '<&mut [B] as A>::f'],
    ['impl A for (B, C) { fn f() {} }', '<(B, C) as A>::f'],
    ['impl A::<u8> { fn f() {} }', 'A::f'],
    ['unsafe impl !Send for A {}', '<A as Send>'],
    ['trait A { fn f(&self); }', 'A::f'],
    ['mod m { fn f() {} }', 'm::f'],
    ['mod m { impl A for B { fn f() {} } }', 'm::<B as A>::f'],
    ['mod m { macro_rules! n { () => {} } }', 'm::n!'],
    ['static F: fn() = || {};', 'F'],
    ['fn r#type() {}', 'r#type'],
    ['pub const A: u8 = 1;', 'A'],
    ['static mut A: [u8; 2] = [1, 2];', 'A'],
    ['m! { fn f() {} }', 'f'],
    ['a::b! {\n  impl A { fn f() {} }\n}', 'A::f'],
    ['cfg_if! {\n  if #[cfg(unix)] {\n    mod a { fn f() { if b { c() } else { d() } } }\n  }\n}', 'a::f'],
    ['lazy_static! {\n  static ref A: Vec<u8> = vec![1];\n}', 'A'],
    ['thread_local! {\n  static A: u8 = 1;\n}', 'A'],
    ['bitflags! {\n  pub struct A: u32 {\n    const B = 1;\n  }\n}', 'A'],
    ['proptest! {\n  #[test]\n  fn f((a, b) in pair(), mut c in vec(0..3)) { assert!(a < b); }\n}', 'f'],
    ['pin_project! {\n  pub struct A<T> {\n    #[pin]\n    b: T,\n  }\n}', 'A'],
  ])('%s is %s', async (source, symbol) => {
    expect((await symbols(source)).filter((name) => name !== '<top-level>')).toEqual([symbol]);
  });

  it('ends the type of flags behind the last one', async () => {
    const source = 'bitflags! {\n  pub struct A: u32 {\n    #[doc = "b"]\n    const B = 1;\n    const C = 2;\n  }\n}\n';
    const { document, chunks } = await rust.read('src/m.rs', source);
    const found = chunks.find(({ symbol }) => symbol === 'A');
    expect(document.text.slice(found?.start, found?.end)).toContain('const C = 2;\n  }');
  });

  it('leaves a call with the signature of a function as it is', async () => {
    const source = 'fn f() {\n  syscall! {\n    fn g(a: u8) via SYS_g -> c_int\n  }\n}\nfn h() {}\n';
    expect(await symbols(source)).toEqual(['f', 'h']);
  });

  it('leaves calls inside functions as they are, whatever their braces', async () => {
    const source =
      "fn f() {\n  select! {\n    a = b => { let x = '{'; }\n  }\n}\nhtml! {\n  <div>{ a }</div>\n}\nfn g<'a>(x: &'a str) {}\n";
    expect((await symbols(source)).filter((name) => name !== '<top-level>')).toEqual(['f', 'g']);
  });

  it('keeps the branches of a conditional macro apart', async () => {
    const source =
      'cfg_if! {\n  if #[cfg(unix)] {\n    fn a() {}\n  } else if #[cfg(windows)] {\n    fn b() {}\n  } else {\n    fn c() {}\n  }\n}\nfn d() {}\n';
    expect((await symbols(source)).filter((name) => name !== '<top-level>')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('cuts a long enum at its variants, not a short one', async () => {
    const variants = Array.from({ length: 24 }, (_, at) => `  V${at}(u8),`);
    expect(await symbols(`enum A {\n${variants.slice(0, 5).join('\n')}\n}`)).toEqual(['A']);
    expect(await symbols(`enum A {\n${variants.join('\n')}\n}`)).toEqual([
      'A',
      ...variants.map((_, at) => `A::V${at}`),
    ]);
  });

  it.each(['use a::b;', 'mod m;', 'extern "C" { fn f(); }', 'm! { f() {} }', 'm!(fn f() {});', 'fn', '#![a]'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(source)).toEqual(['<module>']);
    },
  );

  it('names associated types, and keeps constants with their impl', async () => {
    expect(await symbols('impl A for B {\n  const D: u8 = 1;\n  type C = u8;\n\n  fn f() {}\n}')).toEqual([
      '<B as A>',
      '<B as A>::C',
      '<B as A>::f',
    ]);
    expect(await symbols("trait A {\n  type B: C;\n  type D<'a>\n  where\n    Self: 'a;\n}")).toEqual([
      'A',
      'A::B',
      'A::D',
    ]);
  });
});

describe('chunks of Rust', () => {
  it('split a line that two functions share', async () => {
    const { document, chunks } = await rust.read('a.rs', 'fn f() {} fn g() {}\n');
    expect(chunks.map(({ start, end, symbol }) => [symbol, document.text.slice(start, end)])).toEqual([
      ['f', 'fn f() {} '],
      ['g', 'fn g() {}'],
    ]);
  });
});
