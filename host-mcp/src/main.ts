import { writeSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { invalidInput, isReadonly, nearestName, openApp, placeOfProcess, toErrorV1 } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';
import { servePipe } from './index.ts';
import type { OpenApp } from './live-app.ts';

/** Serves the knowledge base on standard input and output until the input ends. */
export async function main(argv: readonly string[]): Promise<void> {
  // Standard output carries the protocol: output of libraries is redirected to standard error.
  const output = process.stdout;
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
  output.on('error', () => process.exit(0)); // the client is gone
  try {
    const { config, readonly } = parseOptions(argv, process.env);
    const { problem, ...place } = placeOfProcess({ cwd: () => process.cwd(), homeDir: () => os.homedir() });
    if (problem !== null) throw problem;
    const { cwd } = place;
    const environment = { ...place, env: process.env, tmpDir: os.tmpdir() };
    const open: OpenApp = (how) =>
      openApp({
        ...how,
        builtins,
        environment,
        extractionWorkerUrl: workerUrl(),
        flags: { config, readonly },
      });
    await servePipe({ open, cwd, readonly, input: process.stdin, write: (line) => output.write(line) });
    output.end(() => process.exit(0));
  } catch (error) {
    writeSync(2, `${asciiJson(toErrorV1(error))}\n`);
    process.exit(2);
  }
}

/** JSON in ASCII, without control sequences for a terminal: a message may quote a hostile path. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function workerUrl(): URL {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.')); // `.ts` from source, `.cjs` in the bundle
  return new URL(`./extraction-worker${extension}`, import.meta.url);
}

interface ServerOptions {
  readonly config: string | undefined;
  readonly readonly: boolean;
}

const KNOWN = ['--config', '--readonly'];

/** Parses `[--config PATH] [--readonly]`; `KEBAB_READONLY=1` is equivalent to the latter. Throws `invalid_input` and `config_invalid`. */
function parseOptions(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): ServerOptions {
  let config: string | undefined;
  let readonly = isReadonly(env);
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--readonly') readonly = true;
    else if (word === '--config' && argv[at + 1] !== undefined) config = argv[++at];
    else
      throw invalidInput(`kebab-mcp takes --config PATH and --readonly, not ${JSON.stringify(word)}`, {
        field: word,
        allowed: KNOWN,
        suggestion: nearestName(word, KNOWN),
      });
  }
  return { config, readonly };
}
