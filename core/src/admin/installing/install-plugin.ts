import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfigFile } from '../../config/load-config.ts';
import { isTable } from '../../schema/value.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import { invalidInput, nearestName } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { PluginPermissions } from '../../plugin/define-plugin.ts';
import { BUILD_FIRST } from '../../plugin/import-plugin.ts';
import { kindsOf } from '../../plugin/loaded-plugin.ts';
import { firstLine } from '../../plugin/plugin-failure.ts';
import { type PluginManifest, readManifest } from '../../plugin/read-manifest.ts';
import { locatePlugin } from '../../plugin/resolve-plugin.ts';
import type { PluginChange } from '../../wire/index.ts';
import { folderSize } from '../folder-size.ts';
import { type ConfigTools, changeFile } from '../run-config.ts';
import { installPart, type OptionalPart, pluginChange, PluginFolder } from './plugin-folder.ts';
import { runNpm } from './run-npm.ts';

/** The host's settings for installing plugins. */
export interface InstallSetup {
  /** The folders of kebab's own packages that plugins import, by name: no plugin brings its own copy of the engine. */
  readonly ownPackages: Readonly<Record<string, string>>;
  readonly parts: readonly OptionalPart[];
  /** kebab's own plugins that are not built in, by the short name that means them. */
  readonly formats: Readonly<Record<string, OwnFormat>>;
}

/** One of kebab's own plugins that are not built in. */
export interface OwnFormat {
  readonly package: string;
  /** The folder of the package in a checkout, which needs no installation; null elsewhere. */
  readonly folder: string | null;
}

/** A plugin that is about to be installed; none of its code has run. */
export interface PluginOffer {
  readonly name: string;
  readonly version: string;
  readonly kinds: readonly string[];
  readonly permissions: PluginPermissions;
  /** The installed version; null when there is none. */
  readonly previous: string | null;
  /** The permissions that the user granted it before; null when it is not installed. */
  readonly agreed: PluginPermissions | null;
  readonly integrity: string;
  /** The packages with install scripts. */
  readonly scripts: readonly string[];
}

/** Options of an installation. */
export interface PluginInstallOptions extends AbortOptions {
  /** Called before a plugin is put in place; a plugin that is declined leaves nothing behind. */
  readonly consent: (offer: PluginOffer) => Promise<boolean>;
  /** Runs the install scripts of packages, which may do anything; they do not run by default. */
  readonly allowScripts?: boolean | undefined;
  /** Called twice a second with the number of bytes so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Options of a removal. */
export interface PluginRemoveOptions {
  /** Called for a plugin or part that is there, before it is removed; one that is declined stays. */
  readonly consent: () => Promise<boolean>;
}

/** The dependencies of an installation. */
interface InstallTools extends ConfigTools {
  readonly setup: InstallSetup;
  /** Names that third-party plugins may not use. */
  readonly builtins: ReadonlySet<string>;
}

const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?=@|$)/;
const TARBALL = /\.(?:tgz|tar\.gz)$/;

/**
 * Installs an optional part of kebab, or a plugin from the registry, a folder or a tarball, into kebab's own folder, and enables it in the
 * user's configuration. The previous version stays until the new one is complete. A short name is only that of a part or a format of kebab:
 * the registry has unrelated packages of such names. Throws `invalid_input` for what is not a plugin, `plugin_incompatible`, and errors of
 * npm.
 */
export async function installPlugin(
  tools: InstallTools,
  spec: string,
  options: PluginInstallOptions,
): Promise<PluginChange> {
  const part = tools.setup.parts.find(({ name }) => name === spec);
  if (part !== undefined) return installPart(part, { ...tools, pluginFolder: tools.resolution.pluginFolder }, options);
  const format = Object.hasOwn(tools.setup.formats, spec) ? tools.setup.formats[spec] : undefined;
  if (format === undefined) return installFrom(tools, await sourceOf(spec, tools), options);
  if (format.folder === null) return installFrom(tools, format.package, options);
  return enableInPlace({ name: format.package, folder: format.folder }, tools);
}

