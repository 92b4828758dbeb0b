import { describe, expect, it } from 'vitest';
import { hasFileLines, unitsOf, wordPattern } from '../../src/documents/document-units.ts';
import type { Block } from '../../src/domain/block.ts';
import { LineIndex } from '../../src/domain/span.ts';

/** A block of code from one line to another, or a heading on a line. */
type Sketch = readonly [start: number, end: number, symbol: string] | readonly [line: number, level: number];

function blocksOf(text: string, sketches: readonly Sketch[], lang = 'typescript'): readonly Block[] {
  const lines = new LineIndex(text);
  return sketches.map((sketch, ordinal): Block => {
    const place = { blockId: `${ordinal}`.padStart(32, '0') as Block['blockId'], ordinal, headingPath: [] };
    const [first, second, symbol] = sketch;
    const last = symbol === undefined ? first : second;
    const range = { start: lines.startOf(first), end: lines.startOf(last + 1) - 1 };
    if (symbol !== undefined) {
      const span = { kind: 'code', line_start: first, line_end: second, symbol, lang } as const;
      return { ...place, ...range, kind: 'code', lang, symbol, sourceSpan: span };
    }
    const heading = text.slice(range.start, range.end).replace(/^#+\s*/, '');
    const span = { kind: 'line', start: first, end: first } as const;
    return { ...place, ...range, kind: 'heading', level: second as 1, text: heading, sourceSpan: span };
  });
}

function outlined(text: string, sketches: readonly Sketch[], lang?: string): readonly string[] {
  return unitsOf(blocksOf(text, sketches, lang), text).map(
    ({ depth, line, start, end, name }) => `${'  '.repeat(depth)}${start}:${line}-${end} ${name}`,
  );
}

describe('the units of a document', () => {
  it('are nested as their symbols are, and what closes a container is not of its last member', () => {
    const text =
      'class Kiln {\n  hot = 1;\n  fire() {\n    this.hot++;\n  }\n\n  cool() {\n  }\n}\nfunction stack() {\n}\n';
    const units = outlined(text, [
      [1, 2, 'src/kiln.Kiln'],
      [3, 5, 'src/kiln.Kiln.fire'],
      [7, 9, 'src/kiln.Kiln.cool'],
      [10, 11, 'src/kiln.stack'],
    ]);
    expect(units).toEqual(['1:1-9 Kiln', '  3:3-5 fire', '  7:7-8 cool', '10:10-11 stack']);
  });

  it('do not begin again where a container goes on behind a member', () => {
    const text = 'class Shed:\n    def open(self):\n        pass\n    size = 3\n    def shut(self):\n        pass\n';
    const units = outlined(text, [
      [1, 1, 'shed.Shed'],
      [2, 3, 'shed.Shed.open'],
      [4, 4, 'shed.Shed'],
      [5, 6, 'shed.Shed.shut'],
    ]);
    expect(units).toEqual(['1:1-6 Shed', '  2:2-3 open', '  5:5-6 shut']);
  });

  it('are two where a name is declared twice', () => {
    const text = 'struct Bowl {\n    size: u8,\n}\nimpl Bowl {\n    fn wash(&self) {}\n}\n';
    const units = outlined(text, [
      [1, 3, 'Bowl'],
      [4, 4, 'Bowl'],
      [5, 6, 'Bowl::wash'],
    ]);
    expect(units).toEqual(['1:1-3 Bowl', '4:4-6 Bowl', '  5:5-5 wash']);
  });

  it('are declared behind their comments and attributes, even where a comment has the name', () => {
    const text =
      '/** glaze coats a pot. */\n@cached\nexport function glaze() {\n}\n# pour fills a mould\ndef pour():\n    pass\n#[cfg_attr(\n    docs,\n    doc = "a dip"\n)]\nfn dip() {}\n';
    expect(
      outlined(text, [
        [1, 4, 'pots.glaze'],
        [5, 7, 'pots.pour'],
        [8, 12, 'dip'],
      ]),
    ).toEqual(['1:3-4 glaze', '5:6-7 pour', '8:12-12 dip']);
  });

  it('keep the titles of tests and the paths of routes whole', () => {
    const text =
      "describe('a kiln v2.0', () => {\n  it('heats, e.g. to 900 degrees', () => {});\n});\napp.get('/pots', f);\n";
    const units = outlined(text, [
      [1, 1, 'src/kiln.test.a kiln v2.0'],
      [2, 3, 'src/kiln.test.a kiln v2.0.heats, e.g. to 900 degrees'],
      [4, 4, 'src/kiln.test.GET /pots'],
    ]);
    expect(units).toEqual(['1:1-3 a kiln v2.0', '  2:2-2 heats, e.g. to 900 degrees', '4:4-4 GET /pots']);
  });

  it('name an implementation of a trait after its type', () => {
    const text = 'impl<T> fmt::Display for Tray<T> {\n    fn fmt(&self) {}\n}\n';
    const units = outlined(text, [
      [1, 1, '<Tray<T> as fmt::Display>'],
      [2, 3, '<Tray<T> as fmt::Display>::fmt'],
    ]);
    expect(units).toEqual(['1:1-3 Tray', '  2:2-2 fmt']);
  });

  it.each([
    [
      'typescript',
      'import x from "y";\nexport const HEAT = 900;\nlet pots: Pot[] = [\n  1,\n];\nrun();\n',
      ['2-2 HEAT', '3-5 pots'],
    ],
    [
      'python',
      '"""Pots."""\nHEAT = 900\nPOTS: list[str] = [\n    "a",\n]\nif HEAT == 3:\n    x = 1\n',
      ['2-2 HEAT', '3-5 POTS'],
    ],
    ['c', '#include "pot.h"\n#define HEAT 900\nstatic const int pots[] = {\n  1,\n};\n', ['2-2 HEAT', '3-5 pots']],
    ['c', 'extern int most;\nstruct pot;\nstatic char *pots[3];\nstruct pot *best;\n', ['3-3 pots', '4-4 best']],
    ['go', 'package pots\nconst Heat = 900\nvar pots = map[string]int{\n\t"a": 1,\n}\n', ['2-2 Heat', '3-5 pots']],
    ['kotlin', 'package pots\nprivate const val HEAT = 900\nval pots = listOf(\n  1,\n)\n', ['2-2 HEAT', '3-5 pots']],
  ])('include the constants beside the units of %s', (lang, text, expected) => {
    const lines = new LineIndex(text).count;
    const units = unitsOf(blocksOf(text, [[1, lines, '<top-level>']], lang), text);
    expect(units.map(({ start, end, name }) => `${start}-${end} ${name}`)).toEqual(expected);
  });

  it('of prose are its sections, each to the next one of its level', () => {
    const text = '# Clay\n\na\n\n## Red\n\nb\n\n### Fine\n\nc\n\n## White\n\nd\n';
    const units = outlined(text, [
      [1, 1],
      [5, 2],
      [9, 3],
      [13, 2],
    ]);
    expect(units).toEqual(['1:1-15 Clay', '  5:5-12 Red', '    9:9-12 Fine', '  13:13-15 White']);
  });

  it('have pages where the document has no lines', () => {
    const text = 'Results\nmany\n';
    const [heading] = blocksOf(text, [[1, 1]]);
    const paged = { ...heading, sourceSpan: { kind: 'page', page: 3, char_start: null, char_end: null } } as Block;
    expect(hasFileLines([paged])).toBe(false);
    expect(unitsOf([paged], text)).toMatchObject([{ name: 'Results', at: 'page 3' }]);
  });
});

describe('a private method', () => {
  it('is declared on its own line, which begins with the sign of a comment in other languages', () => {
    const text = 'class Kiln {\n  #fire() {\n    this.#fire;\n  }\n}\n';
    const units = outlined(text, [
      [1, 1, 'src/kiln.Kiln'],
      [2, 5, 'src/kiln.Kiln.#fire'],
    ]);
    expect(units).toEqual(['1:1-5 Kiln', '  2:2-4 fire']);
  });
});

describe('a whole word', () => {
  it.each([
    ['heat', 'heat(); preheat(); heater; heat_up; $heat', 1],
    ['$pot', 'x.$pot + $pots', 1],
    ['größe', 'größe = übergröße', 1],
    ['a.b', 'a.b axb', 1],
  ])('%s is found alone', (name, text, count) => {
    expect(text.match(wordPattern(name, 'gu'))).toHaveLength(count);
  });
});
