// Measures the overhead of reranking over the bare model: pairs per CPU second as a ratio to bare onnxruntime with the same model, pairs
// and tokenizer in the same run, and the event loop delay meanwhile.
//   node --import ./scripts/run-ts.mjs bench/cross-encoder.mjs
// Needs ../shared: the tokenizer of potion-base-4M-int8, squad2, and a generator of models with real shapes and random weights.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import * as ort from 'onnxruntime-node';
import { writeOnnx } from '../kits/onnx/src/testing/onnx-writer.ts';
import { TransformersReranker } from '../plugins/rerank-transformers/src/transformers-reranker.ts';

const MIN_RATIO = 0.9;
const MAX_DELAY_MS = 20;
const MAX_CHARS = 1500;
const PAIRS = 24;
const ROUNDS = 3;
const HIDDEN = 384;
const QUERY = 'In what country is the region that the name comes from?';

const shared = fileURLToPath(new URL('../../shared', import.meta.url));
const tokenizer = path.join(shared, 'models', 'potion-base-4M-int8', 'tokenizer.json');
const corpus = path.join(shared, 'data', 'squad2', 'corpus.jsonl');
if (!existsSync(tokenizer) || !existsSync(corpus)) {
  console.log('skipped: ../shared/models/potion-base-4M-int8 or ../shared/data/squad2 is not there');
  process.exit(0);
}
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-bench-'));
try {
  const model = makeCrossEncoder();
  const passages = readFileSync(corpus, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).text)
    .filter((text) => text.length < MAX_CHARS)
    .slice(0, PAIRS);
  await measure(model, passages);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Six layers of 384, like ms-marco-MiniLM-L-6-v2, and one output from the vector of the first token. */
function makeCrossEncoder() {
  const out = path.join(folder, 'mini');
  const generator = path.join(shared, 'notes', 'tools', 'gen-bert-onnx.mjs');
  const { status, stderr } = spawnSync(process.execPath, [generator, out, '--dtype', 'q8', '--tokenizer', tokenizer], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  // Concatenated Protocol Buffers messages of one type merge, so this adds to the graph.
  const head = writeOnnx({
    inputs: [],
    constants: [
      { name: 'head_place', shape: [], data: BigInt64Array.of(0n) },
      { name: 'head', shape: [HIDDEN, 1], data: Float32Array.from({ length: HIDDEN }, (_, at) => Math.sin(at) / 10) },
    ],
    nodes: [
      { op: 'Gather', inputs: ['last_hidden_state', 'head_place'], output: 'first', attributes: { axis: 1 } },
      { op: 'MatMul', inputs: ['first', 'head'], output: 'logits' },
    ],
    outputs: [{ name: 'logits', shape: ['batch', 1] }],
  });
  appendFileSync(path.join(out, 'onnx', 'model_quantized.onnx'), head);
  return out;
}

async function measure(model, passages) {
  const items = passages.map((text, n) => ({ chunkId: String(n).padStart(32, '0'), text }));
  const reranker = await TransformersReranker.open({ model, modelDir: folder, threads: 1 });
  const bare = await openBare(model);
  const expected = await bare(passages);
  const scores = new Map((await reranker.rerank(QUERY, items)).map(({ chunkId, score }) => [chunkId, score]));
  const farthest = Math.max(...items.map(({ chunkId }, n) => Math.abs(scores.get(chunkId) - expected[n])));
  const best = { bare: Infinity, reranker: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.min(best.bare, await cpuMs(() => bare(passages)));
    best.reranker = Math.min(best.reranker, await cpuMs(() => reranker.rerank(QUERY, items)));
  }
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await reranker.rerank(QUERY, items);
  delay.disable();
  await reranker.close();
  const ratio = best.bare / best.reranker;
  const p99Ms = delay.percentile(99) / 1e6;
  console.log(`MiniLM shape, q8, random weights, ${passages.length} pairs`);
  console.log(`  bare onnxruntime ${rate(best.bare)}, reranker ${rate(best.reranker)} pairs a CPU second`);
  console.log(`  ratio ${ratio.toFixed(2)} (at least ${MIN_RATIO}) ${verdict(ratio >= MIN_RATIO)}`);
  console.log(`  event loop p99 ${p99Ms.toFixed(1)} ms (at most ${MAX_DELAY_MS}) ${verdict(p99Ms <= MAX_DELAY_MS)}`);
  console.log(`  scores differ by ${farthest.toExponential(1)} at most (at most 1e-3) ${verdict(farthest <= 1e-3)}`);
}

/** The minimum work: tokenize a pair, run, apply the sigmoid; one pair at a time. */
async function openBare(model) {
  const json = (file) => JSON.parse(readFileSync(path.join(model, file), 'utf8'));
  const pairs = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  const session = await ort.InferenceSession.create(path.join(model, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  return async (passages) => {
    const scores = [];
    for (const passage of passages) {
      const { ids } = pairs.encode(QUERY, { text_pair: passage }); // this tokenizer adds no special tokens, so there are no types
      if (ids.length > 512) throw new Error(`a pair of ${ids.length} tokens does not fit into one window`);
      const shape = [1, ids.length];
      const all = {
        input_ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
        token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
      };
      const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
      const { data } = (await session.run(feeds, ['logits'])).logits;
      scores.push(1 / (1 + Math.exp(-Number(data[0]))));
    }
    return scores;
  };
}

/** CPU time of all threads: on a busy machine it is more meaningful than wall time, and every run has one thread. */
async function cpuMs(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function rate(ms) {
  return ((PAIRS * 1000) / ms).toFixed(1);
}

function verdict(isKept) {
  if (!isKept) process.exitCode = 1;
  return isKept ? 'ok' : 'MISSED';
}
