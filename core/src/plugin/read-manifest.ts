import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { nearestName } from '../errors/invalid-input.ts';
import { readRegularText } from '../files/read-regular-file.ts';
import { pluginSectionOf, type PluginSection } from '../schema/plugin-section.ts';
import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import { PLUGIN_API, type PluginPermissions } from './define-plugin.ts';
import type { PluginPlace } from './resolve-plugin.ts';

/**
 * Reads the manifest of a plugin without running it: from the package.json of its package, or for a single file from the nearest one above
 * it; null when that has no `kebab` member. Throws `plugin_incompatible` for an unsupported plugin API and for a range that does not
 * include this version of kebab, and the error when a package cannot be found.
 */
export async function readManifest({ packageFolder, moduleUrl }: PluginPlace): Promise<PluginManifest | null> {
  const around = packageFolder === null ? packageAround(fileURLToPath(await moduleUrl())) : packageIn(packageFolder);
  if (around === null) return null;
  const { folder, packageJson } = around;
  const kebab = asObject(packageJson['kebab']);
  const wanted = { apiVersion: kebab?.['apiVersion'], kebab: kebab?.['kebab'] };
  if (kebab !== null) await checkFit(nameIn(packageJson, folder), wanted);
  return manifestOf(packageJson, folder);
}

/** A folder with its package.json. */
interface PackagePlace {
  readonly folder: string;
  readonly packageJson: Readonly<Record<string, unknown>>;
}

/** The nearest package.json above a file that can be read; null when there is none. */
export function packageAround(file: string): PackagePlace | null {
  const folder = path.dirname(file);
  return folder === file ? null : (packageIn(folder) ?? packageAround(folder));
}

function packageIn(folder: string): PackagePlace | null {
  const packageJson = packageJsonIn(folder);
  return packageJson === undefined ? null : { folder, packageJson };
}

function nameIn({ name }: Readonly<Record<string, unknown>>, folder: string): string {
  return typeof name === 'string' ? name : path.basename(folder);
}

/** The name and version of a package, even of one that is not a plugin or not compatible; null where they cannot be read. */
export function packageLabel({ packageFolder }: PluginPlace): Pick<PluginManifest, 'name' | 'version'> | null {
  const { name, version } = (packageFolder === null ? undefined : packageJsonIn(packageFolder)) ?? {};
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
}

/** Far larger than any real package.json. */
const MAX_MANIFEST_BYTES = 1_048_576;

/** Undefined when there is none that can be read. */
function packageJsonIn(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseObject(readRegularText(path.join(folder, 'package.json'), { maxBytes: MAX_MANIFEST_BYTES }));
  } catch {
    return undefined;
  }
}

/** Extracts the manifest from the package.json of a plugin that fits; null when it has no `kebab` member. Throws for unknown members. */
export function manifestOf(packageJson: Readonly<Record<string, unknown>>, where: string): PluginManifest | null {
  const kebab = asObject(packageJson['kebab']);
  if (kebab === null) return null;
  const name = nameIn(packageJson, where);
  const version = typeof packageJson['version'] === 'string' ? packageJson['version'] : '0.0.0';
  return {
    name,
    version,
    apiVersion: PLUGIN_API,
    contributes: contributesOf(kebab['contributes']),
    permissions: permissionsOf(kebab['permissions']),
    ...(kebab['section'] === undefined ? {} : { section: pluginSectionOf(kebab['section']) }),
  };
}

/** Creates a bundled plugin from its package.json and its module. Throws when the package.json is not that of a plugin. */
export function bundledPlugin(
  packageJson: Readonly<Record<string, unknown>>,
  load: BuiltinPlugin['load'],
): BuiltinPlugin {
  const manifest = manifestOf(packageJson, '');
  if (manifest === null) throw new TypeError(`${String(packageJson['name'])} has no "kebab" member`);
  return { manifest, load };
}

function contributesOf(declared: unknown): PluginManifest['contributes'] {
  const ids = Object.entries(tableOf(declared, 'contributes'));
  if (ids.every(([, names]) => Array.isArray(names) && names.length === 0))
    throw new TypeError(
      'its package.json contributes nothing: "contributes" lists ids by kind, as { "extractor": ["my-id"] }',
    );
  return Object.fromEntries(ids.map(([kind, names]) => [checkedKind(kind), textsOf(names, `contributes.${kind}`)]));
}

