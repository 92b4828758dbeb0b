import { readFileSync } from 'node:fs';
import type { SymbolResult } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { call, initialize } from '../fakes/call.ts';
import type { Connection } from '../fakes/connection.ts';
import { ingest, newHome } from '../fakes/test-home.ts';

const FILES: Readonly<Record<string, string>> = {
  'include/fire.h': 'class Fire {\npublic:\n  virtual void stoke(int logs) = 0;\n};\n',
  'lib/fire.cpp': 'void Fire::stoke(int logs)\n{\n  burn(logs);\n}\n',
  'src/oven.ts': `import { clamp, Dial } from './dial.ts';

export const MAX_HEAT = 900;

const names = {
  small: 'S',
  large: 'L',
};

export enum Glow { Dim, Bright }

/** An Oven bakes pots. */
export class Oven {
  heat(by: number) {
    return clamp(by, MAX_HEAT);
  }
}

export const preheat = (oven: Oven) => oven.heat(3);
`,
  'src/glaze.ts': `export function glaze(pot: string) {
  return pot;
}

export function dip({ small, glaze }: { small: string; glaze: string }) {
  return small + glaze;
}
`,
  'src/dial.ts': `export class Dial {
  heat() {}
}

export function clamp(value: number, most: number) {
  const local = Math.min(value, most);
  return local;
}
export { MAX_HEAT as LIMIT } from './oven.ts';
`,
  'test/oven.test.ts': `import { Oven } from '../src/oven.ts';

describe('an oven', () => {
  it('keeps below its limit, e.g. 900', () => {
    new Oven().heat(1);
  });
});
`,
  'lib/tray.py': `LEVELS = {
    "low": 1,
    "high": 2,
}


class Tray:
    """A Tray of the Oven."""

    depth = 3

    def lift(self, levels):
        return LEVELS["low"] + self.depth


@cached
def bake(tray):
    return tray.lift(LEVELS)
`,
  'lib/rack.rs': `pub const SLOTS: usize = 4;

pub struct Rack;

impl Rack {
    pub fn lift(&self) -> usize { SLOTS }
}

impl std::fmt::Display for Rack {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, "{}", self.lift()) }
}

pub enum Finish {
    Matt,
    Glossy,
}
`,
  'lib/bank.rs': `impl Drop for Bank {
    fn drop(&mut self) {}
}
pub enum Part { Bank(u8) }
pub struct Bank;
`,
  'lib/vent.c': `#include "vent.h"
#define VENT_MAX 7

enum draught { NONE, WEAK, STRONG };

static int vents[] = { 1, 2 };

int
open_vent(int by)
{
	return vents[by % VENT_MAX];
}
`,
  'lib/flue.go': `package flue

const Width = 12

type Flue struct{ width int }

func (f *Flue) Open() int { return Width }
`,
  'Kiln.toml': '[kiln]\ndip = 3\nfuel = "gas"\n',
  'docs/keys.md':
    '# Keys\n\n## Heat curve\n\n| key | meaning |\n|---|---|\n| `soak_time` | minutes |\n\nMAX_HEAT is a limit.\n',
};

