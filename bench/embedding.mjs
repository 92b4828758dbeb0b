// Measures the overhead of embedding over the bare model. Throughput in CPU time as a ratio to bare onnxruntime with the same model, texts
// and tokenizer, in alternating rounds of one run: ours, and the default pipeline of @huggingface/transformers. How far the vectors differ
// from those of the bare runtime; the event loop delay meanwhile; memory and startup of the thread; the latency of a cold query, in this
// thread and in a worker, as a ratio to an empty Node process; and the cosines from which the relevance bounds are derived. Also the cost
// of embedding in an ingest: the CPU of a first ingest with a model minus that without, in separate processes over growing folders,
// compared with the bare runtime on the same texts.
//   node --import ./scripts/run-ts.mjs bench/embedding.mjs [ingests]
// Needs ../shared: all-MiniLM-L6-v2, multilingual-e5-small, potion-base-4M-int8, and squad2.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { env, pipeline } from '@huggingface/transformers';
import * as ort from 'onnxruntime-node';
import { rolldown } from 'rolldown';
import { bundle, withoutPictures } from '../scripts/bundle.mjs';
import { defaultThreads } from '../kits/onnx/src/index.ts';
import { TransformersEmbedder } from '../plugins/embed-transformers/src/transformers-embedder.ts';

const MIN_RATIO = 0.95;
const MAX_DELAY_MS = 20;
const MAX_MIB = 500;
const MAX_CHARS = 900;
const MAX_DIFFERENCE = 1e-4;
const ROUNDS = 9;
const COLD_RUNS = 9;

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = path.join(root, '..', 'shared');
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const potion = path.join(shared, 'models', 'potion-base-4M-int8');
const miniLm = path.join(shared, 'models', 'all-MiniLM-L6-v2');
const e5 = path.join(shared, 'models', 'multilingual-e5-small');
const squad = path.join(shared, 'data', 'squad2');
const missing = [potion, miniLm, e5, squad].find((place) => !existsSync(place));
if (missing !== undefined) {
  console.log(`skipped: ${path.relative(root, missing)} is not there`);
  process.exit(0);
}
const SESSION = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};
env.allowRemoteModels = false;
env.useFSCache = false;
/** Texts that fit into one window: bare onnxruntime would truncate the rest. */
const paragraphs = readLines('corpus.jsonl').flatMap(({ text }) => (text.length < MAX_CHARS ? [text] : []));
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-bench-'));
await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
try {
  await measureIngests('all-MiniLM-L6-v2', miniLm, { sizes: [64, 256] });
  await measureIngests('multilingual-e5-small, four bits', e5, { sizes: [64, 256], prefix: 'passage: ' });
  await measureIngests('potion-base-4M-int8', potion, { sizes: [1000, 4000, 16_000] });
  if (process.argv[2] !== 'ingests') {
    await measure('all-MiniLM-L6-v2', miniLm, { texts: paragraphs.slice(0, 12) });
    await measure('multilingual-e5-small, four bits', e5, { texts: paragraphs.slice(0, 6), prefix: 'passage: ' });
    await measure('potion-base-4M-int8', potion, { texts: paragraphs.slice(0, 100) });
    await measureStart();
    await measureCold();
    await measureRelevance();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name, model, { texts, prefix = '' }) {
  const inputs = texts.map((text) => ({ text, kind: 'document' }));
  const prefixed = texts.map((text) => prefix + text);
  const embedder = await open(model);
  const [bare, pipe] = [await openBare(model), await openPipeline(model)];
  const ways = {
    'bare onnxruntime': () => bare(prefixed),
    kebab: () => embedInBatches(embedder, inputs),
    'transformers.js': () => pipe(prefixed),
    'transformers.js, batches of 8': () => pipe(prefixed, 8),
  };
  const spent = {};
  const vectors = {};
  for (const [way, run] of Object.entries(ways)) [spent[way], vectors[way]] = [[], await run()];
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 === 0 ? Object.keys(ways) : Object.keys(ways).toReversed())
      spent[way].push(await cpuMs(ways[way]));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable(); // takes CPU time itself
  await embedInBatches(embedder, inputs);
  delay.disable();
  await embedder.close();
  console.log(`${name}, ${texts.length} paragraphs`);
  for (const way of Object.keys(ways)) {
    const ratio = median(spent['bare onnxruntime'].map((ms, round) => ms / spent[way][round]));
    const difference = farthest(vectors['bare onnxruntime'], vectors[way]);
    const isKept = way !== 'kebab' || (ratio >= MIN_RATIO && difference <= MAX_DIFFERENCE);
    console.log(
      `  ${way.padEnd(30)} ${rate(texts, median(spent[way])).padEnd(20)} ratio ${ratio.toFixed(2)}  difference ${difference.toExponential(0)}  ${verdict(isKept)}`,
    );
  }
  const p99Ms = delay.percentile(99) / 1e6;
  console.log(`  event loop p99 ${p99Ms.toFixed(1)} ms (at most ${MAX_DELAY_MS}) ${verdict(p99Ms <= MAX_DELAY_MS)}`);
}

