import { writeSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { openApp, toErrorV1, type App } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';
import { parseOptions } from './parse-options.ts';
import { servePipe } from './serve-pipe.ts';

/** Serves the knowledge base on standard input and output until the input ends. */
export async function main(argv: readonly string[]): Promise<void> {
  // Standard output carries the protocol: what a library prints there goes to standard error.
  const output = process.stdout;
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
  output.on('error', () => process.exit(0)); // nobody listens any more
  try {
    const { config, readonly } = parseOptions(argv, process.env);
    const cwd = process.cwd();
    const environment = { cwd, env: process.env, homeDir: os.homedir(), tmpDir: os.tmpdir() };
    const open = (): Promise<App> =>
      openApp({ builtins, environment, extractionWorkerUrl: workerUrl(), flags: { config, readonly } });
    await servePipe({ open, cwd, readonly, input: process.stdin, write: (line) => output.write(line) });
    output.end(() => process.exit(0));
  } catch (error) {
    writeSync(2, `${asciiJson(toErrorV1(error))}\n`);
    process.exit(2);
  }
}

/** JSON that cannot give orders to the terminal of whoever starts the server by hand: a message may name a hostile path. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function workerUrl(): URL {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.')); // as a source or in the bundle
  return new URL(`./extraction-worker${extension}`, import.meta.url);
}
