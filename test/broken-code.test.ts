import { PackUnderTest } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import c from '../plugins/code-c/src/index.ts';
import cpp from '../plugins/code-cpp/src/index.ts';
import go from '../plugins/code-go/src/index.ts';
import java from '../plugins/code-java/src/index.ts';
import kotlin from '../plugins/code-kotlin/src/index.ts';
import python from '../plugins/code-python/src/index.ts';
import rust from '../plugins/code-rust/src/index.ts';
import typescript from '../plugins/code-typescript/src/index.ts';

const PLUGINS = { c, cpp, go, java, kotlin, python, rust, typescript };
type Lang = keyof typeof PLUGINS;

/** Sources with a bracket too many or too few, and the units that a reader sees in them. */
const BROKEN: readonly (readonly [lang: Lang, what: string, source: string, units: string])[] = [
  [
    'kotlin',
    'a parameter list',
    'fun a(x: Int {\n    return g(1\n}\n\nfun b() = 1\n\nclass C {\n    fun m() {\n        y()\n    }\n}\n',
    'a b C C.m',
  ],
  [
    'kotlin',
    'two methods, one annotated, with a name in backticks',
    'class A {\n    fun ok() = 1\n\n    fun a() {\n        return g(1\n    }\n\n    @Test fun `odd name`() {\n        h((1)\n    }\n\n    fun b() {\n        z()\n    }\n}\n\nfun last() = 1\n',
    'A A.ok A.a A.odd name A.b last',
  ],
  [
    'kotlin',
    'a list',
    'val table = listOf(\n    1,\n    2\n\nfun b() = "${f("(")} (" + \'(\' // (\n\nobject O {\n    fun m() = """(("""\n}\n',
    'table b O O.m',
  ],
  ['kotlin', 'a block', 'fun a() {\n    if (x) {\n        y()\n\nfun b() = 1\n\nenum class E { A, B }\n', 'a b E'],
  [
    'kotlin',
    'a brace too many',
    'fun a() {\n    y()\n}}\n\nfun b() = 1\n\nclass C {\n    fun m() = 2\n}\n',
    'a b C C.m',
  ],
  [
    'kotlin',
    'a constructor',
    'class A(\n    val x: Int,\n    val y: Int\n{\n    fun m() = 2\n}\n\nfun b() = 1\n',
    'A A.m b',
  ],
  [
    'kotlin',
    'a function of a type',
    'fun <T> List<T>.a(x: (Int -> T): T {\n    return x(1)\n}\n\nprivate suspend fun b() = 1\n',
    'a b',
  ],
  [
    'kotlin',
    'a companion',
    'class A {\n    companion object {\n        fun create( = A()\n        const val N = 1\n    }\n    fun m() = 2\n}\n',
    'A A.Companion A.Companion.create A.Companion.N A.m',
  ],
  [
    'kotlin',
    'a branch',
    'fun a(x: Int) = when (x) {\n    1 -> "a"\n    2 -> g(\n    else -> "b"\n}\n\nfun b() = 1\n',
    'a b',
  ],
  [
    'java',
    'a parameter list',
    'class A {\n    void ok() {\n    }\n\n    void a(int x {\n        g(1;\n    }\n\n    void b() {\n    }\n}\n\nclass B {\n    int m() { return 1; }\n}\n',
    'A A.ok A.a A.b B B.m',
  ],
  [
    'java',
    'an annotated method',
    'class A {\n    @Override public void a() {\n        if (g(1) {\n            x();\n        }\n    }\n\n    @Test\n    public void b() {\n    }\n}\n\ninterface B {\n    int m();\n}\n',
    'A A.a A.b B B.m',
  ],
  [
    'java',
    'a block',
    'class A {\n    void a() {\n        if (x) {\n            y();\n\n    void b() {\n    }\n}\n\nclass B {\n    int m() { return 1; }\n}\n',
    'A A.a A.b B B.m',
  ],
  [
    'go',
    'a parameter list',
    'func a(x int {\n\tg(1\n}\n\nfunc b() {\n}\n\ntype B struct {\n\tx int\n}\n\nfunc (b B) m() {\n}\n',
    'a b B (B).m',
  ],
  ['go', 'a list', 'var table = []int{\n\t1,\n\t2\n\nfunc b() {\n}\n', 'table b'],
  ['go', 'a block', 'func a() {\n\tif x {\n\t\ty()\n\nfunc b() {\n}\n', 'a b'],
  [
    'rust',
    'a function and a method',
    'fn a(x: i32 {\n    g(1;\n}\n\nfn b() {}\n\nimpl B {\n    fn m(&self) {}\n    fn n(&self {\n        x()\n    }\n    fn o(&self) {}\n}\n',
    'a b B B::m B::n B::o',
  ],
  ['rust', 'a branch', 'fn a() {\n    match x {\n        1 => g(\n    }\n}\n\nfn b() {}\n', 'a b'],
  ['c', 'a parameter list', 'int a(int x {\n    return g(1;\n}\n\nint b(void) {\n    return 1;\n}\n', 'a b'],
  ['c', 'a list', 'int table[] = {\n    1,\n    2;\n\nint b(void)\n{\n    return 1;\n}\n', 'table b'],
  [
    'cpp',
    'a method',
    'class A {\n public:\n  int a(int x {\n    return g(1;\n  }\n  int b() { return 1; }\n};\n\nint last() { return 1; }\n',
    'A A::a A::b last',
  ],
  [
    'typescript',
    'a decorated method',
    'class A {\n  @Input() a(x: string {\n    return 1;\n  }\n\n  b() {\n    return 1;\n  }\n}\n\nfunction last() {}\n',
    'A A.a A.b last',
  ],
  ['typescript', 'a brace too many', 'function a() {\n  y();\n}}\n\nfunction b() {}\n', 'a b'],
  [
    'python',
    'a decorated method',
    'class A:\n    @property\n    def a(self:\n        return g(1\n\n    def b(self):\n        return 1\n\n\ndef last():\n    return 1\n',
    'A A.a A.b last',
  ],
];

describe('a broken bracket costs one unit at most', () => {
  it.each(BROKEN)('%s: %s', async (lang, _what, source, units) => {
    const pack = new PackUnderTest(PLUGINS[lang], lang);
    const head = lang === 'kotlin' || lang === 'go' ? 'package p\n\n' : '';
    const { chunks } = await pack.read(lang === 'python' ? 'p.py' : 'p.x', head + source);
    const names = chunks.flatMap(({ symbol = '' }) => (symbol.startsWith('<') ? [] : [symbol.replace(/^p\./, '')]));
    expect([...new Set(names)].join(' ')).toBe(units);
  });
});
