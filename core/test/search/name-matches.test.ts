import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import type { NamedChunk } from '../../src/contracts/lexical-index.ts';
import type { Passage } from '../../src/contracts/retriever.ts';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import type { Media } from '../../src/domain/kinds.ts';
import {
  declaredName,
  declaringEntries,
  declares,
  isPrototype,
  matchNames,
  type NameMatch,
  putNamedFirst,
  representatives,
} from '../../src/search/name-matches.ts';

const chunk = (workspacePath: string, other: Partial<NamedChunk> = {}): NamedChunk => ({
  chunkId: `${workspacePath}${other.ordinal ?? 0}${other.symbol ?? ''}` as ChunkId,
  docId: workspacePath as DocumentId,
  ordinal: 0,
  workspacePath,
  title: 'A document',
  aliases: [],
  headingPath: [],
  symbol: null,
  ...other,
});

const CHUNKS = [
  chunk('notes/Boiler.md', { title: 'The boiler in the cellar', aliases: ['hot water'] }),
  chunk('notes/Boiler.md', { ordinal: 1, headingPath: ['Boiler', 'How to bleed the pipes'] }),
  chunk('notes/Boiler.md', { ordinal: 2, headingPath: ['Boiler', '2. Filling the boiler'] }),
  chunk('manual/valve-list.rst', { title: 'Valves' }),
  chunk('scans/floor-plan.png', { title: 'floor-plan.png' }),
  chunk('.editorconfig', { title: '.editorconfig' }),
  chunk('src/heating/flow.h', { title: 'flow.h' }),
  chunk('기록/겨울.md', { title: '1월' }),
  chunk('src/flow.ts', { symbol: 'src/flow.FlowMeter.reset' }),
  chunk('src/pressure.rs', { symbol: 'pressure::Gauge::max_bar' }),
  chunk('test/flow.spec.ts', { symbol: 'test/flow.spec.a valve.opens when it is cold' }),
];

/** What a query names, as kind and path. */
async function namedBy(query: string): Promise<readonly string[]> {
  const index = { analyseQuery, named: () => Promise.resolve(CHUNKS) };
  const matches = await matchNames(index, { query: analyseQuery(query), filters: {} });
  return matches.map(
    ({ kind, workspacePath, ordinal }) => `${kind} ${workspacePath}${ordinal === 0 ? '' : `#${ordinal}`}`,
  );
}

describe('matchNames', () => {
  it.each([
    ['valve-list.rst', 'file manual/valve-list.rst'],
    ['manual/valve-list.rst', 'file manual/valve-list.rst'],
    ['floor-plan.png', 'file scans/floor-plan.png'],
    ['FLOOR-PLAN.PNG', 'file scans/floor-plan.png'],
    ['.editorconfig', 'file .editorconfig'],
    ['valve-list', 'document manual/valve-list.rst'],
    ['valve list', 'document manual/valve-list.rst'],
    ['manual/valve-list', 'document manual/valve-list.rst'],
    ['manual valve-list', 'document manual/valve-list.rst'],
    ['manual valve list', 'document manual/valve-list.rst'],
    ['Manual valve-list.rst', 'document manual/valve-list.rst'],
    ['src heating flow', 'document src/heating/flow.h'],
    ['heating flow', 'document src/heating/flow.h'],
    ['기록 겨울', 'document 기록/겨울.md'],
    ['the boiler in the cellar', 'document notes/Boiler.md'],
    ['Hot Water', 'document notes/Boiler.md'],
    ['How to bleed the pipes?', 'heading notes/Boiler.md#1'],
    ['2. Filling the boiler', 'heading notes/Boiler.md#2'],
    ['filling the boiler', 'heading notes/Boiler.md#2'],
    ['FlowMeter.reset', 'symbol src/flow.ts'],
    ['reset()', 'symbol src/flow.ts'],
    ['fn max_bar', 'symbol src/pressure.rs'],
    ['Gauge::max_bar', 'symbol src/pressure.rs'],
    ['opens when it is cold', 'symbol test/flow.spec.ts'],
    ['Opens WHEN it is cold', 'symbol test/flow.spec.ts'],
  ])('finds what "%s" names', async (query, named) => {
    expect(await namedBy(query)).toContain(named);
  });

  it.each([
    'pipes',
    'boiler cellar pipes',
    'how do I bleed the pipes of the boiler',
    'meter',
    '-valve-list.rst',
    'list.rst',
    'when it is cold',
    'is cold',
  ])('finds nothing named by "%s"', async (query) => {
    expect(await namedBy(query)).toEqual([]);
  });
});

