import { rmSync } from 'node:fs';
import { startFakeOllama } from '@kebab/ollama-kit/testing';
import type { Point as StoredPoint } from '../../../plugins/vectors-qdrant/test/fake-collection.ts';
import { startFakeQdrant } from '../../../plugins/vectors-qdrant/test/fake-qdrant.ts';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { DOCUMENTS } from '../inputs/knowledge-base.ts';
import { HostileProxy, type Misbehaviour } from './hostile-proxy.ts';
import { badAnswers, changed, MISBEHAVIOURS, type BadAnswer } from './misbehaviours.ts';
import { ingestIn, replaySearches, vectorsFrom, type OverProxy } from './vector-home.ts';

interface Point {
  readonly id: string;
  readonly score?: number;
  readonly payload?: object;
}

const FOREIGN = '01234567-89ab-4cde-8f01-23456789abcd';
const result = (change: (found: never, body: string) => unknown): Misbehaviour =>
  changed(({ result: found, ...rest }: { readonly result: never }, body) => ({ ...rest, result: change(found, body) }));
const points = (change: (point: Point, at: number) => unknown): Misbehaviour =>
  result((found: { readonly points: readonly Point[] }) => ({ ...found, points: found.points.map(change) }));
/** As many points as the request asks for. */
const asMany = (pointOf: (at: number) => unknown): Misbehaviour =>
  result((_, body) => {
    const { limit } = JSON.parse(body) as { readonly limit: number };
    return { points: Array.from({ length: Math.min(limit, 100_000) }, (__, at) => pointOf(at)) };
  });

/** Points that are invalid, or not of this knowledge base. */
const BAD_POINTS: Readonly<Record<string, Misbehaviour>> = {
  'finds points of another knowledge base': points((point) => ({ ...point, id: FOREIGN })),
  'finds points whose ids are numbers': points((point, at) => ({ ...point, id: at })),
  'finds points whose ids are null': points((point) => ({ ...point, id: null })),
  'finds points whose ids are objects': points((point) => ({ ...point, id: {} })),
  'finds points whose ids are SQL': points((point) => ({ ...point, id: "' OR 1=1 --" })),
  'finds points without an id': points((point) => ({ ...point, id: undefined })),
  'finds points without a payload': points((point) => ({ ...point, payload: undefined })),
  'finds points whose payload is null': points((point) => ({ ...point, payload: null })),
  'finds points of another embedding': points((point) => ({ ...point, payload: { embedding_id: 'f'.repeat(32) } })),
  'finds points whose embedding is an object': points((point) => ({ ...point, payload: { embedding_id: {} } })),
  'finds points without a score': points((point) => ({ ...point, score: undefined })),
  'finds points whose score is null': points((point) => ({ ...point, score: null })),
  'finds points whose score is a text': points((point) => ({ ...point, score: 'NaN' })),
  'finds points whose score is enormous': points((point) => ({ ...point, score: 1e308 })),
  'finds points whose score is negative': points((point) => ({ ...point, score: -7 })),
  'finds points that are null': points(() => null),
  'finds points that are texts': points(() => 'point'),
  'finds the same point again and again': result((found: { readonly points: readonly Point[] }) => ({
    points: Array.from({ length: 500 }, () => found.points[0]),
  })),
  'finds as many points of one score as it is asked for': asMany(() => ({ id: FOREIGN, score: 0.5, payload: { embedding_id: 'x' } })),
  'finds ever more points of one score': asMany((at) => ({
    id: `${FOREIGN.slice(0, 24)}${at.toString(16).padStart(12, '0')}`,
    score: 0.5,
    payload: { embedding_id: at.toString(16).padStart(32, '0') },
  })),
  'finds points from the worst to the best': result((found: { readonly points: readonly Point[] }) => ({
    points: found.points.toReversed(),
  })),
  'finds points that are an object': result(() => ({ points: { length: 7 } })),
  'finds nothing at all': result(() => ({ points: [] })),
  'finds null': result(() => null),
}; // prettier-ignore