/** Enables a plugin where it is. */
async function enableInPlace(
  { name, folder }: { readonly name: string; readonly folder: string },
  tools: InstallTools,
): Promise<PluginChange> {
  const { file, hint } = await enablePlugin(folder, tools);
  return pluginChange({ action: file === null ? 'unchanged' : 'installed', name, folder, config_file: file, hint });
}

/** Reinstalls a plugin or a part: the latest version in its range, or the current state of the folder or tarball. */
export async function updatePlugin(
  tools: InstallTools,
  name: string,
  options: PluginInstallOptions,
): Promise<PluginChange> {
  const part = tools.setup.parts.find((one) => one.name === name);
  if (part !== undefined) return installPart(part, { ...tools, pluginFolder: tools.resolution.pluginFolder }, options);
  const locked = new PluginFolder(tools.resolution.pluginFolder).locked()[packageOf(name, tools)];
  if (locked === undefined) throw notInstalled(name, tools);
  return installFrom(tools, locked.from, options);
}

/**
 * Removes an installed plugin or part, and removes a plugin from the user's configuration. Documents are not changed. Throws
 * `invalid_input`, before it asks for consent, if the name is neither installed nor in the user's configuration.
 */
export async function removePlugin(
  tools: InstallTools,
  typed: string,
  { consent }: PluginRemoveOptions,
): Promise<PluginChange> {
  const name = packageOf(typed, tools);
  const folder = new PluginFolder(tools.resolution.pluginFolder);
  const isPart = tools.setup.parts.some((one) => one.name === name);
  const isThere = isPart ? folder.hasPart(name) : folder.has(name) || (await isWritten(name, tools));
  if (!isThere) throw notInstalled(name, tools);
  const kind = isPart ? 'part' : 'plugin';
  if (!(await consent())) return pluginChange({ action: 'declined', kind, name });
  await (isPart ? folder.removePart(name) : folder.remove(name));
  const file = isPart ? null : await disablePlugin(name, tools);
  const hint = isPart
    ? `kebab plugin install ${name}`
    : 'documents that only it reads stay as they are: `kebab status` names them, `kebab reset --orphans-only` removes them';
  return pluginChange({ action: 'removed', kind, name, config_file: file, hint });
}

/** What the configuration calls a plugin that is named by its short name. */
function packageOf(name: string, { setup: { formats } }: InstallTools): string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  return format === undefined ? name : (format.folder ?? format.package);
}

/** Whether the user's configuration names a plugin. */
async function isWritten(name: string, tools: ConfigTools): Promise<boolean> {
  return (await writtenIn(tools.resolution.userFile)).some((entry) => nameOf(entry) === name);
}

/** Names by which a package says that it is a plugin of kebab, or that belong to a scope. */
const FULL_NAME = /^(?:@|kebab-)/;

/** Keeps a full name with its range, and makes a path absolute. */
async function sourceOf(spec: string, { cwd, setup }: InstallTools): Promise<string> {
  const file = path.resolve(cwd, spec);
  const stats = statSync(file, { throwIfNoEntry: false });
  const isPathTyped = /^[.~/\\]/.test(spec) || path.isAbsolute(spec) || TARBALL.test(spec);
  if (stats === undefined || (!isPathTyped && PACKAGE_NAME.test(spec) && !stats.isDirectory())) {
    if (!isPathTyped && PACKAGE_NAME.test(spec) && !/^[^@].*:|^@.*:/.test(spec)) {
      if (FULL_NAME.test(spec)) return spec;
      throw notOurs(spec, setup);
    }
    throw invalidInput(isPathTyped ? `there is no ${file}` : `${JSON.stringify(spec)} is not a package name`, {
      field: 'NAME',
      value: spec,
      hint: 'give the name of a package, the path of its folder, or of a .tgz file',
    });
  }
  if (stats.isDirectory() ? existsSync(path.join(file, 'package.json')) : TARBALL.test(file)) return file;
  throw invalidInput(`${file} is neither the folder of a package nor a tarball`, {
    field: 'NAME',
    value: spec,
    hint: stats.isDirectory()
      ? 'a package has a package.json'
      : 'a single file is not installed: add its path to `plugins` in the configuration',
  });
}

