import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { expandedName } from '../config/expand-path.ts';
import type { KeyTable } from '../config/key-table.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import {
  findProject,
  isFile,
  isProjectFile,
  loadConfigFile,
  PROJECT_FILE_NAMES,
  projectConfigFile,
} from '../config/load-config.ts';
import { installedSections } from '../config/installed-sections.ts';
import { pluginsIn, settingsOf } from '../config/read-config-files.ts';
import { bondOf, isUnchanged, type PathVariables, restrictedSettings } from '../config/project-trust.ts';
import {
  readTrusted,
  trustStoreIn,
  withoutTrusted,
  withTrusted,
  writeTrusted,
  type TrustedFile,
} from '../config/trust-store.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { declaredPlugin } from '../plugin/find-plugins.ts';
import type { TrustReport } from '../wire/index.ts';

/**
 * An operation on the list of trusted project files. A path is absolute: a project file, or a folder whose nearest project file, in it or
 * above, is meant.
 */
export type TrustRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly path: string }
  | { readonly kind: 'revoke'; readonly path: string };

/** The keys of kebab, and where the list and a project file's plugins are. */
interface TrustTools extends PathVariables {
  readonly resolution: Pick<ConfigResolution, 'keys' | 'pluginFolder'> & {
    readonly folders: Pick<ConfigResolution['folders'], 'state'>;
  };
}

/**
 * Lists trusted project files, trusts one in its current state, or revokes the trust. Adding reports the settings in the file that require
 * trust, and the permissions that the plugins it enables declare. Any later edit of the file, or of a plugin that it names by path, ends
 * the trust. Throws `invalid_input` for what is not a project file, `config_invalid` for an invalid one, `io_error` for a list that cannot
 * be read.
 */
export async function runTrust(tools: TrustTools, request: TrustRequest): Promise<TrustReport> {
  const store = trustStoreIn(tools.resolution.folders.state);
  const trusted = readTrusted(store);
  const entries = async (): Promise<readonly TrustEntry[]> => {
    switch (request.kind) {
      case 'list':
        return Promise.all(trusted.map((file) => stateOf(file, tools)));
      case 'add':
        return [await add({ store, trusted }, request.path, tools)];
      case 'revoke':
        return [await revoke({ store, trusted }, request.path)];
      default:
        return request satisfies never;
    }
  };
  return { schema_version: 'trust_report.v1', entries: await entries() };
}

/** A file that was trusted once, and whether it still is. One that is not has neither settings nor plugins. */
type TrustEntry = TrustReport['entries'][number];

interface TrustList {
  readonly store: string;
  readonly trusted: readonly TrustedFile[];
}

/** An invalid file should not be trusted, so it is parsed completely first. */
async function add({ store, trusted }: TrustList, folderOrFile: string, tools: TrustTools): Promise<TrustEntry> {
  const file = await projectFileAt(folderOrFile);
  if (file === undefined)
    throw invalidInput(`there is no project file to trust at ${folderOrFile}`, {
      field: 'path',
      value: folderOrFile,
      allowed: PROJECT_FILE_NAMES,
    });
  const { bond, asks, plugins } = await lookInto(file, tools);
  writeTrusted(store, withTrusted(trusted, bond));
  return { path: bond.path, hash: bond.hash, trusted: true, asks, plugins };
}

/** Also accepts a path in the list whose file is gone. */
async function revoke({ store, trusted }: TrustList, folderOrFile: string): Promise<TrustEntry> {
  const file = await projectFileAt(folderOrFile);
  const real = file === undefined ? path.resolve(folderOrFile) : realpathSync(file);
  const entry = trusted.find((one) => one.path === real);
  if (entry === undefined)
    throw invalidInput(`${folderOrFile} is not trusted`, {
      field: 'path',
      value: folderOrFile,
      allowed: trusted.map((one) => one.path),
      hint: 'see what is trusted with `kebab trust --list`',
    });
  writeTrusted(store, withoutTrusted(trusted, real));
  return { path: real, hash: entry.hash, trusted: false, asks: [], plugins: [] };
}

/** A file that is gone, was edited or is invalid is not trusted. */
async function stateOf(file: TrustedFile, tools: TrustTools): Promise<TrustEntry> {
  const entry = { path: file.path, hash: file.hash };
  try {
    const { bond, asks, plugins } = await lookInto(file.path, tools);
    if (isUnchanged(file, bond)) return { ...entry, trusted: true, asks, plugins };
  } catch {
    // Trusting it again would report the problem.
  }
  return { ...entry, trusted: false, asks: [], plugins: [] };
}

/** The settings of a project file that require trust, read without running any code. */
async function lookInto(file: string, { resolution, ...variables }: TrustTools) {
  const { keys: known, pluginFolder } = resolution;
  const loaded = await loadConfigFile(file);
  const entries = pluginsIn(file, loaded);
  const scope = { ...variables, base: path.dirname(realpathSync(file)), dataDir: null };
  const search = { keys: known, builtins: new Set<string>(), pluginFolder, withoutPatterns: true };
  const { keys } = await installedSections([{ entries, scope }], search);
  const settings = settingsOf(keys, file, loaded);
  const bond = bondOf({ path: file, text: loaded.text, plugins: entries }, variables);
  const named = entries.filter(({ enabled }) => enabled);
  const plugins = await Promise.all(
    named.map(({ name }) => declaredPlugin({ name: expandedName(name, scope) }, pluginFolder)),
  );
  return { bond, asks: restrictedSettings(settings, secretsAmong(keys)), plugins };
}

function secretsAmong({ keys }: KeyTable): ReadonlySet<string> {
  return new Set(keys.flatMap(({ name, key }) => (key.kind === 'text' && key.secret === true ? [name] : [])));
}

/** The file itself if it has the name of a project file; for a folder, the nearest one in it or above. */
async function projectFileAt(folderOrFile: string): Promise<string | undefined> {
  const stats = statSync(folderOrFile, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return nearestFile(folderOrFile);
  return stats?.isFile() === true && isProjectFile(path.resolve(folderOrFile)) ? path.resolve(folderOrFile) : undefined;
}

async function nearestFile(folder: string): Promise<string | undefined> {
  const project = await findProject(folder);
  const own =
    project?.kebabFolder === undefined || project.kebabFolder === null ? '' : projectConfigFile(project.kebabFolder);
  return project?.file?.path ?? (isFile(own) ? own : undefined);
}