describe('putNamedFirst', () => {
  const REPOSITORY = [
    chunk('docs/flow.md', { title: 'Flow' }),
    chunk('src/schema.ts', { symbol: 'src/schema.Report.flow' }),
    chunk('lib/render.py', { symbol: 'lib.render.Gauge' }),
    chunk('pump/gauge.py', { symbol: 'pump.gauge.Gauge' }),
    chunk('src/valve-state.ts', { symbol: 'src/valve-state.ValveState' }),
    chunk('src/a.ts', { symbol: 'src/a.ValveState' }),
    chunk('docs/drain.md', { title: 'Drain' }),
    chunk('src/pipes.ts', { symbol: 'src/pipes.drain' }),
    chunk('pump/rule.py', { symbol: 'pump.rule.rule' }),
    chunk('src/schema.ts', { ordinal: 1, symbol: 'src/schema.Report.rule' }),
  ];
  it.each([
    ['a document before a member of something else', 'flow', 'docs/flow.md'],
    ['a function before a document', 'drain', 'src/pipes.ts'],
    ['what the file is named like', 'Gauge', 'pump/gauge.py'],
    ['what the file is named like, with other separators', 'ValveState', 'src/valve-state.ts'],
    ['a function before a member', 'rule', 'pump/rule.py'],
    ['a member by its whole name', 'Report.flow', 'src/schema.ts'],
    ['a file before everything', 'render.py', 'lib/render.py'],
  ])('puts first %s', async (_, query, path) => {
    const index = { analyseQuery, named: () => Promise.resolve(REPOSITORY) };
    const named = await matchNames(index, { query: analyseQuery(query), filters: {} });
    const [first] = putNamedFirst([], named);
    expect(first?.chunkId).toBe(REPOSITORY.find(({ workspacePath }) => workspacePath === path)?.chunkId);
  });
});

describe('isPrototype', () => {
  it.each([
    ['pump.h', 'int pump_start(struct pump *p, int bars);', true],
    ['pump.h', '/* Starts { it }. */\nPUMP_API int pump_start(struct pump* p);\nint pump_stop(void);', true],
    ['pump.hpp', 'class Pump;', true],
    ['pump.hpp', 'virtual void start(int bars = 2) = 0;', true],
    ['Pump.java', 'void start(int bars);', true],
    ['pump.rs', 'fn start(&self, bars: u8) -> bool;', true],
    ['pump.ts', 'export function start(bars: string): void;', true],
    ['pump.pyi', 'def start(bars: int) -> None: ...', true],
    ['pump.d.ts', 'export interface Pump {\n  start(): void;\n}', true],
    ['pump.c', 'int pump_start(struct pump *p) {\n  return 1;\n}', false],
    ['pump.c', 'static int bars = 4;', false],
    ['pump.rs', 'pub struct Marker;', false],
    ['pump.ts', 'export type Bars = number;', false],
    ['pump.sql', 'CREATE TABLE pump (bars int);', false],
    ['pump.py', 'def start(bars): pass', false],
  ])('%s: %s', (workspacePath, code, expected) => {
    expect(isPrototype({ workspacePath, code })).toBe(expected);
  });

  it.each([
    ['a definition before its prototype', ['include/pump.h', 'int go(void);'], ['src/pump.c', 'int go(void) { }']],
    ['a definition before its stub', ['lib/pump.pyi', 'def go(): ...'], ['lib/pump.py', 'def go(): return 1']],
    ['a definition before its types', ['types/pump.d.ts', 'go(): void;'], ['lib/pump.js', 'function go() {}']],
    ['code of a project before its examples', ['examples/a.c', 'int go() { }'], ['src/deep/pump.c', 'int go() { }']],
  ])('puts %s', (_, ...files) => {
    const symbols = files.map(([path = '']) => chunk(path, { symbol: 'go' }));
    const passages = new Map(
      files.map(([workspacePath = '', code = ''], at) => {
        return [symbols[at]?.chunkId ?? ('' as ChunkId), { workspacePath, code, kind: 'content' as const }];
      }),
    );
    const matches = symbols.map((one): NameMatch => ({ ...one, kind: 'symbol', isExact: true }));
    const [first] = putNamedFirst([], representatives(matches, passages));
    expect(first?.chunkId).toBe(symbols[1]?.chunkId);
  });
});

