import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { DocumentStore } from '../../contracts/document-store.ts';

// V8 stores its flags with cached compiled code and rejects code cached under other flags. So nothing should be imported while a flag
// is changed, and every flag is restored in the end.

/** Limits optimisation by function size, because in Node 22 `--opt` does not undo `--no-opt`. 61,440 is the default of Node 20 to 24. */
const OPTIMISE_NOTHING = '--max-optimized-bytecode-size=0';
const OPTIMISE_AS_USUAL = '--max-optimized-bytecode-size=61440';

/** How many callers of `unoptimised` are active; V8 flags apply to the whole process. */
let underWay = 0;

/**
 * Runs `work` without V8's optimising compiler. For a single pass over thousands of files with little work for each: optimising the code
 * that passes over 5,000 files takes longer than the pass.
 */
export async function unoptimised<T>(work: () => Promise<T>): Promise<T> {
  if (underWay++ === 0) setFlagsFromString(OPTIMISE_NOTHING);
  try {
    return await work();
  } finally {
    if (--underWay === 0) setFlagsFromString(OPTIMISE_AS_USUAL);
  }
}

/** A function that runs a pass over all files of an index. */
export type Passing = typeof unoptimised;

/** With at least this many documents, optimising the code of a pass is worthwhile. */
const MANY_DOCUMENTS = 50_000;

/** Chooses how to run a pass over the files of an index: unoptimised if it exists and is not large, since it probably needs few changes. */
export async function passingOver(store: Pick<DocumentStore, 'documentCount'>): Promise<Passing> {
  const documents = await store.documentCount();
  return documents > 0 && documents < MANY_DOCUMENTS ? unoptimised : plainly;
}

/** Runs `work` with V8's default settings. */
export function plainly<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** By how many percent the heap may grow between collections; 0 leaves it to V8. */
let growth = 0;
const SLOW_GROWTH = 30;
const MODERATE_GROWTH = 150;

function limitGrowth(percent: number): void {
  growth = percent;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Limits heap growth between collections to a third, which takes a twentieth more processor time. By default V8 lets a heap grow to four
 * times what is in use: 400 MB for 100,000 files, of which 60 MB are in use. Undo with {@link growFreely}.
 */
export function growSlowly(): void {
  limitGrowth(SLOW_GROWTH);
}

/** Restores V8's default heap growth. */
export function growFreely(): void {
  limitGrowth(0);
}

/**
 * Limits heap growth between collections to one and a half times what is in use, unless it is limited already: a first ingest of 5,000
 * files takes 30 MiB less. Undo with {@link growAsBefore}.
 */
export function growModerately(): void {
  if (growth === 0) limitGrowth(MODERATE_GROWTH);
}

/** Undoes {@link growModerately}; a limit set by {@link growSlowly} remains. */
export function growAsBefore(): void {
  if (growth === MODERATE_GROWTH) limitGrowth(0);
}

/**
 * Makes V8 inline fewer functions. Compiling inlined copies takes a fifth of the processor time of a first ingest, in which no function
 * takes more than a few hundredths. With less inlining, 5,000 files take a twentieth less. Undo with {@link inlineAsUsual}.
 */
export function inlineLittle(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100');
}

/** Restores V8's default inlining (Node 20 to 24). */
export function inlineAsUsual(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=920');
}

const YOUNG_BYTES = 16 * 1_048_576;
let isYoungHeld = false;

/**
 * Stops the young generation from growing once it has 16 MiB. By default V8 lets it grow to 32 MiB in Node 20 and 140 MiB in Node 24,
 * where 5,000 files then took 340 MiB instead of 230, and no less time. Undo with {@link growYoungAsUsual}.
 */
export function holdYoung(): void {
  if (isYoungHeld) return;
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young === undefined || young.space_size < YOUNG_BYTES) return;
  isYoungHeld = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Restores the default growth of the young generation (Node 20 to 24). */
export function growYoungAsUsual(): void {
  if (isYoungHeld) setFlagsFromString('--semi-space-growth-factor=2');
  isYoungHeld = false;
}