type Shape = { readonly config: { readonly params: object } };
const BAD_SHAPES: Readonly<Record<string, Misbehaviour>> = {
  'has other dimensions': result((shape: Shape) => ({ ...shape, config: { params: { vectors: { dense: { size: 3 } } } } })),
  'has dimensions in letters': result((shape: Shape) => ({ ...shape, config: { params: { vectors: { dense: { size: '64' } } } } })),
  'has no shape': result(() => ({})),
  'has no vectors': result((shape: Shape) => ({ ...shape, config: { params: {} } })),
  'has fields that are a list': result((shape: Shape) => ({ ...shape, payload_schema: [] })),
  'has fields that are null': result((shape: Shape) => ({ ...shape, payload_schema: null })),
}; // prettier-ignore

const BAD_COUNTS: Readonly<Record<string, Misbehaviour>> = Object.fromEntries(
  [-1, 'x', 1e9, null, {}, 0.5].map((count) => [`counts ${JSON.stringify(count)}`, result(() => ({ count }))]),
);

const BAD_PAGES: Readonly<Record<string, Misbehaviour>> = {
  'pages in a circle': result((page: object) => ({ ...page, next_page_offset: FOREIGN })),
  'pages without points': result(() => ({ points: [], next_page_offset: FOREIGN })),
  'pages of points without ids': result(() => ({ points: [{}, null, 7], next_page_offset: null })),
  'pages of points of others': result(() => ({ points: [{ id: FOREIGN, payload: { embedding_id: 'x' } }], next_page_offset: null })),
}; // prettier-ignore

const BAD_VERSIONS: Readonly<Record<string, Misbehaviour>> = Object.fromEntries(
  ['', '0.1', 'x', '999999.0.0', 7, null, '\u001b[2J', 'x'.repeat(100_000)].map((version) => [
    `is of version ${JSON.stringify(version)?.slice(0, 20)}`,
    changed((value: object) => ({ ...value, version })),
  ]),
);

const few = (count: number, from: number): Readonly<Record<string, Misbehaviour>> =>
  Object.fromEntries(Object.entries(MISBEHAVIOURS).filter((_, i) => i % count === from));

const BAD_INGESTS: readonly BadAnswer[] = [
  ...badAnswers(/^PUT \/collections\/[^/]+\/points/, few(2, 0)),
  ...badAnswers(/^GET \/collections\/[^/]+$/, { ...few(4, 1), ...BAD_SHAPES }),
  ...badAnswers(/^POST \/collections\/[^/]+\/points\/scroll/, { ...few(8, 3), ...BAD_PAGES }),
  ...badAnswers(/^POST \/collections\/[^/]+\/points\/count/, { ...few(8, 5), ...BAD_COUNTS }),
  ...badAnswers(/^GET \/collections$/, few(6, 1)),
  ...badAnswers(/^GET \/$/, { ...few(6, 0), ...BAD_VERSIONS }),
];

const QUERY = /^POST \/collections\/[^/]+\/points\/query/;

/** A search with false points falls back to words, or finds nothing that does not exist; the next one is complete again. */
const QUERIES: Area = {
  name: 'servers: searches of Qdrant',
  replay: (bench) =>
    overQdrant(bench, (over) => replaySearches(bench, over, badAnswers(QUERY, { ...MISBEHAVIOURS, ...BAD_POINTS }))),
};

/** Bad ingests before one with a sound server. */
const GROUP = 4;

const INGESTS: Area = {
  name: 'servers: ingests into Qdrant',
  isLong: true,
  replay: (bench) =>
    overQdrant(bench, async function* ({ home, env, proxy, count }): AsyncGenerator<Outcome> {
      const bad = bench.pick(BAD_INGESTS);
      for (const [turn, { name, route, answer }] of bad.entries()) {
        home.write(`new-${turn}.md`, `# New\n\nWhat no server has been sent before: ${'x'.repeat(turn + 1)}.\n`);
        proxy.misbehave(route, answer);
        const problem = (await ingestIn(bench, { home, env })) ?? proxy.strayed();
        const isLast = turn % GROUP === GROUP - 1 || turn === bad.length - 1;
        if (isLast) proxy.misbehave(route, null);
        const unrepaired = isLast ? await ingestIn(bench, { home, env, pending: 0, stored: count }) : null;
        yield { name, problem: problem ?? unrepaired };
      }
    }),
};

