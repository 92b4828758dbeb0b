// Measures the embedded vector store: speed of writing, opening and searching, and recall, as ratios to a plain scan of a Float32Array and
// to an empty Node process in the same run. The vectors are mixtures of real ones.
//   node --import ./scripts/run-ts.mjs bench/vectors.mjs [vectors ...]
// By default 100000 vectors; 1000000 of them need 4 GB of memory and 2.3 GB of disk. BENCH_MODEL names a folder of ../shared/models
// (all-MiniLM-L6-v2), BENCH_TEXTS how many texts are embedded (2000).
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { MixedVectors } from './lib/mixed-vectors.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = path.join(root, 'plugins/vectors-local/dist/bench');
const shared = path.join(root, '..', 'shared');
const model = path.join(shared, 'models', process.env['BENCH_MODEL'] ?? 'all-MiniLM-L6-v2');
const NAME = 'chunk_embeddings_bench';
const COLD_RUNS = 7;
const CHANGED = 100;
const LIFE_QUERIES = 40;
const TABLE_LIMITS = [10, 100, 208];

const sizes = process.argv.slice(2).map(Number);
if (!existsSync(model)) {
  console.log(`skipped: ${path.relative(root, model)} is not there`);
  process.exit(0);
}
const plugin = await buildPlugin();
const mixed = await MixedVectors.embed({
  data: path.join(shared, 'data'),
  model,
  texts: Number(process.env['BENCH_TEXTS'] ?? 2000),
  modelDir: outDir,
});
const DIMENSIONS = mixed.dimensions;
for (const size of sizes.length > 0 ? sizes : [100_000]) await measure(size);
rmSync(outDir, { recursive: true, force: true });

/** The plugin as shipped: one CommonJS file. */
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
    measureLife(file, corpus, folder);
    const filters = makeFilters(corpus, folder);
    const scanMs = await measureWarm(file, corpus, filters);
    await measureRecall(file, corpus);
    console.log(`  plain Float32Array scan, top 10: ${scanMs.toFixed(1)} ms`);
    measureCold(file, filters);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unit vectors with ids; eight chunks per document. */
function makeCorpus(size) {
  const vectors = new Float32Array(size * DIMENSIONS);
  for (let n = 0; n < size; n++) mixed.write(n, vectors.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS));
  return {
    size,
    vectors,
    embeddingIds: randomIds(size),
    chunkIds: randomIds(size),
    docIds: randomIds(Math.ceil(size / 8)),
    queries: size > 200_000 ? mixed.queries.filter((_, n) => n % 4 === 0) : mixed.queries,
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
  await measureChanges(store, { file, size, vectors, embeddingIds, chunkIds, docIds });
  store.close();
  const megabytes = statSync(file).size / 1e6;
  console.log(
    `  upsert, 256 a call: ${Math.round(size / seconds)} vectors/s (CPU ${((user + system) / size).toFixed(0)} µs each), ` +
      `file ${megabytes.toFixed(0)} MB = ${(megabytes / (vectors.byteLength / 1e6)).toFixed(2)} × float32`,
  );
}

