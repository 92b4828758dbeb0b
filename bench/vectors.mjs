// The embedded vector store: how fast it writes, opens and answers, and how well, as ratios to a plain scan over a Float32Array
// and to an empty Node process in the same run.
//   node bench/vectors.mjs [vectors ...]        default 100000; 500000 needs 3 GB of memory and 1.5 GB of disk
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = path.join(root, 'plugins/vectors-local/dist/bench');
const DIMENSIONS = 384;
const NAME = 'chunk_embeddings_bench';
const COLD_RUNS = 15;

const sizes = process.argv.slice(2).map(Number);
const plugin = await buildPlugin();
for (const size of sizes.length > 0 ? sizes : [100_000]) await measure(size);
rmSync(outDir, { recursive: true, force: true });

/** The plugin as it is shipped: one CommonJS file. */
async function buildPlugin() {
  const graph = await rolldown({
    cwd: root,
    input: { store: 'plugins/vectors-local/src/index.ts' },
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] },
    external: [/^better-sqlite3/],
    treeshake: { moduleSideEffects: false },
    onLog: (level, log, handle) => (level === 'warn' ? undefined : handle(level, log)),
  });
  await graph.write({
    dir: outDir,
    format: 'cjs',
    exports: 'named',
    dynamicImportInCjs: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
  });
  await graph.close();
  return createRequire(import.meta.url)(path.join(outDir, 'store.cjs')).default;
}

async function measure(size) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-bench-'));
  try {
    const file = path.join(folder, 'kebab.sqlite');
    const corpus = makeCorpus(size);
    console.log(`${size} vectors of ${DIMENSIONS} dimensions`);
    await measureWrites(file, corpus);
    const filters = makeFilters(corpus, folder);
    const scanMs = await measureWarm(file, corpus, filters);
    console.log(`  plain Float32Array scan, top 10: ${scanMs.toFixed(1)} ms`);
    measureCold(file, filters);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unit vectors around 1,000 centres, with ids; eight chunks a document. */
function makeCorpus(size) {
  const random = numbers(7);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const noise = Float32Array.from({ length: 1 << 20 }, gauss);
  const centres = Array.from({ length: 1000 }, () => Float32Array.from({ length: DIMENSIONS }, gauss));
  const vectors = new Float32Array(size * DIMENSIONS);
  const fill = (vector) => {
    const centre = centres[Math.floor(random() * centres.length)];
    const from = Math.floor(random() * (noise.length - DIMENSIONS));
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += (vector[at] = centre[at] + 0.9 * noise[from + at]) ** 2;
    for (let at = 0; at < DIMENSIONS; at++) vector[at] /= Math.sqrt(sum);
    return vector;
  };
  for (let n = 0; n < size; n++) fill(vectors.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS));
  const queries = Array.from({ length: size > 200_000 ? 20 : 100 }, () => fill(new Float32Array(DIMENSIONS)));
  return {
    size,
    vectors,
    embeddingIds: randomIds(size),
    chunkIds: randomIds(size),
    docIds: randomIds(Math.ceil(size / 8)),
    queries,
  };
}

function randomIds(count) {
  return Array.from({ length: count }, () => randomBytes(16).toString('hex'));
}