/** Throws for an unknown kind, with the nearest known one. */
export function checkedKind(kind: string): PluginKind {
  if (!(PLUGIN_KINDS as readonly string[]).includes(kind))
    throw new TypeError(`it contributes "${kind}", which is not a kind kebab knows${nearest(kind, PLUGIN_KINDS)}`);
  return kind as PluginKind;
}

const PERMISSIONS = ['fs', 'net', 'spawn'] as const satisfies readonly (keyof PluginPermissions)[];
const FOLDERS: readonly PluginPermissions['fs'][] = ['none', 'input-only', 'data-dir'];

/** The declared permissions of a plugin; omitted ones are not granted. Throws for unknown ones. */
export function permissionsOf(declared: unknown): PluginPermissions {
  const table = tableOf(declared, 'permissions');
  const unknown = Object.keys(table).find((name) => !(PERMISSIONS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new TypeError(`its permissions hold "${unknown}", which kebab does not know${nearest(unknown, PERMISSIONS)}`);
  const { fs = 'none', net, spawn } = table;
  const folder = FOLDERS.find((known) => known === fs);
  if (folder === undefined)
    throw new TypeError(`its permissions.fs is ${JSON.stringify(fs)}, which is none of ${FOLDERS.join(', ')}`);
  return { fs: folder, net: textsOf(net, 'permissions.net'), spawn: textsOf(spawn, 'permissions.spawn') };
}

function nearest(name: string, known: readonly string[]): string {
  const found = nearestName(name, known);
  return found === undefined ? '' : `: did you mean "${found}"?`;
}

/** The version requirements of a plugin, unvalidated. */
interface WantedKebab {
  readonly apiVersion: unknown;
  /** A range of kebab versions; undefined for any. */
  readonly kebab: unknown;
}

/**
 * Throws `plugin_incompatible` unless the plugin was written for this plugin API and its range includes this version of kebab. The plugin
 * API is already 1 before kebab 1.0, so `^1` fits there too.
 */
export async function checkFit(plugin: string, { apiVersion, kebab = '*' }: WantedKebab): Promise<void> {
  if (apiVersion !== PLUGIN_API) {
    const found = typeof apiVersion === 'number' && Number.isInteger(apiVersion) ? apiVersion : null;
    const reason =
      found === null
        ? `it names no plugin API version (write "apiVersion": ${PLUGIN_API} in the "kebab" member of its package.json)`
        : `it was written for plugin API ${found}`;
    throw misfit(plugin, found, { reason, instead: `this kebab speaks ${PLUGIN_API}` });
  }
  const fits = typeof kebab === 'string' ? await isWanted(kebab) : null;
  if (fits === true) return;
  const reason =
    fits === null ? `${JSON.stringify(kebab)} is no range of versions of kebab` : `it wants kebab ${kebab as string}`;
  throw misfit(plugin, PLUGIN_API, { reason, instead: `this is ${KEBAB_VERSION}` });
}

/** Null for what is no range. */
async function isWanted(range: string): Promise<boolean | null> {
  if (range === '*') return true;
  const { default: semver } = await import('semver');
  if (semver.validRange(range) === null) return null;
  const versions = KEBAB_VERSION.startsWith('0.') ? [KEBAB_VERSION, '1.0.0'] : [KEBAB_VERSION];
  return versions.some((version) => semver.satisfies(version, range));
}

function misfit(
  plugin: string,
  apiVersion: number | null,
  { reason, instead }: { readonly reason: string; readonly instead: string },
): KebabError<'plugin_incompatible'> {
  return new KebabError('plugin_incompatible', `${plugin} does not fit: ${reason}, ${instead}`, {
    details: { plugin, api_version: apiVersion, supported: [PLUGIN_API], reason },
  });
}

function tableOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const table = value === undefined ? {} : asObject(value);
  if (table === null) throw new TypeError(`its ${name} are no table`);
  return table;
}

function textsOf(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new TypeError(`its ${name} is not a list of texts`);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

/** The manifest of a plugin, the `kebab` member of its package.json: readable without running code. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  /** Ids by kind. */
  readonly contributes: { readonly [K in PluginKind]?: readonly string[] };
  readonly permissions: PluginPermissions;
  /** Its section of kebab's configuration, if it has one. */
  readonly section?: PluginSection | undefined;
}

/** A bundled plugin: its manifest, and its module, loaded when one of its contributions is first used. */
export interface BuiltinPlugin {
  readonly manifest: PluginManifest;
  readonly load: () => Promise<{ readonly default: unknown }>;
}
