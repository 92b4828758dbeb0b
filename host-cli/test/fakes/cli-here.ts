import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtins } from '@kebab/builtins';
import { openApp, serveApp, serviceStatus, stopService, tryFolder } from '@kebab/core/app';
import { runCli } from '../../src/cli/run-cli.ts';
import { makeHome, type BuiltCli } from './built-cli.ts';
import { MemoryOutput, memoryInput } from './memory-io.ts';

/** Runs command lines in this process. */
export type CliHere = Pick<BuiltCli, 'newHome' | 'run'> & { remove(): void };

/**
 * The command line with the real engine, but inside the test process: for tests of what a command does and prints, in a tenth of the
 * processor time. Tests of the process itself (signals, streams, exit) need `buildCli`.
 */
export function cliHere(): CliHere {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-here-'));
  const code = path.join(folder, 'code');
  mkdirSync(code);
  let homes = 0;
  return {
    newHome: () => makeHome(path.join(folder, `home-${++homes}`), code),
    async run(line, { home, env, stdin, cwd }) {
      const [stdout, stderr] = [new MemoryOutput(), new MemoryOutput()];
      const exit = await runCli(line, {
        io: { stdin: memoryInput(stdin === undefined ? [] : [stdin]), stdout, stderr },
        engine: { openApp, tryFolder, serveApp, serviceStatus, stopService },
        setup: {
          builtins,
          environment: {
            cwd: cwd ?? home.folder,
            env: {
              PATH: process.env['PATH'] ?? '',
              VITEST_WORKER_ID: '1', // makes child processes, which get only this environment, run TypeScript (scripts/register-ts.mjs)
              ...home.env,
              ...env,
            },
            homeDir: home.folder,
            tmpDir: home.env['TMPDIR'] ?? tmpdir(),
          },
          extractionWorkerUrl: new URL('../../src/extraction-worker.ts', import.meta.url),
        },
        signal: new AbortController().signal,
      });
      return { code: exit, stdout: stdout.text, stderr: stderr.text };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
