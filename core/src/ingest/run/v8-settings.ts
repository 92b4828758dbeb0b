import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { DocumentStore } from '../../contracts/document-store.ts';

// The flags of V8 are part of the version of code that was kept compiled: while they are different, such code is refused, and what
// is kept then is refused afterwards. So nothing should be imported meanwhile, and everything is taken back in the end.

/** By the size of a function, with the default of Node 20 to 24: Node 22 stays changed after `--no-opt` and `--opt`. */
const OPTIMISE_NOTHING = '--max-optimized-bytecode-size=0';
const OPTIMISE_AS_USUAL = '--max-optimized-bytecode-size=61440';

/** How many stretches of work are under way in this process: the flags of V8 concern all of it. */
let underWay = 0;

/**
 * Does work that goes over thousands of files once and does little with each, without V8's optimising compiler: compiling what goes
 * over 5,000 files takes longer than going over them.
 */
export async function unoptimised<T>(work: () => Promise<T>): Promise<T> {
  if (underWay++ === 0) setFlagsFromString(OPTIMISE_NOTHING);
  try {
    return await work();
  } finally {
    if (--underWay === 0) setFlagsFromString(OPTIMISE_AS_USUAL);
  }
}

/** How a stretch of work that goes over all files of an index is done. */
export type Passing = typeof unoptimised;

/** From so many documents on, optimising what goes over them is worth its time. */
const MANY_DOCUMENTS = 50_000;

/** How to go over the files of an index: one that is there, and not large, most likely has little to be done. */
export async function passingOver(store: Pick<DocumentStore, 'documentCount'>): Promise<Passing> {
  const documents = await store.documentCount();
  return documents > 0 && documents < MANY_DOCUMENTS ? unoptimised : plainly;
}

/** Does work as V8 does it by default. */
export function plainly<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/**
 * V8 lets a heap grow to four times what is in use before it looks for garbage: 400 MB among 100,000 files, of which 60 are in use. Here
 * it may grow by a third, which takes a twentieth more processor time. To be taken back with {@link growFreely}.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=30');
}

/** Lets V8 itself decide how a heap grows, as it does by default. */
export function growFreely(): void {
  setFlagsFromString('--heap-growing-percent=0');
}

/**
 * V8 copies functions into those that call them, and compiles each copy: a fifth of the processor time of a first ingest, in which no
 * function takes more than a few hundredths. With fewer copies 5,000 files take a twentieth less. To be taken back with
 * {@link inlineAsUsual}.
 */
export function inlineLittle(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100');
}

/** Lets V8 copy functions as it does by default, in Node 20 to 24. */
export function inlineAsUsual(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=920');
}

const YOUNG_BYTES = 16 * 1_048_576;
let isYoungHeld = false;

/**
 * Lets the space for new objects grow no further once it has 16 MiB. V8 lets it grow to 32 in Node 20 and to 140 in Node 24, where 5,000 files
 * then took 340 MiB instead of 230, and no less time. To be taken back with {@link growYoungAsUsual}.
 */
export function holdYoung(): void {
  if (isYoungHeld) return;
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young === undefined || young.space_size < YOUNG_BYTES) return;
  isYoungHeld = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the space for new objects grow as by default, in Node 20 to 24. */
export function growYoungAsUsual(): void {
  if (isYoungHeld) setFlagsFromString('--semi-space-growth-factor=2');
  isYoungHeld = false;
}
