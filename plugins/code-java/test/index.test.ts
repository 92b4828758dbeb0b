import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'java');
const symbols = (source: string, path = 'A.java') => pack.symbols(path, source);

describe('symbols of Java', () => {
  it.each([
    ['class A {}', 'a.b.A'],
    ['interface A {}', 'a.b.A'],
    ['enum A { B, C }', 'a.b.A'],
    ['record A(int b) {}', 'a.b.A'],
    ['@interface A { int b(); }', 'a.b.A'],
    ['public sealed abstract class A<T> extends B<T> permits C {}', 'a.b.A'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(`package a.b;\n\n${source}`)).toEqual(['<top-level>', symbol]);
  });

  it('names a constructor with the class name repeated', async () => {
    expect(await symbols('class A {\n  int x;\n\n  A() {}\n\n  class B {\n    int y;\n\n    B() {}\n  }\n}')).toEqual([
      'A',
      'A.A',
      'A.B',
      'A.B.B',
    ]);
  });

  it('keeps fields and initialisers in the class, and lambdas as separate units', async () => {
    const source = 'class A {\n  int x;\n\n  Runnable r = () -> {};\n\n  static {\n    x();\n  }\n}';
    expect(await symbols(source)).toEqual(['A', 'A.r', 'A']);
  });

  it.each(['module a.b { requires c; }', 'package a.b;', 'import a.b;', '/** Nothing. */'])(
    '%s is not a unit',
    async (source) => {
      expect(await symbols(source)).toEqual(['<module>']);
    },
  );
});
