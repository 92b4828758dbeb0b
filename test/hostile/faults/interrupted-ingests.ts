import { startFakeOllama } from '@kebab/ollama-kit/testing';
import { vectorsFrom } from '../servers/vector-home.ts';
import { sampleOf, type Area, type Bench, type Outcome } from '../harness/area.ts';
import { FaultHome, type Fault, type FaultCounts, type Files } from './fault-home.ts';

const text = (name: string, extra = ''): string =>
  `---\ntags: [t/${name}]\n---\n# ${name}\n\nAbout ${name}. ${extra}\n\n## More\n\n${`A sentence on ${name}. `.repeat(60)}\n`;
const filesOf = (names: readonly string[], extra = ''): Files =>
  Object.fromEntries(names.map((name) => [`${name.slice(0, 1)}/${name}.md`, text(name, extra)]));

const OLD = filesOf(['apple', 'pear', 'plum', 'quince', 'cherry', 'grape']);
/** One file is new, one changed, one deleted, one moved; the others stay. */
const NEW: Files = {
  ...filesOf(['apple', 'plum', 'cherry']),
  ...filesOf(['pear', 'fig'], 'Changed.'),
  'moved/quince.md': text('quince'),
};

type FaultsOf = (counts: FaultCounts) => readonly Fault[];

const each = (count: number, faultOf: (nth: number) => readonly Fault[]): readonly Fault[] =>
  Array.from({ length: count }, (_, i) => faultOf(i + 1)).flat();

/** Kills before and after every commit, after every fourth writing statement, and before every file change. */
const kills: FaultsOf = ({ sqlite, commit, write }) => [
  ...each(commit, (nth) => [
    { layer: 'commit', nth, action: 'kill-before' },
    { layer: 'commit', nth, action: 'kill-after' },
  ]),
  ...each(sqlite, (nth) => (nth % 4 === 0 ? [{ layer: 'sqlite', nth, action: 'kill-after' }] : [])),
  ...each(write, (nth) => [{ layer: 'write', nth, action: 'kill-before' }]),
];

const SQLITE_ERRORS = ['SQLITE_IOERR_WRITE', 'SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_BUSY', 'SQLITE_READONLY'];

/** Errors at every commit, every third statement and every file change, once or from there on. */
const errors: FaultsOf = ({ sqlite, commit, write }) => [
  ...each(commit, (nth) => [
    { layer: 'commit', nth, action: 'throw', code: 'SQLITE_FULL' },
    { layer: 'commit', nth, action: 'throw-on', code: 'SQLITE_IOERR_WRITE' },
  ]),
  ...each(sqlite, (nth) => {
    const code = SQLITE_ERRORS[nth % SQLITE_ERRORS.length] ?? 'SQLITE_FULL';
    return nth % 3 === 0 ? [{ layer: 'sqlite', nth, action: nth % 2 === 0 ? 'throw' : 'throw-on', code }] : [];
  }),
  ...each(write, (nth) => [
    { layer: 'write', nth, action: 'throw', code: 'EIO' },
    { layer: 'write', nth, action: 'throw-on', code: 'ENOSPC' },
  ]),
];

const reads: FaultsOf = ({ read }) =>
  each(read, (nth) => [{ layer: 'read', nth, action: 'throw', code: nth % 2 === 0 ? 'EIO' : 'EACCES' }]);

const SWAPS = ['gone', 'emptied', 'longer', 'pipe', 'zeros', 'folder', 'loop', 'binary'];

const JUMPS = [-1e12, -86_400_000, -1000, 1000, 86_400_000, 1e12, 2e14];

const clocks: FaultsOf = ({ clock }) =>
  each(Math.min(clock, 8), (nth) => JUMPS.map((jump) => ({ layer: 'clock', nth, action: 'swap', code: String(jump) })));

/** The label of a fault. */
function nameOf({ layer, nth, action, code = '', swap = '' }: Fault): string {
  return `${layer} ${nth}: ${action} ${code}${swap}`.trim();
}

function faultArea(name: string, scenarios: Readonly<Record<string, readonly [Files, Files, FaultsOf]>>): Area {
  return {
    name,
    isLong: true,
    async *replay(bench) {
      for (const [scenario, [before, after, faultsOf]] of Object.entries(scenarios))
        yield* replayScenario(bench, { scenario, before, after, faultsOf });
    },
  };
}

interface Scenario {
  readonly scenario: string;
  readonly before: Files;
  readonly after: Files;
  readonly faultsOf: FaultsOf;
}

async function* replayScenario(bench: Bench, { scenario, before, after, faultsOf }: Scenario): AsyncGenerator<Outcome> {
  const home = await FaultHome.prepare(bench.cli, { before, after });
  try {
    for (const fault of bench.pick(faultsOf(home.counts)))
      yield { name: `${scenario}, ${nameOf(fault)}`, problem: await home.outcomeOf(fault) };
  } finally {
    home.remove();
  }
}

/** Faults sampled from the whole ingest: each needs three commands with a model. */
const MAX_WITH_VECTORS = 100;

/** The same while vectors are written: after the last point that an ingest without vectors reaches. */
const WITH_VECTORS: Area = {
  name: 'faults: while vectors are written',
  isLong: true,
  async *replay(bench): AsyncGenerator<Outcome> {
    const lexical = await FaultHome.prepare(bench.cli, { before: OLD, after: NEW });
    const { counts: before } = lexical;
    lexical.remove();
    const model = await startFakeOllama();
    const home = await FaultHome.prepare(bench.cli, { before: OLD, after: NEW, env: vectorsFrom(model.url) });
    try {
      const all = [...kills(home.counts), ...errors(home.counts)].filter(({ layer, nth }) => nth > before[layer]);
      const spread = sampleOf(all, MAX_WITH_VECTORS);
      for (const fault of bench.pick(spread)) yield { name: nameOf(fault), problem: await home.outcomeOf(fault) };
    } finally {
      home.remove();
      await model.close();
    }
  },
};

/** Files that change just as they are read: the change stays, so the next run has nothing to be compared with. */
const SWAPPED: Area = {
  name: 'faults: files that change while they are read',
  isLong: true,
  async *replay(bench): AsyncGenerator<Outcome> {
    const fault = await FaultHome.prepare(bench.cli, { before: OLD, after: NEW });
    const all = each(fault.counts.read, (nth) =>
      [0, 3].map((turn) => ({
        layer: 'read',
        nth,
        action: 'swap',
        swap: SWAPS[(nth + turn) % SWAPS.length] ?? 'gone',
      })),
    );
    try {
      for (const swapped of bench.pick(all))
        yield { name: nameOf(swapped), problem: await fault.outcomeOf(swapped, { isFinal: false }) };
    } finally {
      fault.remove();
    }
  },
};

/** Ingests that are killed, or that fail to write or read, at every point where they do. */
export const INTERRUPTED_INGESTS: readonly Area[] = [
  faultArea('faults: kill -9', { 'the first ingest': [{}, NEW, kills], 'a later ingest': [OLD, NEW, kills] }),
  faultArea('faults: I/O errors and full disks', {
    'the first ingest': [{}, NEW, errors],
    'a later ingest': [OLD, NEW, errors],
  }),
  WITH_VECTORS,
  faultArea('faults: files that cannot be read', { 'a later ingest': [OLD, NEW, reads] }),
  faultArea('faults: clocks that jump', { 'a later ingest': [OLD, NEW, clocks] }),
  SWAPPED,
];