function notOurs(spec: string, { parts, formats }: InstallSetup): Error {
  const ours = [...parts.map(({ name }) => name), ...Object.keys(formats)];
  const [bare = spec] = spec.split('@', 1);
  return invalidInput(`kebab has no part named ${JSON.stringify(spec)}; it has ${ours.join(', ')}`, {
    field: 'NAME',
    value: spec,
    suggestion: nearestName(bare, ours),
    hint: `a plugin of somebody else is installed by its full name: kebab-plugin-${bare} or @SCOPE/${bare}, or by the path of its folder`,
  });
}

async function installFrom(tools: InstallTools, from: string, options: PluginInstallOptions): Promise<PluginChange> {
  const { env, setup, resolution, builtins } = tools;
  const folder = new PluginFolder(resolution.pluginFolder);
  const result = await folder.staged('packages', async (staging) => {
    const run = { cwd: staging, env, signal: options.signal, onProgress: options.onProgress };
    writePackage(staging, {});
    const { name, version, integrity, filename } = packedBy(
      await runNpm(['pack', from, '--json', '--ignore-scripts'], run),
    );
    const before = folder.locked()[name];
    const previous = before?.version ?? null;
    const outcome = { name, version, previous, locked: null, scripts: [], isAgreed: true };
    if (before !== undefined && before.integrity === integrity && before.from === from) return outcome;
    if (builtins.has(name)) throw invalidInput(`${name} is already part of kebab`, { field: 'NAME', value: name });
    const own = Object.entries(setup.ownPackages).map(([owned, place]) => [owned, `file:${place}`]);
    writePackage(staging, { ...Object.fromEntries(own), [name]: `file:${filename}` });
    await runNpm(['install', '--ignore-scripts'], run);
    const manifest = await manifestIn(staging, name);
    const scripts = scriptsIn(staging);
    const { permissions } = manifest;
    const agreed = before?.permissions ?? null;
    const offer = { name, version, kinds: kindsOf(manifest), permissions, previous, agreed, integrity, scripts };
    if (!(await options.consent(offer))) return { ...outcome, scripts, isAgreed: false };
    if (options.allowScripts === true && scripts.length > 0) await runNpm(['rebuild'], run);
    const locked = await folder.place(staging, name, { version, integrity, from, permissions });
    return { ...outcome, locked, scripts };
  });
  const { name, version, previous, locked, scripts, isAgreed } = result;
  const place = locked === null ? null : path.join(folder.root, 'packages', locked.folder);
  const enabled = isAgreed ? await enablePlugin(name, tools) : null;
  const unrun = options.allowScripts === true || locked === null ? [] : scripts;
  return pluginChange({
    action: !isAgreed ? 'declined' : locked === null ? 'unchanged' : previous === null ? 'installed' : 'updated',
    name,
    version,
    previous,
    folder: place,
    bytes: place === null ? 0 : await folderSize(place),
    config_file: enabled?.file ?? null,
    scripts: [...unrun],
    hint: enabled?.hint ?? (unrun.length === 0 ? null : SCRIPTS_HINT),
  });
}

const SCRIPTS_HINT =
  'install scripts did not run; where the plugin does not work without them, install it again with --allow-scripts';

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly filename: string;
}

