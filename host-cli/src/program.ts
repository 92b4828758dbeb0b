import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  openApp,
  placeOfProcess,
  serveApp,
  serviceStatus,
  stopService,
  tryFolder,
  type InstallSetup,
  type OptionalPart,
} from '@kebab/core/app';
import type { EngineSetup } from './command/command-context.ts';
import { OWN_FORMATS } from './command/own-formats.ts';
import { runCli } from './cli/run-cli.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { FileOutput, printToStandardError, writeLastLine } from './io/file-output.ts';
import { standardInput } from './io/text-input.ts';

/**
 * Keeps the young generation of a service at 16 MiB: by default Node 24 lets it grow to 140 MiB, and searching 20,000 documents then takes
 * 250 MiB instead of 165.
 */
const SMALL_YOUNG = '--max-semi-space-size=8';

/** Runs a command line in this process, which exits with the code of the command once everything is written. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  // The library for S3 runs on Node 20; its advice to update Node would stand among the output.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const io = { stdin: standardInput, stdout: new FileOutput(1), stderr: new FileOutput(2) };
  const signal = watchInterrupts(process, () => process.exit(EXIT.interrupted));
  const engine = { openApp, tryFolder, serveApp, serviceStatus, stopService };
  const here: string[] = [];
  const failUnlessDone = (): void => void (process.exitCode = brokenOff(process.exitCode, here));
  process.on('exit', failUnlessDone);
  const { problem, ...place } = placeOfProcess({ cwd: () => process.cwd(), homeDir: () => os.homedir() });
  const setup = setupOf(place, (plugin) => void here.push(plugin));
  const code = await runCli(argv, { io, engine, setup, problem, signal, runAgain });
  await Promise.all([io.stdout.flush(), io.stderr.flush()]);
  process.off('exit', failUnlessDone);
  process.exit(code);
}

/** Runs another command line of this program, which has the terminal until it ends. */
async function runAgain(line: readonly string[]): Promise<ExitCode> {
  const { spawn } = await import('node:child_process');
  const program = [...process.execArgv, process.argv[1] ?? ''];
  const child = spawn(process.execPath, [...program, ...line], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve((code ?? EXIT.error) as ExitCode));
  });
}

/** The exit code of a command that ended prematurely: never 0, whatever ended it. `here` lists plugins that run in this process. */
function brokenOff(code: typeof process.exitCode, here: readonly string[]): typeof process.exitCode {
  if (code === EXIT.interrupted) return code;
  const suspects = here.length === 0 ? '' : `; code of ${here.join(', ')} runs in its process`;
  writeLastLine(`error: kebab ended before the command finished${suspects}`);
  return code === undefined || code === 0 ? EXIT.error : code;
}

function setupOf(
  place: Pick<EngineSetup['environment'], 'cwd' | 'homeDir'>,
  onForeignCode: (plugin: string) => void,
): EngineSetup {
  return {
    builtins: async () => (await import('@kebab/builtins')).builtins,
    environment: {
      ...place,
      env: process.env,
      tmpDir: os.tmpdir(),
      beforeForeignCode: (plugin) => {
        onForeignCode(plugin);
        printToStandardError();
      },
    },
    installing,
    serviceCommand: [process.execPath, SMALL_YOUNG, ...process.execArgv, process.argv[1] ?? '', 'serve'],
    get extractionWorkerUrl() {
      const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.')); // `.ts` from source, `.cjs` in the bundle
      return new URL(`./extraction-worker${extension}`, import.meta.url);
    },
  };
}

/** kebab's packages that plugins import; they are linked into the plugin folder. */
const OWN_PACKAGES = ['@kebab/core', '@kebab/plugin'];

function installing(): InstallSetup {
  const require = createRequire(import.meta.url);
  const folders = OWN_PACKAGES.flatMap((name): readonly (readonly [string, string])[] => {
    try {
      return [[name, path.dirname(require.resolve(`${name}/package.json`))]];
    } catch {
      return []; // plugins get it from the registry
    }
  });
  const formats = Object.entries(OWN_FORMATS).map(([name, packageName]) => {
    return [name, { package: packageName, folder: checkoutFolder(packageName, require) }] as const;
  });
  return {
    ownPackages: Object.fromEntries(folders),
    parts: partsOf(require),
    formats: Object.fromEntries(formats),
  };
}

/** The folder of a package that is part of the same checkout; null for an installed kebab. */
function checkoutFolder(name: string, require: NodeJS.Require): string | null {
  try {
    const folder = realpathSync(path.dirname(require.resolve(`${name}/package.json`)));
    return folder.split(path.sep).includes('node_modules') ? null : folder;
  } catch {
    return null;
  }
}

/** The bundle lists the parts that it leaves out; when running from source everything is installed. */
function partsOf(require: NodeJS.Require): readonly OptionalPart[] {
  if (import.meta.url.endsWith('.ts')) return [];
  const { list } = require(fileURLToPath(new URL('../../bin/parts.cjs', import.meta.url))) as {
    readonly list: () => readonly OptionalPart[];
  };
  return list();
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A source of signals: `process`, or an emitter in a test. */
interface SignalSource {
  on(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
}

/**
 * Turns the first SIGINT or SIGTERM into an abort, so that work can shut down cleanly; every further one calls `quit`, which ends the
 * process immediately.
 */
export function watchInterrupts(source: SignalSource, quit: () => void): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    source.on(name, () => {
      if (controller.signal.aborted) quit();
      else controller.abort(new DOMException(`interrupted by ${name}`, 'AbortError'));
    });
  }
  return controller.signal;
}
