// Measures the embedded vector store beside its budgets: the median of a warm, exact search without a filter and among a tenth of the chunks,
// as milliseconds and as a ratio to a scan of one Float32Array in the same run; and the cost of writing.
//   node --import ./scripts/run-ts.mjs bench/vectors.ts [vectors …]
// By default 100,000 vectors; 500,000 need 2 GB of memory. The vectors are random around a thousand centres.
import { statSync } from 'node:fs';
import { sampleIds } from '@kebab/testing';
import type { ChunkFilter, VectorRecord } from '@kebab/core';
import { VectorFile } from '../plugins/vectors-local/test/open-local-store.ts';

const DIMENSIONS = 384;
const CENTRES = 1000;
const QUERIES = 30;
const WRITES_A_CALL = 256;
const NAME = 'bench';
/** The budget of a warm search, in milliseconds, by the number of vectors. */
const BUDGETS: Readonly<Record<number, number>> = { 100_000: 15, 500_000: 75 };

const sizes = process.argv.slice(2).map(Number);
for (const size of sizes.length === 0 ? [100_000] : sizes) await measure(size);

async function measure(size: number): Promise<void> {
  const file = new VectorFile();
  try {
    const random = numbers(size);
    const centres = Array.from({ length: CENTRES }, () => unitVector(random));
    const vectors = new Float32Array(size * DIMENSIONS);
    for (let n = 0; n < size; n++) vectors.set(unitVector(random, centres[n % CENTRES]), n * DIMENSIONS);
    const queries = Array.from({ length: QUERIES }, (_, n) => unitVector(random, centres[n * 7]));
    const ids = Array.from({ length: size }, (_, n) => sampleIds(n));
    await write(file, vectors, ids);
    console.log(
      `${size} vectors of ${DIMENSIONS} dimensions, file ${(statSync(file.file).size / vectors.byteLength).toFixed(2)} × float32`,
    );
    const scanMs = median(queries.map((query) => timed(() => scan(vectors, query))));
    console.log(`  scan of a Float32Array: ${scanMs.toFixed(1)} ms`);
    const filters: readonly (readonly [string, () => ChunkFilter])[] = [
      ['no filter', () => ({ kind: 'all' })],
      // A new set each time, so that no cache helps.
      [
        'a tenth of the chunks',
        () => ({ kind: 'only', chunkIds: new Set(ids.flatMap((id, n) => (n % 10 === 0 ? [id.chunkId] : []))) }),
      ],
    ];
    const store = await file.open(true);
    for (const [title, allow] of filters) {
      const times: number[] = [];
      for (const vector of [...queries.slice(0, 3), ...queries]) {
        const filter = allow();
        const started = performance.now();
        const hits = await store.search(NAME, { vector, limit: 10, allow: filter });
        times.push(performance.now() - started);
        if (hits.length !== 10) throw new Error(`${hits.length} hits instead of ten`);
      }
      report(`warm search, ${title}`, size, median(times.slice(3)), scanMs);
    }
    store.close();
  } finally {
    file.remove();
  }
}

async function write(
  file: VectorFile,
  vectors: Float32Array,
  ids: readonly ReturnType<typeof sampleIds>[],
): Promise<void> {
  const store = await file.open();
  await store.ensureCollection(NAME, DIMENSIONS);
  const cpu = process.cpuUsage();
  for (let at = 0; at < ids.length; at += WRITES_A_CALL) {
    const records = ids.slice(at, at + WRITES_A_CALL).map((id, n): VectorRecord => {
      const start = (at + n) * DIMENSIONS;
      return { ...id, vector: vectors.subarray(start, start + DIMENSIONS) };
    });
    await store.upsert(NAME, records);
  }
  const { user, system } = process.cpuUsage(cpu);
  console.log(`writing, ${WRITES_A_CALL} a call: CPU ${((user + system) / ids.length).toFixed(0)} µs a vector`);
  store.close();
}

function report(what: string, size: number, ms: number, scanMs: number): void {
  const budget = BUDGETS[size];
  const isOver = budget !== undefined && ms > budget;
  const limit = budget === undefined ? '' : ` (at most ${budget}${isOver ? ': over' : ''})`;
  console.log(`  ${what}: ${ms.toFixed(1)} ms${limit} = ${(ms / scanMs).toFixed(3)} × the scan`);
  if (isOver) process.exitCode = 1;
}

/** The ten best scores by a loop over all vectors. */
function scan(vectors: Float32Array, query: Float32Array): readonly number[] {
  const best: number[] = [];
  for (let at = 0; at < vectors.length;) {
    let score = 0;
    for (let d = 0; d < DIMENSIONS; d++) score += (query[d] ?? 0) * (vectors[at++] ?? 0);
    if (best.length === 10 && score <= (best[9] ?? 0)) continue;
    best.push(score);
    best.sort((a, b) => b - a);
    best.length = Math.min(best.length, 10);
  }
  return best;
}

/** A random direction, near a centre if there is one. */
function unitVector(random: () => number, centre?: Float32Array): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, d) => (centre?.[d] ?? 0) * 2 + (random() - 0.5) / 8);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
