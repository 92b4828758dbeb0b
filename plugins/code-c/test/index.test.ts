import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'c');

async function symbols(source: string, path = 'm.c'): Promise<readonly string[]> {
  const { chunks } = await pack.read(path, source);
  return chunks.map(({ symbol = '' }) => symbol);
}

describe('symbols of C', () => {
  it.each([
    ['int f(void) { return 0; }', 'f'],
    ['int f(void);', 'f'],
    ['static inline const char *f(int a) { return 0; }', 'f'],
    ['char **f(void);', 'f'],
    ['int (f)(void);', 'f'],
    ['void (*f(int a, void (*g)(int)))(int);', 'f'],
    ['void (*f(int a, void (*g)(int)))(int) { return g; }', 'f'],
    ['struct A { int x; };', 'A'],
    ['struct A { int x; } a = { 1 };', 'A'],
    ['union A { int x; };', 'A'],
    ['enum A { B };', 'A'],
    ['typedef struct { int x; } A;', 'A'],
    ['typedef struct b { int x; } A, *C;', 'A'],
    ['typedef enum { B } A;', 'A'],
    ['typedef int A[3];', 'A'],
    ['typedef int (*A)(int);', 'A'],
    ['typedef unsigned long size_t;', 'size_t'],
    ['#define A(x) (x)\n', 'A'],
    ['struct A f(enum B b) { }', 'f'],
    ['extern "C" int f(void);', 'f'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'int a;',
    'struct A;',
    'struct A a;',
    'enum A b = C;',
    'static int (*a)(int) = b;',
    'char *a, *b;',
    '#define A 1\n',
    '#include "a.h"\n',
    'int a[] = { 1 };',
  ])('%j is not a unit', async (source) => {
    expect(await symbols(source)).toEqual(['<module>']);
  });

  it('looks through conditionals and linkage', async () => {
    const source =
      '#ifndef A_H\n#define A_H\n#ifdef B\nextern "C" {\n#endif\nint f(void);\n#if C\nint g(void);\n#else\nint h(void);\n#endif\n#ifdef B\n}\n#endif\n#endif\n';
    const found = await symbols(source, 'a.h');
    expect(found.filter((symbol) => symbol !== '<top-level>')).toEqual(['f', 'g', 'h']);
  });
});

describe('headers', () => {
  it.each([
    ['int f(void);', 'c'],
    ['struct A { int x; };\nint f(struct A *a);', 'c'],
    ['class A { public: void f(); };', 'cpp'],
    ['namespace a { int f(); }', 'cpp'],
    ['template <typename T> T f(T a);', 'cpp'],
    ['int f(int &a);', 'cpp'],
    ['int f(void) { return }}}', 'c'],
    ['', 'c'],
  ])('%s is %s', async (source, lang) => {
    expect((await pack.read('a.h', source)).document.metadata.codeLang).toBe(lang);
    expect((await pack.read('a.c', source)).document.metadata.codeLang).toBe('c');
  });
});
