import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { modulePath } from '../src/index.ts';

const python = new PackUnderTest(plugin, 'python');
const symbols = (source: string) => python.symbols('src/m.py', source);

describe('symbols of Python', () => {
  it.each([
    ['def f(): pass', 'm.f'],
    ['async def f(): pass', 'm.f'],
    ['@a\n@b(1)\ndef f(): pass', 'm.f'],
    ['class A: pass', 'm.A'],
    ['class A:\n    x = 1', 'm.A'],
    ['@a\nclass A(B, metaclass=C): x = 1', 'm.A'],
    ['f = lambda x: x', 'm.f'],
    ['type A = int', 'm.A'],
    ['type A[T] = list[T]', 'm.A'],
    ['def 함수(): pass', 'm.함수'],
  ])('%j is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'X += 1',
    'a.b = 1',
    'import a',
    '"""doc"""',
    'if __name__ == "__main__":\n    main()',
    'print(lambda: 0)',
    '@a',
  ])('%j is not a unit', async (source) => {
    expect(await symbols(source)).toEqual(['<module>']);
  });

  it('goes on behind a broken parenthesis, in a function, a class or a table', async () => {
    const good = 'def last():\n  return 1\n';
    for (const broken of [
      'def f(a:\n  b = g(1,\n  return b\n',
      'class A:\n  def f(self:\n    return 2\n',
      'def f():\n  return [1, (2]\n',
    ]) {
      const names = await symbols(`def first():\n  pass\n\n${broken}\n${good}class B:\n  def m(self):\n    return 3\n`);
      expect(names[0]).toBe('m.first');
      expect(names.slice(-3)).toEqual(['m.last', 'm.B', 'm.B.m']);
    }
  });

  it('names values of a module, not those of a class or a function', async () => {
    expect(await symbols('A: int = 1\nb = make(2)\n\nclass C:\n  d = 1\n')).toEqual(['m.A', 'm.b', 'm.C']);
  });

  it('names members after their classes, at any depth', async () => {
    expect(await symbols('class A:\n  class B:\n    def f(self): pass\n\n  def g(self): pass\n')).toEqual([
      'm.A',
      'm.A.B',
      'm.A.B.f',
      'm.A.g',
    ]);
  });

  it('finds definitions under conditions, but not inside functions', async () => {
    const source =
      'try:\n  def f():\n    def g(): pass\nexcept E:\n  with a:\n    def f(): pass\nfinally:\n  class C: pass\n';
    expect(await symbols(source)).toEqual(['<top-level>', 'm.f', '<top-level>', 'm.f', '<top-level>', 'm.C']);
  });

  it('uses bare names if the module has no path', async () => {
    expect(await python.list('__init__.py', 'def f(): pass\n')).toBe('1-1 f\n');
  });
});

describe('the module path of a Python file', () => {
  it.each([
    ['kebab_eval/metrics.py', 'kebab_eval.metrics'],
    ['src/kebab_eval/metrics.py', 'kebab_eval.metrics'],
    ['lib/kebab_eval/metrics.pyi', 'kebab_eval.metrics'],
    ['src/lib/metrics.py', 'lib.metrics'],
    ['app/src/metrics.py', 'app.src.metrics'],
    ['src/kebab_eval/__init__.py', 'kebab_eval'],
    ['kebab_eval/__main__.py', 'kebab_eval.__main__'],
    ['lib.py', 'lib'],
    ['src.py', 'src'],
    ['src/__init__.py', ''],
    ['__init__.py', ''],
    ['노트/점수.py', '노트.점수'],
  ])('%s is the module %s', (path, module) => {
    expect(modulePath(path)).toBe(module);
  });
});