function numbers(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

async function measureWrites(file, { size, vectors, embeddingIds, chunkIds, docIds }) {
  const store = await open(file, false);
  await store.ensureCollection(NAME, DIMENSIONS);
  const started = performance.now();
  const cpu = process.cpuUsage();
  for (let at = 0; at < size; at += 256) {
    const records = Array.from({ length: Math.min(256, size - at) }, (_, n) => ({
      embeddingId: embeddingIds[at + n],
      chunkId: chunkIds[at + n],
      docId: docIds[(at + n) >> 3],
      vector: vectors.subarray((at + n) * DIMENSIONS, (at + n + 1) * DIMENSIONS),
    }));
    await store.upsert(NAME, records);
  }
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  store.close();
  const megabytes = statSync(file).size / 1e6;
  console.log(
    `  upsert, 256 a call: ${Math.round(size / seconds)} vectors/s (CPU ${((user + system) / size).toFixed(0)} µs each), ` +
      `file ${megabytes.toFixed(0)} MB = ${(megabytes / (vectors.byteLength / 1e6)).toFixed(2)} × float32`,
  );
}

function makeFilters({ size, chunkIds, docIds }, folder) {
  const tenth = numbers(11);
  const write = (name, ids) => {
    writeFileSync(path.join(folder, name), ids.join('\n'));
    return path.join(folder, name);
  };
  const chunks = chunkIds.filter(() => tenth() < 0.1);
  const docs = docIds.filter(() => tenth() < 0.1);
  return [
    { title: 'no filter', kind: 'all' },
    { title: '10 % of chunks', kind: 'only', member: 'chunkIds', ids: chunks, file: write('chunks', chunks) },
    { title: 'every chunk', kind: 'only', member: 'chunkIds', ids: chunkIds, file: write('all-chunks', chunkIds) },
    { title: '10 % of documents', kind: 'documents', member: 'docIds', ids: docs, file: write('docs', docs) },
    {
      title: '1,000 chunks',
      kind: 'only',
      member: 'chunkIds',
      ids: chunks.slice(0, 1000),
      file: write('few', chunks.slice(0, 1000)),
    },
  ].filter(({ ids }) => ids === undefined || ids.length <= size);
}

async function measureWarm(file, corpus, filters) {
  const store = await open(file, true);
  const scans = [];
  for (const { title, kind, member, ids } of filters) {
    const allow = () => ({ kind, [member]: new Set(ids) });
    const first = performance.now();
    if (kind === 'all') await store.search(NAME, { vector: corpus.queries[0], limit: 10, allow: { kind } });
    const second = performance.now();
    if (kind === 'all') await store.search(NAME, { vector: corpus.queries[0], limit: 10, allow: { kind } });
    if (kind === 'all')
      console.log(
        `  streamed ${(second - first).toFixed(1)} ms, load and search ${(performance.now() - second).toFixed(1)} ms`,
      );
    const admitted = admittedRows(corpus, { kind, member, ids });
    const times = [];
    const queries = kind === 'all' ? corpus.queries : corpus.queries.slice(0, 30);
    let found = 0;
    for (const vector of queries) {
      const filter = kind === 'all' ? { kind } : allow(); // a new set each time: nothing remembered helps
      const started = performance.now();
      const hits = await store.search(NAME, { vector, limit: 10, allow: filter });
      times.push(performance.now() - started);
      const scanned = performance.now();
      const best = new Set(plainScan(corpus, vector, admitted));
      if (kind === 'all') scans.push(performance.now() - scanned);
      found += hits.filter(({ chunkId }) => best.has(chunkId)).length;
    }
    const ms = median(times);
    console.log(
      `  warm, ${title}: ${ms.toFixed(2)} ms = ${(ms / median(scans)).toFixed(3)} × plain scan, ` +
        `recall@10 ${(found / (10 * queries.length)).toFixed(4)}`,
    );
  }
  const started = performance.now();
  for (const vector of corpus.queries.slice(0, 20))
    await store.search(NAME, { vector, limit: 200, allow: { kind: 'all' } });
  console.log(`  warm, no filter, top 200: ${((performance.now() - started) / 20).toFixed(2)} ms`);
  store.close();
  return median(scans);
}

function admittedRows({ size, chunkIds, docIds }, { kind, member, ids }) {
  const rows = new Uint8Array(size).fill(1);
  if (kind === 'all') return rows;
  const set = new Set(ids);
  for (let n = 0; n < size; n++) rows[n] = set.has(member === 'docIds' ? docIds[n >> 3] : chunkIds[n]) ? 1 : 0;
  return rows;
}

/** What anybody would write: the ten best by a loop over one Float32Array. */
function plainScan({ size, vectors, chunkIds }, query, admitted) {
  const best = [];
  for (let n = 0, at = 0; n < size; n++) {
    if (admitted[n] === 0) {
      at += DIMENSIONS;
      continue;
    }
    let score = 0;
    for (let d = 0; d < DIMENSIONS; d++) score += query[d] * vectors[at++];
    if (best.length === 10 && score <= best[9].score) continue;
    best.push({ score, n });
    best.sort((a, b) => b.score - a.score);
    best.length = Math.min(best.length, 10);
  }
  return best.map(({ n }) => chunkIds[n]);
}

/** A new process for each query: Node, SQLite, opening, the filter read from a file, one search. */
function measureCold(file, filters) {
  const program = ({ kind, member, file: ids }) => `
    const { readFileSync } = require('node:fs');
    const plugin = require(${JSON.stringify(path.join(outDir, 'store.cjs'))}).default;
    const allow = ${kind === 'all' ? `{ kind: 'all' }` : `{ kind: '${kind}', ${member}: new Set(readFileSync(${JSON.stringify(ids)}, 'utf8').split('\\n')) }`};
    const vector = Float32Array.from({ length: ${DIMENSIONS} }, (_, at) => Math.sin(at));
    (async () => {
      const store = await plugin.contributes.vector_store.local({ config: { file: ${JSON.stringify(file)}, readonly: true } });
      const hits = await store.search('${NAME}', { vector, limit: 10, allow });
      if (hits.length !== 10) throw new Error('no hits');
      store.close();
    })();`;
  const programs = [
    { title: 'node -e 0', source: '' },
    ...filters.map((filter) => ({ title: filter.title, source: program(filter) })),
  ];
  const runs = programs.map(() => []);
  for (let run = 0; run < COLD_RUNS; run++)
    for (const [at, { source }] of programs.entries()) runs[at].push(runCold(source));
  for (const [at, { title }] of programs.entries()) {
    const [wall, cpu] = ['wallMs', 'cpuMs'].map((key) => {
      const times = runs[at].map((run) => run[key]);
      const empty = runs[0].map((run) => run[key]);
      const least = (Math.min(...times) / Math.min(...empty)).toFixed(2);
      return `${median(times).toFixed(0)} ms = ${(median(times) / median(empty)).toFixed(2)} × (least ${least} ×)`;
    });
    console.log(`  cold, ${title}: wall ${wall}, CPU ${cpu}`);
  }
}

/** Runs a program in a new process: how long it takes, and how much of it is computing. */
function runCold(source) {
  const tell =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); " +
    "require('node:fs').writeSync(1, String(user + system)); });";
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', tell + source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { wallMs: performance.now() - started, cpuMs: Number(stdout) / 1000 };
}

function open(file, readonly) {
  return plugin.contributes.vector_store.local({ config: { file, readonly } });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
