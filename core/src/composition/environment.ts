import { booleanOfText } from '../schema/value.ts';
import { invalidConfig } from '../config/invalid-config.ts';

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
}

/** Reads the switches in an environment. Throws `config_invalid` for an invalid value. */
export function environmentSwitches(env: AppEnvironment['env']): EnvironmentSwitches {
  const log = (env['KEBAB_LOG'] ?? '').trim().toLowerCase();
  if (log !== '' && log !== 'debug') throw invalid('KEBAB_LOG', `must be debug, not ${JSON.stringify(log)}`);
  const progress = env['KEBAB_PROGRESS'] ?? '';
  if (progress.trim() !== '' && progress !== 'plain')
    throw invalid('KEBAB_PROGRESS', `must be plain, not ${JSON.stringify(progress)}`);
  return { readonly: isReadonly(env), debug: log === 'debug' };
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

function invalid(variable: string, cause: string): Error {
  return invalidConfig({ origin: { origin: 'env', variable }, key: variable }, cause);
}