/** The cost of a small change and of a reader's next search: vectors throughout the collection are rewritten, and deleted and rewritten. */
async function measureChanges(store, { file, size, vectors, embeddingIds, chunkIds, docIds }) {
  const chosen = Array.from({ length: CHANGED }, (_, n) => Math.floor(((n + 0.5) * size) / CHANGED));
  const records = chosen.map((n) => ({
    embeddingId: embeddingIds[n],
    chunkId: chunkIds[n],
    docId: docIds[n >> 3],
    vector: vectors.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS),
  }));
  const ids = records.map(({ embeddingId }) => embeddingId);
  const reader = await open(file, true);
  const search = () => reader.search(NAME, { vector: mixed.queries[0], limit: 10, allow: { kind: 'all' } });
  for (let time = 0; time < 10; time++) await search();
  const [usual, upserted, afterUpsert] = [
    await cpuOf(search),
    await cpuOf(() => store.upsert(NAME, records)),
    await cpuOf(search),
  ];
  const [deleted, afterDelete] = [await cpuOf(() => store.delete(NAME, ids)), await cpuOf(search)];
  const added = await cpuOf(() => store.upsert(NAME, records));
  reader.close();
  console.log(
    `  ${CHANGED} all over the collection, CPU: written again ${upserted}, deleted ${deleted}, added ${added}; ` +
      `a search ${usual}, the next one after writing ${afterUpsert}, after deleting ${afterDelete}`,
  );
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / 1000).toFixed(0)} ms`;
}

/** A process that opens, searches, and searches again: the cost of each, and its memory. */
function measureLife(file, { vectors, size, queries }, folder) {
  const asked = path.join(folder, 'queries');
  writeFileSync(
    asked,
    Buffer.concat(queries.slice(0, LIFE_QUERIES).map((query) => Buffer.from(Float32Array.from(query).buffer))),
  );
  const life = (limit) => `
    const { readFileSync } = require('node:fs');
    const plugin = require(${JSON.stringify(path.join(outDir, 'store.cjs'))}).default;
    const bytes = readFileSync(${JSON.stringify(asked)});
    const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const queries = Array.from({ length: numbers.length / ${DIMENSIONS} }, (_, n) => numbers.slice(n * ${DIMENSIONS}, (n + 1) * ${DIMENSIONS}));
    const spent = async (work) => {
      const [wall, cpu] = [performance.now(), process.cpuUsage()];
      const value = await work();
      const { user, system } = process.cpuUsage(cpu);
      return { value, wallMs: performance.now() - wall, cpuMs: (user + system) / 1000 };
    };
    (async () => {
      const before = process.memoryUsage().rss;
      const opened = await spent(() => plugin.contributes.vector_store.local({ config: { file: ${JSON.stringify(file)}, readonly: true } }));
      const search = (vector) => spent(() => opened.value.search('${NAME}', { vector, limit: ${limit}, allow: { kind: 'all' } }));
      const [first, second, , ...warm] = [await search(queries[0]), await search(queries[1])];
      for (const query of queries) warm.push(await search(query));
      delete opened.value; delete first.value; delete second.value;
      for (const run of warm) delete run.value;
      const rssMb = (process.memoryUsage().rss - before) / 1e6;
      require('node:fs').writeSync(1, JSON.stringify({ opened, first, second, warm, rssMb }));
    })();`;
  const scan = new Float32Array(vectors.buffer, 0, Math.min(size, 100_000) * DIMENSIONS);
  const started = process.cpuUsage();
  for (let round = 0; round < 3; round++)
    plainScan(
      { size: scan.length / DIMENSIONS, vectors: scan, chunkIds: [] },
      queries[0],
      new Uint8Array(size).fill(1),
    );
  const { user } = process.cpuUsage(started);
  const scanMs = ((user / 3000) * size) / (scan.length / DIMENSIONS);
  for (const limit of [10, 208]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', life(limit)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const { opened, first, second, warm, rssMb } = JSON.parse(stdout);
    const told = ({ wallMs, cpuMs }) =>
      `${wallMs.toFixed(0)} ms (CPU ${cpuMs.toFixed(0)} = ${(cpuMs / scanMs).toFixed(3)} × scan)`;
    const at = (key, share) =>
      warm.map((run) => run[key]).toSorted((a, b) => a - b)[Math.floor(share * (warm.length - 1))];
    console.log(
      `  a process, top ${limit}: open ${told(opened)}, first search ${told(first)}, second ${told(second)}, warm p50 ` +
        `${told({ wallMs: at('wallMs', 0.5), cpuMs: at('cpuMs', 0.5) })}, p95 ${told({ wallMs: at('wallMs', 0.95), cpuMs: at('cpuMs', 0.95) })}, ` +
        `memory ${rssMb.toFixed(0)} MB; one plain scan CPU ${scanMs.toFixed(0)} ms`,
    );
  }
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
    const queries = kind === 'all' ? corpus.queries : corpus.queries.slice(0, corpus.size > 200_000 ? 10 : 30);
    let found = 0;
    for (const vector of queries) {
      const filter = kind === 'all' ? { kind } : allow(); // a new set each time, so that no cache helps
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

/** A table of warm searches: lists of three lengths, increasingly selective filters, and recall. */
async function measureRecall(file, corpus) {
  const random = numbers(29);
  const chance = Float32Array.from({ length: corpus.size }, random);
  const ofDocument = Float32Array.from(corpus.docIds, random);
  const filters = [
    { title: 'none', passes: () => true },
    ...[0.5, 0.1, 0.01].map((share) => ({ title: `${share * 100} % of chunks`, passes: (n) => chance[n] < share })),
    { title: '10 % of documents', passes: (n) => ofDocument[n >> 3] < 0.1 },
  ];
  for (const filter of filters)
    filter.allow =
      filter.title === 'none'
        ? { kind: 'all' }
        : { kind: 'only', chunkIds: new Set(corpus.chunkIds.filter((_, n) => filter.passes(n))) };
  const store = await open(file, true);
  const cells = filters.map(({ title }) =>
    TABLE_LIMITS.map((limit) => ({ title, limit, wallMs: [], cpuMs: [], found: 0 })),
  );
  for (const { allow } of filters)
    for (const vector of corpus.queries.slice(0, 3)) await store.search(NAME, { vector, limit: 10, allow });
  const queries = corpus.queries.slice(0, 30);
  const scores = new Float64Array(corpus.size);
  for (const vector of queries) {
    scoreAll(corpus, vector, scores);
    for (const [at, { passes, allow }] of filters.entries()) {
      const best = bestOf(scores, passes, Math.max(...TABLE_LIMITS));
      // Computing the scores has evicted the caches, so the second search of each kind is measured.
      await store.search(NAME, { vector: queries[0], limit: 10, allow });
      for (const cell of cells[at]) {
        const [started, cpu] = [performance.now(), process.cpuUsage()];
        const hits = await store.search(NAME, { vector, limit: cell.limit, allow });
        cell.wallMs.push(performance.now() - started);
        const { user, system } = process.cpuUsage(cpu);
        cell.cpuMs.push((user + system) / 1000);
        const wanted = new Set(best.slice(0, cell.limit).map((n) => corpus.chunkIds[n]));
        cell.found += hits.filter(({ chunkId }) => wanted.has(chunkId)).length / wanted.size;
      }
    }
  }
  store.close();
  console.log('  | filter | top | p50 ms | p95 ms | CPU p50 ms | recall |\n  |---|---|---|---|---|---|');
  for (const { title, limit, wallMs, cpuMs, found } of cells.flat()) {
    const p95 = wallMs.toSorted((a, b) => a - b)[Math.floor(0.95 * (wallMs.length - 1))];
    const told = [median(wallMs), p95, median(cpuMs)].map((ms) => ms.toFixed(1)).join(' | ');
    console.log(`  | ${title} | ${limit} | ${told} | ${(found / queries.length).toFixed(4)} |`);
  }
}

function scoreAll({ size, vectors }, query, scores) {
  for (let n = 0, at = 0; n < size; n++) {
    let score = 0;
    for (let d = 0; d < DIMENSIONS; d++) score += query[d] * vectors[at++];
    scores[n] = score;
  }
}

/** The numbers of the best that pass, best first. */
function bestOf(scores, passes, limit) {
  const best = [];
  for (let n = 0; n < scores.length; n++) {
    if (best.length === limit && scores[n] <= scores[best[limit - 1]]) continue;
    if (!passes(n)) continue;
    let at = best.length;
    while (at > 0 && scores[best[at - 1]] < scores[n]) at--;
    best.splice(at, 0, n);
    best.length = Math.min(best.length, limit);
  }
  return best;
}

function admittedRows({ size, chunkIds, docIds }, { kind, member, ids }) {
  const rows = new Uint8Array(size).fill(1);
  if (kind === 'all') return rows;
  const set = new Set(ids);
  for (let n = 0; n < size; n++) rows[n] = set.has(member === 'docIds' ? docIds[n >> 3] : chunkIds[n]) ? 1 : 0;
  return rows;
}

/** The naive implementation: the ten best by a loop over one Float32Array. */
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

/** Runs a program in a new process: wall time and CPU time. */
function runCold(source) {
  const reporting =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); " +
    "require('node:fs').writeSync(1, String(user + system)); });";
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', reporting + source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { wallMs: performance.now() - started, cpuMs: Number(stdout) / 1000 };
}

function open(file, readonly) {
  return plugin.contributes.vector_store.local({ config: { file, readonly } });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