describe('symbol', { timeout: 60_000 }, () => {
  const home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
  let connection: Connection;

  beforeAll(async () => {
    for (const [file, text] of Object.entries(FILES)) home.write(`notes/${file}`, text);
    await ingest(home);
    connection = home.connection();
    await initialize(connection);
  }, 60_000);
  afterAll(() => home.close());

  const textOf = async (args: JsonObject): Promise<string> => {
    const { content, isError } = await call(connection, 'symbol', args);
    expect(isError).toBeUndefined();
    return content[0]?.text ?? '';
  };
  /** The lines of an answer: `path:line`. */
  const placesOf = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => /^([^\s:]+:\d+):/.exec(line)?.[1] ?? []);
  const places = async (args: JsonObject): Promise<readonly string[]> => placesOf(await textOf(args));

  it.each([
    ['a class', 'Oven', ['src/oven.ts:13']],
    ['a function', 'clamp', ['src/dial.ts:5']],
    ['a function with a decorator', 'bake', ['lib/tray.py:17']],
    ['a function whose name has a line of its own', 'open_vent', ['lib/vent.c:9']],
    ['a function bound to a constant', 'preheat', ['src/oven.ts:19']],
    ['a function, not a parameter of that name', 'glaze', ['src/glaze.ts:1']],
    ['a method wherever there is one of the name', 'heat', ['src/dial.ts:2', 'src/oven.ts:14']],
    ['a function before a setting', 'dip', ['src/glaze.ts:5', 'Kiln.toml:2']],
    ['a setting', 'fuel', ['Kiln.toml:3']],
    ['a method with a body before one without', 'stoke', ['lib/fire.cpp:1', 'include/fire.h:3']],
    ['a method of a class', 'Oven.heat', ['src/oven.ts:14']],
    ['a method of a type, written as in its language', 'Rack::lift', ['lib/rack.rs:6']],
    ['a method behind a hash', 'Tray#lift', ['lib/tray.py:12']],
    ['a method of Go', 'Flue.Open', ['lib/flue.go:7']],
    ['a member of an implementation by its type', 'Rack::fmt', ['lib/rack.rs:10']],
    ['a member of an implementation by its trait', 'Display::fmt', ['lib/rack.rs:10']],
    ['a type before what it implements and members', 'Bank', ['lib/bank.rs:5', 'lib/bank.rs:1', 'lib/bank.rs:4']],
    ['a constant of TypeScript', 'MAX_HEAT', ['src/oven.ts:3']],
    ['a constant of Python', 'LEVELS', ['lib/tray.py:1']],
    ['a constant of Rust', 'SLOTS', ['lib/rack.rs:1']],
    ['a constant of Go', 'Width', ['lib/flue.go:3']],
    ['a macro of C', 'VENT_MAX', ['lib/vent.c:2']],
    ['an array of C', 'vents', ['lib/vent.c:6']],
    ['a table', 'names', ['src/oven.ts:5']],
    ['an entry of a table', 'large', ['src/oven.ts:7']],
    ['an entry of a dictionary', 'high', ['lib/tray.py:3']],
    ['a field of a class', 'depth', ['lib/tray.py:10']],
    ['a member of an enumeration', 'Glossy', ['lib/rack.rs:15']],
    ['a member of an enumeration on one line', 'Bright', ['src/oven.ts:10']],
    ['a member of an enumeration of C', 'WEAK', ['lib/vent.c:4']],
    ['a member by its enumeration', 'Finish::Matt', ['lib/rack.rs:14']],
    ['a test by its title', 'keeps below its limit, e.g. 900', ['test/oven.test.ts:4']],
    ['a variable of a function, where there is nothing else', 'local', ['src/dial.ts:6']],
    ['a row of a table in prose, where code has none', 'soak_time', ['docs/keys.md:7']],
    ['a section', 'Heat curve', ['docs/keys.md:3']],
    ['another case, where nothing is called as written', 'oven', ['src/oven.ts:13']],
    ['a name behind its keyword and before parentheses', 'def bake()', ['lib/tray.py:17']],
    ['nothing', 'Chimney', []],
  ])('goes to the definition of %s', async (_what, name, expected) => {
    expect(await places({ name })).toEqual(expected);
  });

  it('answers the unit with its lines above the line, and the same as structured content', async () => {
    const { content, structuredContent } = await call(connection, 'symbol', { name: 'Oven' });
    expect(content[0]?.text).toBe('1 definition of Oven\nOven (12-17)\nsrc/oven.ts:13:export class Oven {');
    expect(structuredContent).toMatchObject({
      units: [{ doc_path: 'src/oven.ts', symbol: 'src/oven.Oven', line_start: 12, line_end: 17 }],
      total: 1,
      next_cursor: null,
    });
  });

  it('finds every line of code with the name, by unit, and marks definitions', async () => {
    expect(await textOf({ name: 'MAX_HEAT', find: 'references' })).toBe(
      [
        '3 references of MAX_HEAT',
        '(top level)',
        "src/dial.ts:9:export { MAX_HEAT as LIMIT } from './oven.ts';",
        'MAX_HEAT (3-3, defined on 3)',
        'src/oven.ts:3:export const MAX_HEAT = 900;',
        'Oven.heat (14-16)',
        'src/oven.ts:15:    return clamp(by, MAX_HEAT);',
      ].join('\n'),
    );
  });

  it.each([
    ['LEVELS', ['lib/tray.py:1', 'lib/tray.py:13', 'lib/tray.py:18']],
    ['lift', ['lib/rack.rs:6', 'lib/rack.rs:10', 'lib/tray.py:12', 'lib/tray.py:18']],
    ['VENT_MAX', ['lib/vent.c:2', 'lib/vent.c:11']],
    ['Width', ['lib/flue.go:3', 'lib/flue.go:7']],
    ['heat', ['src/dial.ts:2', 'src/oven.ts:14', 'src/oven.ts:19', 'test/oven.test.ts:5']],
  ])('finds %s as a whole word, in its case', async (name, expected) => {
    expect(await places({ name, find: 'references' })).toEqual(expected);
  });

  it('keeps to the files that a glob selects', async () => {
    expect(await places({ name: 'lift', path_glob: ['**/*.py'] })).toEqual(['lib/tray.py:12']);
    expect(await places({ name: 'lift', find: 'references', path_glob: 'lib/*.rs' })).toEqual([
      'lib/rack.rs:6',
      'lib/rack.rs:10',
    ]);
  });

  it.each(['Chimney', 'House::Chimney', 'house/roof.Chimney'])(
    'names the tools that look elsewhere for %s',
    async (name) => {
      const hint = 'call grep {"pattern": "Chimney"} for every line with it, or search {"query": "Chimney"}';
      for (const [tool, args] of [
        ['symbol', { name }],
        ['fetch', { symbol: name }],
      ] as const) {
        const { content, structuredContent } = await call(connection, tool, args);
        expect(content[0]?.text).toBe(`0 definitions of ${name}\n${hint}`);
        expect(structuredContent).toMatchObject({ total: 0, hint });
      }
    },
  );

  describe('fetch of a symbol', () => {
    const read = async (args: JsonObject): Promise<string> =>
      (await call(connection, 'fetch', args)).content[0]?.text ?? '';

    it.each([
      [{ symbol: 'Flue.Open' }, 'lib/flue.go#L7', ['7:func (f *Flue) Open() int { return Width }']],
      [{ symbol: 'high' }, 'lib/tray.py#L3', ['3:    "high": 2,']],
      [{ symbol: 'heat', path: 'dial.ts' }, 'src/dial.ts#L2', ['2:  heat() {}']],
      [
        { function: 'Oven.heat' },
        'src/oven.ts#L14-L16',
        ['14:  heat(by: number) {', '15:    return clamp(by, MAX_HEAT);', '16:  }'],
      ],
    ])('reads the lines of the one definition: %j', async (args, place, lines) => {
      const [head, ...body] = (await read(args)).split('\n');
      expect([head?.startsWith(`${place} (lines `), body]).toEqual([true, lines]);
    });

    it('goes on where a long definition was cut', async () => {
      const pages: string[] = [];
      for (let cursor: unknown; pages.length < 20;) {
        const args = { symbol: 'Oven', max_tokens: 12, ...(cursor === undefined ? {} : { cursor }) };
        const { structuredContent } = await call(connection, 'fetch', args);
        pages.push(String(structuredContent['text']));
        cursor = structuredContent['next_cursor'];
        if (cursor === undefined) break;
      }
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.join('')).toBe((FILES['src/oven.ts'] ?? '').split('\n').slice(11, 17).join('\n'));
    });

    it('lists several definitions with the calls that read them', async () => {
      const { structuredContent } = await call(connection, 'fetch', { symbol: 'stoke' });
      const calls = [...String(structuredContent['hint']).matchAll(/fetch (\{.*?\})/g)].map(([, args = '']) => args);
      const texts = await Promise.all(calls.map((args) => read(JSON.parse(args) as JsonObject)));
      const definitions = ['\n1:void Fire::stoke(int logs)\n', '\n3:  virtual void stoke(int logs) = 0;'];
      expect(texts.map((text, at) => text.includes(definitions[at] ?? ''))).toEqual([true, true]);
      expect(await read({ symbol: 'stoke' })).toContain('lib/fire.cpp:1:void Fire::stoke(int logs)');
    });

    it.each([{ uri: 'src/oven.ts' }, { line_start: 3 }, { context: 1 }, { kind: 'chunk' }, { kind: 'outline' }])(
      'refuses %j beside a symbol',
      async (args) => {
        const called = await call(connection, 'fetch', { symbol: 'Oven', ...args });
        expect(called).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
      },
    );
  });

  it('goes on page by page, to the end, without repeating', async () => {
    const all = await places({ name: 'heat', find: 'references' });
    const paged: string[] = [];
    for (let cursor: unknown; paged.length <= all.length;) {
      const args = { name: 'heat', find: 'references', limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const { content, structuredContent } = await call(connection, 'symbol', args);
      paged.push(...placesOf(content[0]?.text ?? ''));
      cursor = structuredContent['next_cursor'] ?? undefined;
      if (cursor === undefined) break;
    }
    expect(paged).toEqual(all);
  });

  it.each([{ name: '  ' }, { name: '()' }, { name: 'x', limit: 0 }, { name: 'heat', cursor: 'zzz' }])(
    'refuses %j',
    async (args) => {
      expect(await call(connection, 'symbol', args)).toMatchObject({
        isError: true,
        structuredContent: { code: 'invalid_input' },
      });
    },
  );

  describe('fetch with kind outline', () => {
    const outlineOf = async (args: JsonObject): Promise<readonly string[]> =>
      ((await call(connection, 'fetch', { kind: 'outline', ...args })).content[0]?.text ?? '').split('\n');

    it.each([
      [
        'src/oven.ts',
        [
          '3 export const MAX_HEAT = 900;',
          '5-8 const names =',
          '10 export enum Glow { Dim, Bright }',
          '13-17 export class Oven',
          '  14-16 heat(by: number)',
          '19 export const preheat = (oven: Oven) => oven.heat(3);',
        ],
      ],
      ['lib/tray.py', ['1-4 LEVELS =', '7-13 class Tray:', '  12-13 def lift(self, levels):', '17-18 def bake(tray):']],
      [
        'lib/flue.go',
        ['3 const Width = 12', '5 type Flue struct{ width int }', '7 func (f *Flue) Open() int { return Width }'],
      ],
      ['docs/keys.md', ['1-9 # Keys', '  3-9 ## Heat curve']],
    ])('lists the units of %s', async (path, expected) => {
      const [head, ...units] = await outlineOf({ path });
      expect(head).toMatch(new RegExp(String.raw`^${path} \(\d+ lines\)$`));
      expect(units).toEqual(expected);
    });

    it('lists the files of a folder', async () => {
      const files = (await outlineOf({ path: 'src' })).filter((line) => line.endsWith(' lines)'));
      expect(files).toEqual(['src/dial.ts (9 lines)', 'src/glaze.ts (7 lines)', 'src/oven.ts (19 lines)']);
    });

    it('goes on page by page, to the end, without repeating', async () => {
      const all = (await outlineOf({ path: 'lib' })).filter((line) => !line.endsWith(' lines)'));
      const paged: string[] = [];
      for (let cursor: string | undefined, pages = 0; pages < 50; pages++) {
        const page = await outlineOf({ path: 'lib', max_tokens: 150, ...(cursor === undefined ? {} : { cursor }) });
        cursor = /^next_cursor: (.*)$/.exec(page.at(-1) ?? '')?.[1];
        paged.push(...page.filter((line) => !line.endsWith(' lines)') && !line.startsWith('next_cursor')));
        if (cursor === undefined) break;
      }
      expect(paged).toEqual(all);
    });

    it.each([
      [{ path: 'src/none.ts' }, 'doc_not_found'],
      [{ path: 'src/oven.ts', line_start: 3 }, 'invalid_input'],
      [{}, 'invalid_input'],
    ])('refuses %j', async (args, code) => {
      const called = await call(connection, 'fetch', { kind: 'outline', ...args });
      expect(called).toMatchObject({ isError: true, structuredContent: { code } });
    });
  });
});