/**
 * First ingests of paragraphs, one file each, without and with the model, which runs in as many threads as alone. Preparing texts for the
 * model is included in the cost.
 */
async function measureIngests(name, model, { sizes, prefix = '' }) {
  const isStatic = model === potion;
  const bare = isStatic ? await openTable(model) : await openBare(model, defaultThreads());
  let before = null;
  await bare(paragraphs.slice(0, 4));
  console.log(`${name}: what a first ingest takes`);
  for (const size of sizes) {
    const texts = Array.from({ length: size }, (_, n) => `${paragraphs[n % paragraphs.length]} ${n}`);
    const notes = path.join(folder, `notes-${size}`);
    mkdirSync(notes, { recursive: true });
    for (const [n, text] of texts.entries()) writeFileSync(path.join(notes, `${n}.md`), `${text}\n`);
    const lexical = ingestCpuMs(notes, { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' });
    const both = ingestCpuMs(notes, { KEBAB_MODELS_EMBEDDING_MODEL: model });
    const alone = await cpuMs(() => bare(texts.map((text) => prefix + text)));
    const above = both - lexical;
    const limit = 2 * lexical + alone;
    const parts = [
      `${lexical.toFixed(0)} ms by words, ${both.toFixed(0)} with vectors, the model alone ${alone.toFixed(0)}`,
    ];
    // The difference between two sizes, so that loading the model does not count; writing thousands of vectors of a static model does.
    if (before !== null) {
      const ratio = (alone - before.alone) / (above - before.above);
      parts.push(`throughput ${ratio.toFixed(2)} of the model${isStatic ? '' : ` ${verdict(ratio >= MIN_RATIO)}`}`);
    }
    if (isStatic) parts.push(`${(both / limit).toFixed(2)} of twice by words and the model ${verdict(both <= limit)}`);
    console.log(`  ${String(size).padStart(6)} texts: ${parts.join('; ')}`);
    before = { alone, above };
    rmSync(notes, { recursive: true });
  }
}

/** CPU of an ingest into a fresh home, with all its threads. */
function ingestCpuMs(notes, more) {
  const home = mkdtempSync(path.join(folder, 'home-'));
  const command = [
    '-c',
    'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null',
    'bash',
    process.execPath,
    cli,
    'ingest',
    '--quiet',
  ];
  const surroundings = {
    PATH: process.env.PATH,
    HOME: home,
    KEBAB_WORKSPACE_ROOT: notes,
    KEBAB_SERVICE: 'off',
    ...more,
  };
  const { stderr, status } = spawnSync('bash', command, { env: surroundings, cwd: home, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  rmSync(home, { recursive: true });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

/** A table of static vectors without an ingest around it. */
async function openTable(model) {
  const embedder = await open(model);
  return (texts) =>
    embedInBatches(
      embedder,
      texts.map((text) => ({ text, kind: 'document' })),
      32,
    );
}

/** The largest difference of a component in two lists of vectors. */
function farthest(some, others) {
  return Math.max(...some.flatMap((vector, n) => Array.from(vector, (x, at) => Math.abs(x - others[n][at]))));
}

async function openPipeline(model) {
  const extract = await pipeline('feature-extraction', model, { dtype: 'q8', device: 'cpu', session_options: SESSION });
  return async (texts, size = 1) => {
    const vectors = [];
    for (let at = 0; at < texts.length; at += size)
      vectors.push(...(await extract(texts.slice(at, at + size), { pooling: 'mean', normalize: true })).tolist());
    return vectors;
  };
}

async function embedInBatches(embedder, inputs, size = 16) {
  const vectors = [];
  for (let at = 0; at < inputs.length; at += size) vectors.push(...(await embedder.embed(inputs.slice(at, at + size))));
  return vectors;
}

/** The minimum work: tokenize, run, compute the mean; one text at a time, which is fastest on a CPU. */
async function openBare(model, threads = 1) {
  const json = (file) => JSON.parse(readFileSync(path.join(model, file), 'utf8'));
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  const session = await ort.InferenceSession.create(path.join(model, 'onnx/model_quantized.onnx'), {
    ...SESSION,
    intraOpNumThreads: threads,
  });
  return async (texts) => {
    const vectors = [];
    for (const text of texts) {
      const ids = tokenizer.encode(text).ids.slice(0, 512);
      const shape = [1, ids.length];
      const all = {
        input_ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
        token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
      };
      const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
      const { data, dims } = (await session.run(feeds))['last_hidden_state'];
      const mean = new Float64Array(dims[2]);
      for (let from = 0; from < data.length; from += mean.length)
        for (let at = 0; at < mean.length; at++) mean[at] += data[from + at];
      const length = Math.hypot(...mean);
      vectors.push(Float32Array.from(mean, (x) => x / length));
    }
    return vectors;
  };
}

/**
 * Bundled as shipped, in separate processes: the time until the thread of a model is ready, and the memory after some texts (the peak
 * reported by the system includes that of the parent).
 */
async function measureStart() {
  const outDir = path.join(root, 'kits', 'onnx', 'dist', 'bench');
  const kit = path.join(root, 'kits/onnx/src');
  const entry = path.join(folder, 'start.ts');
  writeFileSync(
    entry,
    `import { readModelFolder } from '${kit}/folder/read-model-folder.ts';
    import { ModelThread } from '${kit}/worker/model-thread.ts';
    const { folder, manifest, weights } = await readModelFolder(process.argv[2], { modelDir: '/' });
    const model = new ModelThread({ ...manifest, folder, weights, batchSize: 1, threads: 1 });
    const before = process.cpuUsage();
    await model.load();
    const { user, system } = process.cpuUsage(before);
    await model.embed(Array.from({ length: 8 }, () => ({ text: 'how are ids made '.repeat(60), kind: 'document' })));
    console.log(JSON.stringify([(user + system) / 1000, process.memoryUsage().rss / 2 ** 20]));`,
  );
  await build(outDir, { start: entry });
  await build(outDir, { 'model-worker': path.join(kit, 'worker/model-worker.ts') });
  for (const model of [miniLm, e5]) {
    const runs = Array.from({ length: 5 }, () => {
      const { stdout, stderr } = spawnSync(process.execPath, [path.join(outDir, 'start.mjs'), model], {
        encoding: 'utf8',
      });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    });
    const [startMs, mib] = [0, 1].map((n) => median(runs.map((run) => run[n])));
    console.log(
      `${path.basename(model)}: thread ready after ${startMs.toFixed(0)} ms of CPU, memory ${mib.toFixed(0)} MiB (at most ${MAX_MIB}) ${verdict(mib <= MAX_MIB)}`,
    );
  }
  rmSync(outDir, { recursive: true, force: true });
}

/** Bundled as shipped: a new process that embeds one query with potion. */
async function measureCold() {
  const outDir = path.join(root, 'kits', 'onnx', 'dist', 'bench');
  const entry = path.join(folder, 'cold.ts');
  const kit = path.join(root, 'kits/onnx/src');
  writeFileSync(
    entry,
    `import { readModelFolder } from '${kit}/folder/read-model-folder.ts';
    import { InlineModel, ModelThread } from '${kit}/worker/model-thread.ts';
    const [where, wants] = process.argv.slice(2);
    const { folder, manifest, weights } = await readModelFolder(${JSON.stringify(potion)}, { modelDir: '/' });
    const onnx = { kind: 'onnx', file: folder + '/onnx/model_quantized.onnx', precision: 'q8' };
    const spec = { ...manifest, folder, weights: wants === 'onnx' ? onnx : weights, batchSize: 1, threads: 1 };
    const model = where === 'inline' ? new InlineModel(spec) : new ModelThread(spec);
    await model.embed([{ text: 'How do I reset my password?', kind: 'query' }]);`,
  );
  await build(outDir, { cold: entry });
  await build(outDir, { 'model-worker': path.join(kit, 'worker/model-worker.ts') });
  const ways = { 'node -e 0': ['-e', '0'] };
  for (const [wants, where] of [
    ['table', 'inline'],
    ['table', 'thread'],
    ['onnx', 'thread'],
  ])
    ways[`${wants}, ${where}`] = [path.join(outDir, 'cold.mjs'), where, wants];
  const best = {};
  for (let run = 0; run < COLD_RUNS; run++)
    for (const [name, args] of Object.entries(ways)) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      best[name] = Math.min(best[name] ?? Infinity, performance.now() - start);
    }
  console.log('cold query with potion: new process, load, embed');
  for (const [name, ms] of Object.entries(best))
    console.log(`  ${name.padEnd(14)} ${ms.toFixed(0).padStart(4)} ms  ${(ms / best['node -e 0']).toFixed(2)}`);
  rmSync(outDir, { recursive: true, force: true });
}

async function build(outDir, input) {
  const graph = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] },
    external: [/^onnxruntime-node/],
    plugins: [withoutPictures],
  });
  const [name] = Object.keys(input);
  await graph.write({
    dir: outDir,
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: `${name}-[name]-[hash].mjs`,
  });
  await graph.close();
}

