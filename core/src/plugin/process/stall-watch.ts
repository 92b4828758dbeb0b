import { Worker } from 'node:worker_threads';

/** Code that runs in this process although kebab does not vouch for it. */
export interface WatchedCode {
  /** Name and version of its plugin. */
  readonly agent: string;
  /** How long it may keep the process from going on. */
  readonly maxMs: number;
}

const BEAT_MS = 200;

/**
 * Ends this process when code of a plugin keeps it from going on for too long, and says whose it is: a thread looks, because nothing
 * else runs then. For plugins that cannot be had from a process of their own.
 */
export function watchForStalls({ agent, maxMs }: WatchedCode): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const message = `error: ${agent} kept kebab from going on for ${maxMs / 1000} s; update it, or take it out of \`plugins\`\n`;
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  const workerData = { beats, maxMs, everyMs: BEAT_MS, message };
  new Worker(PROGRAM, { eval: true, workerData, resourceLimits, env: {}, execArgv: [] }).unref();
}

const PROGRAM = `
const { writeSync } = require('node:fs');
const { workerData: { beats, maxMs, everyMs, message } } = require('node:worker_threads');
let last = -1;
let looks = 0; // a clock would count the sleep of the machine
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) { last = beat; looks = 0; }
  else if (++looks * everyMs > maxMs) { try { writeSync(2, message); } finally { process.kill(process.pid, 'SIGKILL'); } }
}, everyMs);
`;
