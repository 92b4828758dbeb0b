import { Worker } from 'node:worker_threads';

/** Third-party code that runs in this process. */
export interface WatchedCode {
  /** Name and version of its plugin. */
  readonly agent: string;
  /** How long it may block the event loop. */
  readonly maxMs: number;
}

const BEAT_MS = 200;

/**
 * Kills this process when plugin code blocks the event loop for too long, and names the plugin: a thread checks, because nothing else runs
 * then. For plugins that cannot run in a process of their own.
 */
export function watchForStalls({ agent, maxMs }: WatchedCode): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const message = `error: ${agent} blocked kebab for ${maxMs / 1000} s; update it, or take it out of \`plugins\`\n`;
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