/** Members that are plain words and fields, as each language writes them; the line with `here` declares the name. */
const MEMBERS: readonly (readonly [file: string, name: string, text: string])[] = [
  [
    'kiln.ts',
    'Phase.Late',
    'namespace Kiln {\n  export enum Phase {\n    /** first */ Early,\n    Late = Early + 1, // here\n  }\n}\n',
  ],
  ['line.ts', 'Kiln.State.Waiting', 'namespace Kiln { export enum State { Ready, Waiting } } // here\n'],
  ['pair.go', 'Second', 'package kiln\n\nconst First, Second = 1, 2 // here\n'],
  ['pair.py', 'Tint.GREEN', 'from enum import Enum\n\nclass Tint(Enum):\n    RED, GREEN = 1, 2  # here\n'],
  ['call.py', 'Shape.ROUND', "from enum import Enum\n\nShape = Enum('Shape', 'FLAT ROUND')  # here\n"],
  ['list.py', 'HUGE', 'from enum import IntEnum\n\nSize = IntEnum("Size", [\n    "TINY",\n    "HUGE",  # here\n])\n'],
  [
    'Nested.kt',
    'Pitch',
    'class Reed { enum class Wood { ASH, OAK } }\nclass Horn { enum class Pitch { LOW, HIGH }; fun f() = 1 } // here\n',
  ],
  ['words.ts', 'Words.Other', 'enum Words { of = 1, type, "Other" } // here\n'],
  [
    'fire.rs',
    'Fire::Move',
    'pub enum Fire {\n    Quit,\n    #[serde(rename = "m")]\n    Move { x: i32 }, // here\n}\nfn go() { Fire::Move { x: 1 } }\n',
  ],
  [
    'token.h',
    'NUMBER',
    'typedef enum\n{\n    IDENT, NUMBER, /* here */\n#ifdef LONG\n    FLOAT,\n#endif\n} token_kind;\n',
  ],
  [
    'Order.java',
    'Order.Status.SHIPPED',
    'class Order {\n  enum Status {\n    PAID("p") { boolean done() { return true; } },\n    SHIPPED("s"); // here\n    boolean done() { return Status.SHIPPED == this; }\n  }\n}\n',
  ],
  [
    'Coin.java',
    'Coin.USD',
    'public enum Coin implements Coded {\n  EUR,\n  @Deprecated USD, // here\n  KRW;\n  int code() { return USD.x; }\n}\n',
  ],
  [
    'tone.py',
    'Tone.SOFT',
    'class Tone(Enum):\n    SOFT = auto()  # here\n    LOUD = 2\n\ndef soft():\n    return Tone.SOFT\n',
  ],
  [
    'Rank.kt',
    'Rank.QUEEN',
    'enum class Rank(val n: Int) {\n    PAWN(1),\n    KNIGHT(3) { override fun move() = 2 },\n    QUEEN(9); // here\n    open fun move() = 1\n}\n',
  ],
  [
    'state.go',
    'Gone',
    'package kiln\n\ntype State int\n\nconst (\n\tNew State = iota\n\t_\n\tGone // here\n)\n\nfunc Is() State { return Gone }\n',
  ],
  [
    'color.cpp',
    'kiln::Color::Green',
    'namespace kiln {\nenum class Color : std::uint8_t {\n  Red,\n  Green = 2, // here\n};\n}\nauto c = kiln::Color::Green;\n',
  ],
  ['loose.cpp', 'ash::Dry', 'namespace ash { enum Loose { Wet, Dry }; } // here\nauto d = ash::Dry;\n'],
  [
    'suit.swift',
    'Suit.clubs',
    'enum Suit {\n  case hearts, spades\n  case clubs(Int) // here\n}\nlet s = Suit.clubs(1)\n',
  ],
  ['Speed.cs', 'Speed.Quick', 'namespace N { public enum Speed { Slow, Quick = 2 } } // here\n'],
  [
    'status.php',
    'Status::Closed',
    "<?php\nenum Status: string {\n  case Active = 'a';\n  case Closed = 'c'; // here\n}\n",
  ],
  ['stove.go', 'Stove.On', 'package k\ntype Stove struct {\n\tOn func() // here\n}\nvar s = Stove{\n\tOn: f,\n}\n'],
  ['flame.cc', 'most', 'struct F {\n  size_t most; // here\n};\nF::F()\n  : size(3),\n    most(4) {\n}\n'],
  ['Baked.java', 'other', '@interface Baked {\n  /** @return other */\n  String[] other() default {}; // here\n}\n'],
  ['hearth.py', 'air', 'class H:\n    """\n    `air`\n    """\n    def f(self):\n        self.air = 3  # here\n'],
  ['Grate.kt', 'Grate.rake', 'class Grate {\n  @Old(\n    use = Use("rake"),\n  )\n  fun rake() = 1 // here\n}\n'],
  ['Poker.kt', 'stir', 'class Poker {\n  /** Stirs. */\n  @JvmName("s") fun stir() = 1 // here\n}\n'],
  ['raker.rs', 'raker', 'macro_rules! raker { // here\n    ($a:expr) => { raker!($a) };\n}\n'],
];

