import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { throwIfCancelled } from '../../errors/abort.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { folderSize } from '../folder-size.ts';

/** The environment of an npm run. */
export interface NpmRun {
  /** The folder of the package it works on; absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Called twice a second with the size of the folder in bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Settings that npm's own configuration may not override here: its output is parsed, and it must use the given folder. */
const SETTINGS: Readonly<Record<string, string>> = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_global: 'false',
  npm_config_location: 'project',
  npm_config_loglevel: 'error',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
  npm_config_omit: 'dev',
};
/** `npm pack` lists every file of a package, in some 100 characters each: a larger output does not end. */
const MAX_PRINTED_MIB = 64;
const LOOK_EVERY_MS = 500;

/**
 * Runs npm as a separate program, the one bundled with this Node, and returns its output. Registry, proxy and cache are as npm is
 * configured. Throws `io_error` when npm fails or its output does not end, `invalid_input` for a package that does not exist, and
 * `cancelled`; npm has exited then.
 */
export async function runNpm(args: readonly string[], { cwd, env, signal, onProgress }: NpmRun): Promise<string> {
  const options = { cwd, env: { ...env, ...SETTINGS }, maxBuffer: MAX_PRINTED_MIB * 2 ** 20 };
  const running = promisify(execFile)(process.execPath, [npmProgram(env), ...args], options);
  running.child.stdin?.end();
  const stop = (): void => void running.child.kill(); // with the signal as an option, npm would not have exited yet
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const looking = setInterval(() => {
    if (onProgress !== undefined) folderSize(cwd).then(onProgress, () => {}); // npm moves the files that are being counted
  }, LOOK_EVERY_MS);
  try {
    const { stdout } = await running;
    throwIfCancelled(signal, 'npm');
    return stdout;
  } catch (error) {
    throwIfCancelled(signal, 'npm');
    const { code, stderr = '' } = error as ExecFileException & { readonly stderr?: string };
    if (typeof code === 'number' || code === null) throw failureOf(stderr, args);
    throw code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? printedTooMuch(args) : error;
  } finally {
    clearInterval(looking);
    signal?.removeEventListener('abort', stop);
  }
}

/** npm's program next to the running Node, else the one that the command `npm` resolves to; npm is never run through a shell. */
function npmProgram(env: NpmRun['env']): string {
  const programs = path.dirname(realpathSync(process.execPath));
  const commands = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = [
    path.join(programs, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(programs, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...commands.map((folder) => path.join(folder, 'npm')),
  ];
  for (const candidate of candidates) {
    if (!existsSync(candidate)) continue;
    const file = realpathSync(candidate);
    if (path.basename(file) === 'npm-cli.js') return file;
  }
  throw new KebabError('io_error', `npm was not found beside ${process.execPath}, nor on the PATH`, {
    details: { kind: 'ENOENT', path: process.execPath, cause: 'npm is missing' },
    hint: 'install npm, which comes with Node from nodejs.org, and run this again',
  });
}

function printedTooMuch([command = '']: readonly string[]): KebabError<'io_error'> {
  const cause = `npm ${command} printed more than ${MAX_PRINTED_MIB} MiB`;
  return new KebabError('io_error', cause, {
    details: { kind: 'EFBIG', path: null, cause },
    hint: `nothing was installed; look at what \`npm ${command}\` prints`,
  });
}

/** Errors of npm when the registry is unreachable or denies access. */
const OUT_OF_REACH = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)$/;

function failureOf(complaints: string, args: readonly string[]): KebabError {
  const lines = complaints.split('\n').flatMap((line) => /^npm (?:error|ERR!) ?(.*)$/.exec(line)?.[1] ?? []);
  const code = lines.flatMap((line) => /^code (\S+)$/.exec(line)?.[1] ?? [])[0] ?? 'EUNKNOWN';
  const said = lines.filter(
    (line) => line !== '' && !/^(?:code|errno|syscall|path|network|A complete log)\b/.test(line),
  );
  const cause = (said[0] ?? complaints.trim().split('\n')[0] ?? '').replace(/^\d{3} /, '');
  const details = { kind: code, path: null, cause };
  if (args[0] === 'search' && code.startsWith('E4'))
    return new KebabError('io_error', `the npm registry does not support searches: ${cause}`, {
      details,
      hint: 'look on https://www.npmjs.com for packages with the keyword kebab-plugin',
    });
  if (code === 'E404' || code === 'ETARGET')
    return invalidInput(`npm does not find it: ${cause}`, {
      field: 'NAME',
      hint: 'look for plugins with `kebab plugin search WORD`, or give the path of a folder or a .tgz file',
    });
  if (OUT_OF_REACH.test(code))
    return new KebabError('io_error', `the npm registry cannot be reached (${code}): ${cause}`, {
      details,
      hint: 'check the connection and `npm config get registry`; what needs no further packages installs offline from a folder or a .tgz file',
    });
  if (code === 'EINTEGRITY')
    return new KebabError('io_error', `a package is not the one that was expected: ${cause}`, {
      details,
      hint: 'nothing was installed; clear a damaged cache with `npm cache verify` and run this again',
    });
  return new KebabError('io_error', `npm ${args[0] ?? ''} failed (${code}): ${cause}`, {
    details,
    hint: 'nothing was installed; run this again, or look into the log in ~/.npm/_logs',
  });
}