/** Parses the output of `npm pack --json`; for a scoped package older versions of npm report a name that differs from that of the file. */
function packedBy(printed: string): Packed {
  const [packed] = Object.values(JSON.parse(printed.slice(printed.search(/[[{]/))) as Readonly<Record<string, Packed>>);
  if (packed === undefined) throw new Error('npm packed nothing');
  return { ...packed, filename: packed.filename.replace(/^@/, '').replace('/', '-') };
}

function writePackage(folder: string, dependencies: Readonly<Record<string, string>>): void {
  const content = { private: true, description: 'A plugin of kebab and what it depends on', dependencies };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

/** Reads the manifest of a package without running its code. */
async function manifestIn(staging: string, name: string): Promise<PluginManifest> {
  const place = locatePlugin(name, staging);
  const refused = (reason: string, hint: string): Error =>
    invalidInput(`${name} ${reason}`, { field: 'NAME', value: name, hint });
  const manifest = await readManifest(place).catch((error: unknown) => {
    if (isKebabError(error)) throw error;
    throw refused(`cannot be used: ${firstLine(error)}`, 'nothing was installed; report it to its author');
  });
  if (manifest === null)
    throw refused('is not a kebab plugin: its package.json has no "kebab" member', 'nothing was installed');
  const module = fileURLToPath(await place.moduleUrl());
  if (existsSync(module)) return manifest;
  throw refused(
    `has no module to load: there is no ${path.relative(place.path, module)} in it`,
    `nothing was installed; ${BUILD_FIRST}`,
  );
}

/** The packages whose scripts npm would have run, from the lock file that it has just written. */
function scriptsIn(staging: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(path.join(staging, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  return Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
    hasInstallScript === true ? [place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );
}

function notInstalled(name: string, { resolution, setup }: InstallTools): Error {
  const installed = Object.keys(new PluginFolder(resolution.pluginFolder).locked());
  const known = [...installed, ...setup.parts.map((part) => part.name)];
  const others = known.filter((one) => one !== name);
  return invalidInput(`${name} is not installed in ${resolution.pluginFolder}`, {
    field: 'NAME',
    value: name,
    suggestion: nearestName(name, others),
    hint: 'see `kebab plugin list`; a plugin that is named by its path is taken out of `plugins` in the configuration',
  });
}

const KEY = ['plugins'] as const;

/** The state of a plugin in the configuration after enabling it. */
interface Enabled {
  /** The file that was changed; null when it already named the plugin. */
  readonly file: string | null;
  /** Why it does not run yet, and what to do; null when it does. */
  readonly hint: string | null;
}

/**
 * Adds a plugin to the user's configuration, unless it is there already: a project cannot enable plugins for its user. A plugin that is
 * disabled there stays disabled.
 */
async function enablePlugin(name: string, tools: ConfigTools): Promise<Enabled> {
  const file = tools.resolution.userFile;
  const list = await writtenIn(file);
  const at = list.findIndex((entry) => nameOf(entry) === name);
  if (at === -1) {
    const edit = list.some((entry) => typeof entry !== 'string')
      ? ({ kind: 'append', path: KEY, table: { name } } as const)
      : ({ kind: 'set', path: KEY, value: [...list, name] } as const);
    await changeFile(file, edit, tools);
  }
  const changed = at === -1 ? file : null;
  const entry = list[at];
  if (isTable(entry) && entry['enabled'] === false)
    return { file: changed, hint: `it is switched off in ${file}: set enabled = true there` };
  return { file: changed, hint: await whyNotInEffect(name, tools) };
}

/** Removes a plugin from the user's configuration, and returns the file that was changed; null when it did not name the plugin. */
async function disablePlugin(name: string, tools: ConfigTools): Promise<string | null> {
  const file = tools.resolution.userFile;
  const list = await writtenIn(file);
  const index = list.findIndex((entry) => nameOf(entry) === name);
  if (index === -1) return null;
  const rest = list.filter((_, at) => at !== index);
  const isPlain = list.every((entry) => typeof entry === 'string');
  const edit = !isPlain
    ? ({ kind: 'remove', path: KEY, index } as const)
    : rest.length === 0
      ? ({ kind: 'unset', path: KEY } as const)
      : ({ kind: 'set', path: KEY, value: rest } as const);
  return (await changeFile(file, edit, tools)) ? file : null;
}

async function writtenIn(file: string): Promise<readonly unknown[]> {
  if (!existsSync(file)) return [];
  const { table } = await loadConfigFile(file);
  const list: unknown = isTable(table) ? table['plugins'] : undefined;
  return Array.isArray(list) ? list : [];
}

function nameOf(entry: unknown): unknown {
  return isTable(entry) ? entry['name'] : entry;
}

async function whyNotInEffect(name: string, { resolveAgain }: ConfigTools): Promise<string | null> {
  try {
    const { config, origins } = await resolveAgain({ whole: true });
    if (config.plugins.some((plugin) => plugin.name === name)) return null;
    const origin = origins.get('plugins');
    const winner = origin?.origin === 'file' ? origin.path : origin?.origin === 'env' ? origin.variable : null;
    return winner === null ? null : `plugins is set in ${winner}, which takes precedence: add ${name} there as well`;
  } catch (error) {
    if (isKebabError(error, 'config_invalid')) return error.message;
    throw error;
  }
}