describe('declares', () => {
  it.each([
    ['const int MAX_BAR[] = {1};', true],
    ['pub static MAX_BAR: u8 = 4;', true],
    ['#define MAX_BAR 4', true],
    ['MAX_BAR = 4', true],
    ['  MAX_BAR: 4', true],
    ['| `MAX_BAR` | the limit |', true],
    ['- `MAX_BAR`: the limit', true],
    ['.. data:: MAX_BAR', true],
    ['    def MAX_BAR(self):', true],
    ['    async def MAX_BAR(self):', true],
    ['  async function MAX_BAR() {', true],
    ['    class MAX_BAR(Base):', true],
    ['        fn MAX_BAR<T>(bar: T) {', true],
    ['  class MAX_BAR extends Bar {', true],
    ['static int *MAX_BAR[SIZE][2];', true],
    ['unsigned low, MAX_BAR, high;', true],
    ['    private final Gauge MAX_BAR;', true],
    ['  @Published internal val MAX_BAR: Int,', true],
    ['typedef enum { LOW, MAX_BAR } bar;', true],
    ['enum bar {\n  LOW, /* none */\n  MAX_BAR = 4 };', true],
    ['        case MAX_BAR:', false],
    [' * as for the following MAX_BAR: none', false],
    ['    // like MAX_BAR = 4', false],
    ['return MAX_BAR;', false],
    ['    use MAX_BAR;', false],
    ['the class MAX_BAR of boats', false],
    ['class MAX_BAR of boats', false],
    ['if (bar > MAX_BAR) stop();', false],
    ['MAX_BAR == bar', false],
    ['MAX_BAR_TWO = 4', false],
  ])('in "%s": %s', (text, expected) => {
    expect(declares(text, 'MAX_BAR')).toBe(expected);
  });
});

describe('declaringEntries', () => {
  const entriesOf = (query: string, text: string, media: Media = 'text'): readonly (boolean | undefined)[] => {
    const { headingPath, symbol, title, ...place } = chunk('manual/pumps.rst');
    const passage = { ...place, headingPath, symbol, title, media, text } as unknown as Passage;
    const name = declaredName(query);
    return name === null ? [] : declaringEntries([passage], name).map(({ isMain }) => isMain);
  };

  it.each<[string, string, boolean[]]>([
    ['flow.Gauge', '.. class:: Gauge(pump, *, bar=3)\n\n   Measures.', [true]],
    ['Gauge.reset_all', '   .. py:method:: reset_all()', [true]],
    ['flow::Gauge', '.. cpp:class:: heating::Gauge', [true]],
    ['flow.Gauge()', '.. class:: flow.Gauge', [true]],
    ['flow.Gauge', '.. class:: GaugeRow', []],
    ['flow.Gauge', 'a Gauge = 3', []],
    ['MAX_BAR', '.. data:: MAX_BAR', [true]],
    ['MAX_BAR', '- `MAX_BAR`: the limit', [false]],
    ['gauge', '.. class:: gauge', []],
    ['the flow.Gauge', '.. class:: Gauge', []],
  ])('of "%s" in "%s": %j', (query, text, expected) => {
    expect(entriesOf(query, text)).toEqual(expected);
  });

  it('puts a directive before an entry of a list, and what the name is the title or a heading of between them', () => {
    const at = (path: string, kind: NameMatch['kind'], isMain: boolean): NameMatch => {
      return { ...chunk(path), kind, isExact: true, isMain };
    };
    const named = [at('list.md', 'entry', false), at('setting.md', 'heading', true), at('manual.rst', 'entry', true)];
    const repeated = at('setting.md', 'entry', false);
    named.push(at('guide.md', 'document', false));
    expect(putNamedFirst([], [repeated, ...named]).map(({ chunkId }) => chunkId)).toEqual(
      ['manual.rst', 'guide.md', 'setting.md', 'list.md'].map((path) => chunk(path).chunkId),
    );
  });
});