/** floor: the cosine below which 95 of 100 random pairs are; ceil: the median of matching pairs. */
async function measureRelevance() {
  const [queries, qrels] = [
    readLines('queries.jsonl'),
    readFileSync(path.join(squad, 'qrels.tsv'), 'utf8').trim().split('\n'),
  ];
  const corpus = readLines('corpus.jsonl');
  const embedder = await open(potion);
  const vectorsOf = async (rows, kind) => {
    const vectors = await embedder.embed(rows.map(({ text }) => ({ text, kind })));
    return new Map(rows.map(({ _id }, n) => [_id, vectors[n]]));
  };
  const [asked, documents] = [await vectorsOf(queries, 'query'), await vectorsOf(corpus, 'document')];
  await embedder.close();
  const pairs = qrels.slice(1).map((line) => line.split('\t'));
  const matching = pairs.map(([query, document]) => cosine(asked.get(query), documents.get(document)));
  const random = pairs.flatMap(([query, document], n) => {
    const { _id: other } = corpus[(n * 7919) % corpus.length];
    return articleOf(other) === articleOf(document) ? [] : [cosine(asked.get(query), documents.get(other))];
  });
  console.log(
    `relevance of potion on squad2: ${random.length} random pairs of other articles, ${matching.length} matching ones`,
  );
  console.log(`  random   p50 ${quantile(random, 0.5)}  p95 ${quantile(random, 0.95)}  p99 ${quantile(random, 0.99)}`);
  console.log(
    `  matching p5 ${quantile(matching, 0.05)}  p50 ${quantile(matching, 0.5)}  p95 ${quantile(matching, 0.95)}`,
  );
}

/** The article of a paragraph, whose id is the article's name and a number. */
function articleOf(id) {
  return id.replace(/-\d+$/, '');
}

function configFor(model) {
  return { model, version: 'v1', dimensions: null, batchSize: 4, modelDir: folder, threads: 1 };
}

function open(model) {
  return TransformersEmbedder.open(configFor(model));
}

function readLines(file) {
  return readFileSync(path.join(squad, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** CPU time of all threads: on a busy machine it is more meaningful than wall time. */
async function cpuMs(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function cosine(a, b) {
  return a.reduce((sum, x, at) => sum + x * b[at], 0);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))].toFixed(3);
}

function rate(texts, ms) {
  return `${((texts.length * 1000) / ms).toFixed(1)} a CPU second`;
}

function verdict(isKept) {
  if (!isKept) process.exitCode = 1;
  return isKept ? 'ok' : 'MISSED';
}
