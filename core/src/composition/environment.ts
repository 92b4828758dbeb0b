import path from 'node:path';
import { booleanOfText } from '../schema/value.ts';
import { invalidConfig } from '../config/invalid-config.ts';
import { KebabError } from '../errors/kebab-error.ts';

/** The environment of a process, as a value: only hosts read it from the operating system. */
export interface AppEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Where temporary folders may be created. */
  readonly tmpDir: string;
  /** Called before code of a third-party plugin runs in this process: it may print to stdout, and end the process. */
  readonly beforeForeignCode?: (plugin: string) => void;
}

/** The switches set by variables that correspond to no configuration key. */
interface EnvironmentSwitches {
  /** `KEBAB_READONLY=1`, the same as `--readonly`. */
  readonly readonly: boolean;
  /** `KEBAB_LOG=debug`, the same as `--debug`. */
  readonly debug: boolean;
  /** Whether the variables of OpenTelemetry ask for traces. */
  readonly traced: boolean;
}

/** The variables of OpenTelemetry that name a collector. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** Reads the switches in an environment. Throws `config_invalid` for an invalid value. */
export function environmentSwitches(env: AppEnvironment['env']): EnvironmentSwitches {
  const log = (env['KEBAB_LOG'] ?? '').trim().toLowerCase();
  if (log !== '' && log !== 'debug') throw invalid('KEBAB_LOG', `must be debug, not ${JSON.stringify(log)}`);
  const progress = env['KEBAB_PROGRESS'] ?? '';
  if (progress.trim() !== '' && progress !== 'plain')
    throw invalid('KEBAB_PROGRESS', `must be plain, not ${JSON.stringify(progress)}`);
  const hasCollector = ENDPOINTS.some((name) => (env[name] ?? '') !== '');
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  return { readonly: isReadonly(env), debug: log === 'debug', traced: hasCollector && !isOff };
}

/** Whether `KEBAB_READONLY` enables read-only mode. Throws `config_invalid` for a value that is not a boolean. */
export function isReadonly(env: AppEnvironment['env']): boolean {
  const variable = 'KEBAB_READONLY';
  const text = env[variable] ?? '';
  if (text.trim() === '') return false;
  const value = booleanOfText(text);
  if (value === undefined)
    throw invalid(variable, `must be 1 or 0, true or false, yes or no, on or off, not "${text}"`);
  return value;
}

/** Where a process runs. */
type ProcessPlace = Pick<AppEnvironment, 'cwd' | 'homeDir'>;

/**
 * Reads where a process runs. Without a usable folder it is `/`, and `problem` is an `io_error` for a working directory that was deleted, and
 * a `config_invalid` for a home directory that is no absolute path, relative to which kebab's files would end up anywhere.
 */
export function placeOfProcess(read: {
  readonly [K in keyof ProcessPlace]: () => string;
}): ProcessPlace & { readonly problem: KebabError | null } {
  const [cwd, homeDir] = [attempt(read.cwd), attempt(read.homeDir)];
  const place = { cwd: cwd || '/', homeDir: path.isAbsolute(homeDir) ? homeDir : '/' };
  if (cwd === '') return { ...place, problem: noWorkingDirectory() };
  return { ...place, problem: path.isAbsolute(homeDir) ? null : noHome(homeDir) };
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function noWorkingDirectory(): KebabError<'io_error'> {
  const cause = 'the working directory does not exist any more';
  return new KebabError('io_error', cause, {
    details: { kind: 'working_directory', path: null, cause },
    hint: 'change to a folder that exists, such as with `cd`, then run the command again',
  });
}

function noHome(value: string): KebabError<'config_invalid'> {
  const cause = value === '' ? 'it is empty' : `${JSON.stringify(value)} is not an absolute path`;
  return new KebabError('config_invalid', `HOME names no folder: ${cause}`, {
    details: { path: null, key: 'HOME', cause, suggestion: null },
    hint: 'set the variable HOME to your home directory, or unset it',
  });
}

function invalid(variable: string, cause: string): Error {
  return invalidConfig({ origin: { origin: 'env', variable }, key: variable }, cause);
}
