import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { findProjectFile, PROJECT_FILE_NAMES } from '../config/find-project-file.ts';
import { CONFIG_KEYS } from '../config/keys.ts';
import { loadConfigFile } from '../config/load-config-file.ts';
import { readTable } from '../config/read-table.ts';
import { trustReport, type TrustState } from '../config/trust-report.ts';
import {
  readTrusted,
  trustStoreIn,
  withoutTrusted,
  withTrusted,
  writeTrusted,
  type TrustedFile,
} from '../config/trust-store.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { declaredPlugin, type DeclaredPlugin } from '../plugin/declared-plugin.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { TrustReport } from '../wire/index.ts';

/** What to do with the list of trusted project files. A path is absolute: a project file, or a folder at or above which one lies. */
export type TrustRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly path: string }
  | { readonly kind: 'revoke'; readonly path: string };

/** What trusting takes. */
export interface TrustTools {
  readonly stateDir: string;
  /** Names of the plugins that came with kebab: naming one of these takes no trust. */
  readonly builtinPlugins: readonly string[];
}

/**
 * Lists trusted project files, trusts one as it is now, or takes the trust back; adding and revoking report that one
 * file, with what the plugins that it enables declare. Any later edit ends the trust. Throws `invalid_input` for what is not a
 * project file, `config_invalid` for one that cannot be used, `io_error` for a list that cannot be read.
 */
export async function runTrust(request: TrustRequest, { stateDir, builtinPlugins }: TrustTools): Promise<TrustReport> {
  const store = trustStoreIn(stateDir);
  const trusted = readTrusted(store);
  switch (request.kind) {
    case 'list':
      return trustReport(await Promise.all(trusted.map((file) => stateOf(file, builtinPlugins))));
    case 'add':
      return trustReport([await add({ store, trusted, builtinPlugins }, request.path)]);
    case 'revoke':
      return trustReport([revoke(store, trusted, request.path)]);
    default:
      return request satisfies never;
  }
}

async function add(
  { store, trusted, builtinPlugins }: Pick<TrustTools, 'builtinPlugins'> & TrustList,
  asked: string,
): Promise<TrustState> {
  const found = projectFileAt(asked);
  if (found === undefined)
    throw invalidInput(`there is no project file to trust at ${asked}`, {
      field: 'path',
      value: asked,
      allowed: PROJECT_FILE_NAMES,
    });
  const file = { path: realpathSync(found), hash: blake3Hex(readFileSync(found)) };
  const plugins = await pluginsIn(file.path, builtinPlugins); // a file that cannot be used is not worth trusting
  writeTrusted(store, withTrusted(trusted, file));
  return { ...file, trusted: true, plugins };
}

interface TrustList {
  readonly store: string;
  readonly trusted: readonly TrustedFile[];
}

/** Also takes a path of the list whose file is gone. */
function revoke(store: string, trusted: readonly TrustedFile[], asked: string): TrustState {
  const found = projectFileAt(asked);
  const real = found === undefined ? path.resolve(asked) : realpathSync(found);
  const entry = trusted.find((file) => file.path === real);
  if (entry === undefined)
    throw invalidInput(`${asked} is not trusted`, {
      field: 'path',
      value: asked,
      allowed: trusted.map((file) => file.path),
      hint: 'see what is trusted with `kebab trust --list`',
    });
  writeTrusted(store, withoutTrusted(trusted, real));
  return { ...entry, trusted: false, plugins: [] };
}

/** A file that is as it was trusted, but cannot be used by this kebab, enables nothing. */
async function stateOf(file: TrustedFile, builtinPlugins: readonly string[]): Promise<TrustState> {
  if (!isAsTrusted(file)) return { ...file, trusted: false, plugins: [] };
  return { ...file, trusted: true, plugins: await pluginsIn(file.path, builtinPlugins).catch(() => []) };
}

/** The plugins that a project file enables beside those that came with kebab. */
async function pluginsIn(file: string, builtinPlugins: readonly string[]): Promise<readonly DeclaredPlugin[]> {
  const { table } = await loadConfigFile(file);
  const values = new Map(readTable(table, CONFIG_KEYS, '', { origin: 'file', path: file }));
  const named = (values.get('plugins') ?? []) as readonly PluginEntry[];
  const foreign = named.filter(({ name, enabled }) => enabled && !builtinPlugins.includes(name));
  return Promise.all(foreign.map((entry) => declaredPlugin(entry, file)));
}

/** The file itself when it is named as project files are; from a folder, the nearest one at or above it. */
function projectFileAt(asked: string): string | undefined {
  const stats = statSync(asked, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return findProjectFile(asked)?.path;
  const isNamed = (PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(asked));
  return stats?.isFile() === true && isNamed ? path.resolve(asked) : undefined;
}

/** A file that cannot be read counts as changed. */
function isAsTrusted({ path: file, hash }: TrustedFile): boolean {
  try {
    return blake3Hex(readFileSync(file)) === hash;
  } catch {
    return false;
  }
}
