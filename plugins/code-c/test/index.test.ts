import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const pack = new PackUnderTest(plugin, 'c');
const symbols = (source: string, path = 'm.c') => pack.symbols(path, source);

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
    ['enum A b = C;', 'b'],
    ['static int (*a)(int) = b;', 'a'],
    ['int a[] = { 1 };', 'a'],
    ['#define A 1\n', 'A'],
    ['static const int a[] __initconst = { 1 };', 'a'],
    ['static void __exit f(void)\n{\n}', 'f'],
    ['int WINAPI f(HINSTANCE a) { return 0; }', 'f'],
    ['HRESULT STDMETHODCALLTYPE f(int a) { return 0; }', 'f'],
    ['JNIEXPORT void JNICALL f(JNIEnv *a) {}', 'f'],
    ['PyMODINIT_FUNC f(void) { return 0; }', 'f'],
    ['static FILE *f(const char *a) { return 0; }', 'f'],
    ['static __u32 f(__u32 a) { return a; }', 'f'],
    ['static __printf(1, 2) int f(const char *a, ...);', 'f'],
    ['int f(void) __acquires(lock)\n{\n  return 1;\n}', 'f'],
    ['GLOBAL(void)\nf(int a)\n{\n}', 'f'],
    ['TRACE_EVENT(a, TP_ARGS(b),\n  TP_PROTO(c))\n{\n}', 'a'],
    ['Test(suite, name) {\n}', 'suite::name'],
    ['char *f(s, n)\n  char *s;\n  int (*n)();\n{\n  return s;\n}', 'f'],
    ['int f(void)\n{\n#ifdef A\n  if (a) {\n#endif\n    g();\n#ifdef A\n  }\n#endif\n}', 'f'],
    ['STATIC_DCL int FDECL(f, (struct a *));', 'f'],
    ['extern a *FDECL(f, (const char *,\n    int)) NORETURN;', 'f'],
    ['static int NDECL(f);', 'f'],
    ['_PROTOTYPE( void f, (int a, char *b) );', 'f'],
    ['int f __P((int, char *));', 'f'],
    ['struct a *f PARAMS((void));', 'f'],
    ['main(argc, argv)\nint argc;\nchar **argv;\n{\n}', 'main'],
    ['fu(a) char *a;\n{\n  return 1;\n}', 'fu'],
    ['HWND\nf(int a)\n{\n}', 'f'],
    ['WCHAR\nf(a)\nint a;\n{\n}', 'f'],
    ['static NEARDATA struct A {\n  int x;\n} a = { 1 };', 'A'],
    ['E int FDECL(f, (int));', 'f'],
    ['E NEARDATA int a[] = { 1 };', 'a'],
    ['int a[] = {\n#define B 1\n  B,\n#ifdef C\n  2,\n#else\n  3,\n#endif\n};', 'a'],
    ['int f(int a,\n#ifdef B\n  int b,\n#else\n  long b,\n#endif\n  int c)\n{\n}', 'f'],
    ['struct __packed A { int x; };', 'A'],
    ['struct A { int x; } __packed;', 'A'],
  ])('%s is %s', async (source, symbol) => {
    expect(await symbols(source)).toEqual([symbol]);
  });

  it.each([
    'int a;',
    'struct A;',
    'struct A a;',
    '#define A\n',
    'EXPORT_SYMBOL(a)',
    'char *a, *b;',
    '#include "a.h"\n',
  ])('%j is not a unit', async (source) => {
    expect(await symbols(source)).toEqual(['<module>']);
  });

  it('cuts a long enum at its members, with a typedef or without', async () => {
    const members = Array.from({ length: 24 }, (_, at) => `  M${at},`);
    const names = ['A', ...members.map((_, at) => `A::M${at}`)];
    expect((await symbols(`enum A {\n${members.join('\n')}\n};`)).slice(0, 25)).toEqual(names);
    expect((await symbols(`typedef enum {\n${members.join('\n')}\n} A;`)).slice(0, 25)).toEqual(names);
  });

  it('keeps one head of a function that conditionals give two', async () => {
    const body = '{\n  if (a) {\n    g();\n  }\n}\n';
    const heads = [
      `#ifdef A\nint f(long a)\n#else\nint f(int a)\n#endif\n${body}`,
      `#ifdef A\nint f(long a) {\n#elif B\nint f(int a) {\n#else\nint f(char a) {\n#endif\n${body.slice(2)}`,
      `#if 0\nint old(void) {\n#else\nint f(int a) {\n#endif\n${body.slice(2)}`,
    ];
    for (const head of heads)
      expect((await symbols(`${head}int h(void);\n`)).filter((symbol) => symbol !== '<top-level>')).toEqual(['f', 'h']);
  });

  it('goes on behind what is switched off and behind macros without a semicolon', async () => {
    const source = '#if 0\nint f( {\n#endif\nint g(void) { return 1; }\nMODULE(a)\nint h(void) { return 2; }\n';
    expect((await symbols(source)).filter((symbol) => symbol !== '<top-level>')).toEqual(['g', 'h']);
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
