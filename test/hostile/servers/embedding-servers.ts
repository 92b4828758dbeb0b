import { rmSync } from 'node:fs';
import { startFakeOllama } from '@kebab/ollama-kit/testing';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { watched } from '../harness/watched-process.ts';
import { DOCUMENTS } from '../inputs/knowledge-base.ts';
import { HostileProxy, type Misbehaviour } from './hostile-proxy.ts';
import { badAnswers, changed, MISBEHAVIOURS, type BadAnswer } from './misbehaviours.ts';
import { ingestIn, replaySearches, vectorsFrom, type OverProxy } from './vector-home.ts';

type Vectors = { readonly embeddings: readonly (readonly number[])[] };
const vectors = (change: (vector: readonly number[]) => unknown): Misbehaviour =>
  changed(({ embeddings }: Vectors) => ({ embeddings: embeddings.map(change) }));

/** Answers to a request for vectors, none of which may be accepted. */
const BAD_VECTORS: Readonly<Record<string, Misbehaviour>> = {
  'sends zeros': vectors((vector) => vector.map(() => 0)),
  'sends nulls': vectors((vector) => vector.map(() => null)),
  'sends numbers as texts': vectors((vector) => vector.map(String)),
  'sends lists for numbers': vectors((vector) => vector.map((x) => [x])),
  'sends one null': vectors((vector) => [null, ...vector.slice(1)]),
  'sends one text': vectors((vector) => ['NaN', ...vector.slice(1)]),
  'sends numbers beyond every number': ({ response, sound }) =>
    void response.end(sound.body.toString('utf8').replaceAll(/(?<=[[,])-?[\d.e-]+(?=[\],])/g, '1e999')),
  'sends vectors that are too short': vectors((vector) => vector.slice(1)),
  'sends vectors that are too long': vectors((vector) => [...vector, 1]),
  'sends vectors of no numbers': vectors(() => []),
  'sends null for a vector': vectors(() => null),
  'sends objects for vectors': vectors((vector) => ({ ...vector })),
  'sends texts for vectors': vectors((vector) => JSON.stringify(vector)),
  'sends vectors of a million numbers': vectors(() => Array.from({ length: 1_000_000 }, () => 1)),
  'sends one vector too few': changed(({ embeddings }: Vectors) => ({ embeddings: embeddings.slice(1) })),
  'sends one vector too many': changed(({ embeddings }: Vectors) => ({ embeddings: [...embeddings, embeddings[0]] })),
  'sends no vectors': changed(() => ({ embeddings: [] })),
  'sends an object of vectors': changed(({ embeddings }: Vectors) => ({ embeddings: { ...embeddings } })),
  'sends vectors under another name': changed(({ embeddings }: Vectors) => ({ data: embeddings })),
  'sends an error with status 200': changed(() => ({ error: 'no' })),
};

const factsWith = (facts: object): Misbehaviour =>
  changed((value: { readonly model_info: object }) => ({ ...value, model_info: { ...value.model_info, ...facts } }));

/** Invalid model metadata. */
const BAD_FACTS: Readonly<Record<string, Misbehaviour>> = {
  'says that vectors have minus one number': factsWith({ 'fake.embedding_length': -1 }),
  'says that vectors have a billion numbers': factsWith({ 'fake.embedding_length': 1e9 }),
  'says in letters how long vectors are': factsWith({ 'fake.embedding_length': '64' }),
  'says that its window is one token': factsWith({ 'fake.context_length': 1 }),
  'says that its window has no end': factsWith({ 'fake.context_length': 9e15 }),
  'sends facts that are a list': changed(() => ({ model_info: [], capabilities: 'all' })),
  'sends capabilities that are none': changed((value: object) => ({ ...value, capabilities: [null, {}, 7] })),
};

const SHORT = { KEBAB_MODELS_EMBEDDING_TIMEOUT_S: '3' };
const EMBED = /^POST \/api\/embed/;
const SHOW = /^POST \/api\/show/;

/** A search whose query cannot be embedded falls back to words, and the next one uses vectors again. */
const QUERIES: Area = {
  name: 'servers: vectors of queries',
  replay: (bench) =>
    overBadServer(bench, (over) =>
      replaySearches(bench, over, badAnswers(EMBED, { ...MISBEHAVIOURS, ...BAD_VECTORS })),
    ),
};

const BAD_INGESTS: readonly BadAnswer[] = [
  ...badAnswers(EMBED, { ...MISBEHAVIOURS, ...BAD_VECTORS }),
  ...badAnswers(SHOW, BAD_FACTS),
  ...badAnswers(SHOW, MISBEHAVIOURS).filter((_, i) => i % 2 === 0),
];

/** Bad ingests before one with a sound server. */
const GROUP = 4;

/** An ingest with invalid vectors leaves them pending and says so, and the next one with a sound server computes them. */
const INGESTS: Area = {
  name: 'servers: vectors of documents',
  isLong: true,
  replay: (bench) =>
    overBadServer(bench, async function* ({ home, env, proxy }): AsyncGenerator<Outcome> {
      const bad = bench.pick(BAD_INGESTS);
      for (const [turn, { name, route, answer }] of bad.entries()) {
        home.write(`new-${turn}.md`, `# New\n\nWhat no server has been sent before: ${'x'.repeat(turn + 1)}.\n`);
        proxy.misbehave(route, answer);
        let problem = await ingestIn(bench, { home, env });
        if (problem === null && !proxy.wasAsked) problem = await ingestIn(bench, { home, env }); // the machine was too busy to answer before
        problem ??= proxy.problem();
        const isLast = turn % GROUP === GROUP - 1 || turn === bad.length - 1;
        if (isLast) proxy.misbehave(route, null);
        const unrepaired = isLast ? await ingestIn(bench, { home, env, pending: 0 }) : null;
        yield { name, problem: problem ?? unrepaired };
      }
    }),
};

/** Creates a knowledge base with vectors from a server that can be made to answer badly. */
async function* overBadServer(
  { cli }: Bench,
  use: (over: OverProxy) => AsyncIterable<Outcome>,
): AsyncGenerator<Outcome> {
  const sound = await startFakeOllama();
  const proxy = await HostileProxy.before(sound.url);
  const home = cli.newHome();
  const env = { ...vectorsFrom(proxy.url), ...SHORT };
  try {
    for (const [file, text] of Object.entries(DOCUMENTS)) home.write(file, text);
    const run = await watched(cli.start(['ingest', '--quiet'], { home, env }));
    if (run.code !== 0) throw new Error(`the documents could not be indexed: ${run.stderr}`);
    yield* use({ home, env, proxy });
  } finally {
    proxy.close();
    await sound.close();
    rmSync(home.folder, { recursive: true, force: true });
  }
}

/** Embedding servers. */
export const EMBEDDING_SERVERS: readonly Area[] = [QUERIES, INGESTS];