describe('symbol of a member', { timeout: 60_000 }, () => {
  const home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
  const text = MEMBERS.map(([, name]) => name).join(' ');

  beforeAll(async () => {
    for (const [file, , content] of MEMBERS) home.write(`notes/${file}`, content);
    home.write('notes/uses.py', `# ${text}\n`);
    await ingest(home);
  }, 60_000);
  afterAll(() => home.close());

  it.each(MEMBERS)('in %s goes to the declaration of %s', async (file, name, content) => {
    const { structuredContent } = await call(home.connection(), 'symbol', { name });
    const line = content.split('\n').findIndex((written) => written.includes('here')) + 1;
    expect(structuredContent).toMatchObject({ units: [{ doc_path: file, lines: [{ line }] }] });
  });
});

interface DefinitionsCase {
  readonly path: string;
  readonly text: string;
  /** The line of each declaration, and the last line that its unit has at least; null for a name that no unit has. */
  readonly definitions: Readonly<Record<string, string | null>>;
}

const CASES = JSON.parse(
  readFileSync(new URL('../fixtures/definitions.json', import.meta.url), 'utf8'),
) as readonly DefinitionsCase[];

describe('symbol in files as projects have them', { timeout: 60_000 }, () => {
  const home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
  let connection: Connection;

  beforeAll(async () => {
    for (const { path, text } of CASES) home.write(`notes/${path}`, text);
    await ingest(home);
    connection = home.connection();
  }, 60_000);
  afterAll(() => home.close());

  it.each(CASES)('goes to each definition in $path', async ({ path, definitions }) => {
    const wrong: string[] = [];
    for (const [name, place] of Object.entries(definitions)) {
      const { structuredContent } = await call(connection, 'symbol', { name, path_glob: path });
      const [line = 0, last = 0] = (place ?? '').split('-').map(Number);
      const { units } = structuredContent as unknown as SymbolResult;
      const isRight =
        place === null
          ? units.every(({ symbol }) => symbol?.endsWith(name) !== true)
          : units.some(
              (unit) => unit.lines.some((one) => one.line === line) && unit.line_start <= line && unit.line_end >= last,
            );
      if (!isRight) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });
});
