// What embedding costs beside the model: throughput as a ratio to bare onnxruntime on the same model, texts and tokenizer in the
// same run; the delay of the event loop meanwhile; peak memory; what a cold query waits for, in this thread and in a worker, as a
// ratio to an empty Node process; and the cosines that the bounds of relevance are taken from.
//   node --import ./scripts/run-ts.mjs bench/embedding.mjs
// Needs ../shared: potion-base-4M-int8, squad2, and a generator of models of true shape with random weights.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import * as ort from 'onnxruntime-node';
import { rolldown } from 'rolldown';
import { TransformersEmbedder } from '../plugins/embed-transformers/src/transformers-embedder.ts';

const LEAST_RATIO = 0.95;
const MOST_DELAY_MS = 20;
const MOST_MIB = 500;
const MOST_CHARS = 1500;
const ROUNDS = 15;
const COLD_RUNS = 9;

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = path.join(root, '..', 'shared');
const potion = path.join(shared, 'models', 'potion-base-4M-int8');
const squad = path.join(shared, 'data', 'squad2');
if (!existsSync(potion) || !existsSync(squad)) {
  console.log('skipped: ../shared/models/potion-base-4M-int8 or ../shared/data/squad2 is not there');
  process.exit(0);
}
/** What fits into one window: bare onnxruntime would cut the rest off. */
const paragraphs = readLines('corpus.jsonl').flatMap(({ text }) => (text.length < MOST_CHARS ? [text] : []));
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-bench-'));
try {
  const mini = makeMiniLm();
  await measure('MiniLM shape, q8, random weights', mini, paragraphs.slice(0, 8));
  await measure('potion-base-4M-int8', potion, paragraphs.slice(0, 100));
  measureMemory(mini);
  await measureCold();
  await measureRelevance();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Six layers of 384, as all-MiniLM-L6-v2, with the tokenizer of potion. */
function makeMiniLm() {
  const out = path.join(folder, 'mini');
  const generator = path.join(shared, 'notes', 'tools', 'gen-bert-onnx.mjs');
  const options = ['--dtype', 'q8', '--tokenizer', path.join(potion, 'tokenizer.json')];
  const { status, stderr } = spawnSync(process.execPath, [generator, out, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return out;
}

async function measure(name, model, texts) {
  const inputs = texts.map((text) => ({ text, kind: 'document' }));
  const embedder = await open(model);
  const bare = await openBare(model);
  await embedder.embed(inputs.slice(0, 4));
  await bare(texts.slice(0, 4));
  const spent = { bare: [], embedder: [] };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    spent.bare.push(await cpuMs(() => bare(texts)));
    spent.embedder.push(await cpuMs(() => embedInBatches(embedder, inputs)));
  }
  delay.enable(); // takes CPU of its own
  await embedInBatches(embedder, inputs);
  delay.disable();
  await embedder.close();
  const ratio = median(spent.bare.map((ms, round) => ms / spent.embedder[round]));
  const p99Ms = delay.percentile(99) / 1e6;
  console.log(`${name}, ${texts.length} paragraphs`);
  console.log(`  bare onnxruntime ${rate(texts, median(spent.bare))}, embedder ${rate(texts, median(spent.embedder))}`);
  console.log(`  ratio ${ratio.toFixed(2)} (at least ${LEAST_RATIO}) ${verdict(ratio >= LEAST_RATIO)}`);
  console.log(`  event loop p99 ${p99Ms.toFixed(1)} ms (at most ${MOST_DELAY_MS}) ${verdict(p99Ms <= MOST_DELAY_MS)}`);
}

async function embedInBatches(embedder, inputs, size = 16) {
  for (let at = 0; at < inputs.length; at += size) await embedder.embed(inputs.slice(at, at + size));
}

/** The least that can be done: tokenize, run, take the mean; one text at a time, which is fastest on a CPU. */
async function openBare(model) {
  const json = (file) => JSON.parse(readFileSync(path.join(model, file), 'utf8'));
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  const session = await ort.InferenceSession.create(path.join(model, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  return async (texts) => {
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
      mean.forEach((x, at) => void (mean[at] = x / length));
    }
  };
}

/** In a process of its own, from the source: it counts the hooks that run TypeScript as well. */
function measureMemory(model) {
  const script = path.join(folder, 'memory.mjs');
  const embedder = new URL('../plugins/embed-transformers/src/transformers-embedder.ts', import.meta.url).href;
  const texts = JSON.stringify(paragraphs.slice(0, 24));
  writeFileSync(
    script,
    `import { TransformersEmbedder } from ${JSON.stringify(embedder)};
    const embedder = await TransformersEmbedder.open(${JSON.stringify(configFor(model))});
    await embedder.embed(${texts}.map((text) => ({ text, kind: 'document' })));
    await embedder.close();
    console.log(process.resourceUsage().maxRSS / 1024);`,
  );
  const runner = path.join(root, 'scripts', 'run-ts.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', runner, script], { encoding: 'utf8' });
  const mib = Number(stdout);
  if (!(mib > 0)) throw new Error(stderr);
  console.log(`peak memory, MiniLM shape: ${mib.toFixed(0)} MiB (at most ${MOST_MIB}) ${verdict(mib <= MOST_MIB)}`);
}

/** Bundled as it is shipped: a new process that embeds one query with potion. */
async function measureCold() {
  const outDir = path.join(root, 'kits', 'onnx', 'dist', 'bench');
  const entry = path.join(folder, 'cold.ts');
  const kit = path.join(root, 'kits/onnx/src');
  writeFileSync(
    entry,
    `import { readModelFolder } from '${kit}/folder/read-model-folder.ts';
    import { InlineModel } from '${kit}/worker/inline-model.ts';
    import { ModelThread } from '${kit}/worker/model-thread.ts';
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
  for (const wants of ['table', 'onnx'])
    for (const where of ['inline', 'thread'])
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

/** floor: what 95 in 100 random pairs stay below; ceil: what half of the matching pairs exceed. */
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

/** Paragraphs of one article have its name and a number. */
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

/** Of all threads: on a busy machine it says more than the time that passed, and every run has one thread. */
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
