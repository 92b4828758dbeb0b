import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTrust } from '../../src/admin/run-trust.ts';
import type { ConfigInput } from '../../src/config/read-config-files.ts';
import { resolveConfig, type ConfigResolution } from '../../src/config/resolve-config.ts';
import { builtins } from '@kebab/builtins';
import { bundledKeys } from './bundled-keys.ts';
import { isKebabError, type KebabError } from '../../src/errors/kebab-error.ts';

/** A home directory and a working directory for a test, both below one temporary folder. */
export class ConfigWorld {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-config-')));
  readonly home = path.join(this.root, 'home');
  readonly cwd = path.join(this.root, 'work', 'project', 'deep');
  readonly userFile = path.join(this.home, '.config', 'kebab', 'config.toml');
  readonly project = path.join(this.root, 'work', 'project');

  constructor() {
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.cwd, { recursive: true });
  }

  /** Writes a file and returns its path; a relative path is relative to the project folder. */
  write(file: string, content: string): string {
    const target = path.resolve(this.project, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
    return target;
  }

  /** Writes a project file and trusts it in this state, including the plugins that it names by path. */
  async writeTrusted(name: string, content: string): Promise<string> {
    const file = this.write(name, content);
    await runTrust(this.trustTools, { kind: 'add', path: file });
    return file;
  }

  /** What trusting a file takes. */
  get trustTools(): Parameters<typeof runTrust>[0] {
    const pluginFolder = path.join(this.home, '.local/share/kebab/plugins');
    const folders = { state: path.join(this.home, '.local/state/kebab') };
    return { resolution: { keys: bundledKeys, folders, pluginFolder }, env: {}, homeDir: this.home };
  }

  resolve(input: Partial<ConfigInput> = {}): Promise<ConfigResolution> {
    return resolveConfig({ cwd: this.cwd, env: {}, homeDir: this.home, builtins, ...input });
  }

  /** The `config_invalid` error of a resolution. */
  async failure(input: Partial<ConfigInput> = {}): Promise<KebabError<'config_invalid'>> {
    return configInvalid(() => this.resolve(input));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The `config_invalid` error that an action throws; anything else fails the test. */
export async function configInvalid(action: () => unknown): Promise<KebabError<'config_invalid'>> {
  try {
    await action();
  } catch (error) {
    if (isKebabError(error, 'config_invalid')) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