const kept: Readonly<Record<string, (sent: StoredPoint, at: number) => StoredPoint | null>> = {
  'nothing': () => null,
  'every second point': (sent, at) => (at % 2 === 0 ? sent : null),
  'all points but a few': (sent, at) => (at % 20 === 19 ? null : sent),
  'all points but the last of a call': (sent, at) => (at === 255 ? null : sent),
  'points under other ids': (sent) => ({ ...sent, id: FOREIGN }),
  'other vectors': (sent) => ({ ...sent, vector: { dense: sent.vector['dense']?.map((x) => -x) ?? [] } }),
  'vectors of zeros': (sent) => ({ ...sent, vector: { dense: sent.vector['dense']?.map(() => 0) ?? [] } }),
  'vectors of three numbers': (sent) => ({ ...sent, vector: { dense: [1, 0, 0] } }),
  'points without vectors': (sent) => ({ ...sent, vector: {} }),
  'points without what they carry': (sent) => ({ ...sent, payload: null }),
  'points of another embedding': (sent) => ({ ...sent, payload: { ...sent.payload, embedding_id: 'f'.repeat(32) } }),
}; // prettier-ignore

const CHUNKS = 300;

/**
 * A server that confirms points but stores others, or none: documents stay pending, the report says so, and a sound server receives the
 * missing points.
 */
const LIARS: Area = {
  name: 'servers: Qdrant that confirms what it does not keep',
  replay: (bench) =>
    overQdrant(bench, async function* ({ home, env: hasty, count, keep }): AsyncGenerator<Outcome> {
      const env = { ...hasty, KEBAB_STORAGE_QDRANT_TIMEOUT_S: '20' }; // none of these servers hangs
      for (const [name, keepOf] of bench.pick(Object.entries(kept))) {
        let at = 0;
        keep((sent) => keepOf(sent, at++));
        const text = (i: number): string => `## Part ${i}\n\nWhat no server has been sent before: ${name}, ${i}.\n`;
        home.write('new.md', `# New\n\n${Array.from({ length: CHUNKS }, (_, i) => text(i)).join('\n')}`);
        const bad = await ingestIn(bench, { home, env, isDegraded: true });
        keep((sent) => sent);
        const good = await ingestIn(bench, { home, env, pending: 0, stored: count, isDegraded: false });
        yield { name: `confirms and keeps ${name}`, problem: bad ?? good };
      }
    }),
};

interface OverQdrant extends OverProxy {
  /** The points that the sound server holds. */
  readonly count: () => number;
  /** Sets what the server stores of each point from now on. */
  readonly keep: (keepOf: (sent: StoredPoint) => StoredPoint | null) => void;
}

async function* overQdrant(bench: Bench, use: (over: OverQdrant) => AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  let keepOf = (sent: StoredPoint): StoredPoint | null => sent;
  const keeping = startFakeQdrant({ keep: (sent) => keepOf(sent) });
  const [model, sound] = await Promise.all([startFakeOllama(), keeping]);
  const proxy = await HostileProxy.before(sound.url);
  const home = bench.cli.newHome();
  const env = {
    ...vectorsFrom(model.url),
    KEBAB_STORAGE_VECTOR_STORE: 'qdrant',
    KEBAB_STORAGE_QDRANT_URL: proxy.url,
    KEBAB_STORAGE_QDRANT_API_KEY: 'a-key-of-the-replay',
    KEBAB_STORAGE_QDRANT_TIMEOUT_S: '3',
  };
  const count = (): number => [...sound.collections.values()].reduce((sum, each) => sum + each.points.size, 0);
  try {
    for (const [file, text] of Object.entries(DOCUMENTS)) home.write(file, text);
    const patient = { ...env, KEBAB_STORAGE_QDRANT_TIMEOUT_S: '60' }; // nothing is bad yet, but the machine may be busy
    const problem = await ingestIn(bench, { home, env: patient, pending: 0, stored: count });
    if (problem !== null) throw new Error(`the documents could not be indexed: ${problem}`);
    yield* use({ home, env, proxy, count, keep: (next) => void (keepOf = next) });
  } finally {
    proxy.close();
    await Promise.all([model.close(), sound.close()]);
    rmSync(home.folder, { recursive: true, force: true });
  }
}

/** Vector servers. */
export const VECTOR_SERVERS: readonly Area[] = [QUERIES, INGESTS, LIARS];
