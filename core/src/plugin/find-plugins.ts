import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { isKebabError } from '../errors/kebab-error.ts';
import { asPlugin } from './as-plugin.ts';
import { contributedIds, kindsOf, type LoadedPlugin } from './loaded-plugin.ts';
import { PLUGIN_API } from './define-plugin.ts';
import { firstLine } from './plugin-failure.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginReport, PluginState } from './plugin-report.ts';
import { readManifest } from './read-manifest.ts';

/** A plugin as a configuration or a flag names it. */
export interface PluginEntry {
  /** A package name, or a path. */
  readonly name: string;
  readonly config: unknown;
  readonly enabled: boolean;
}

/** What was found of the plugins that a configuration names. */
export interface FoundPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** Those that cannot be used, and why; the rest of the program works. */
  readonly rejected: readonly PluginReport[];
}

/**
 * Finds third-party plugins, in the order given, without running the code of any package that has a manifest. Specifiers
 * are resolved as an import written in `fromFile` would be.
 */
export async function findPlugins(entries: readonly PluginEntry[], fromFile: string): Promise<FoundPlugins> {
  // Settled together: awaiting imports one by one would leave a second rejection unobserved, which ends the process.
  const settled = await Promise.allSettled(entries.map((entry) => findPlugin(entry, fromFile)));
  const plugins: LoadedPlugin[] = [];
  const rejected: PluginReport[] = [];
  for (const [index, outcome] of settled.entries()) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (outcome.status === 'rejected') rejected.push(rejection(entry, outcome.reason));
    else if (entry.enabled) plugins.push(outcome.value);
    else rejected.push(reportOf(outcome.value, 'disabled', 'switched off in the configuration'));
  }
  return { plugins, rejected };
}

/** How a usable plugin stands. */
export function reportOf(
  { manifest, origin }: LoadedPlugin,
  state: PluginState,
  reason: string | null = null,
): PluginReport {
  return {
    name: manifest.name,
    version: manifest.version,
    apiVersion: manifest.apiVersion,
    kinds: kindsOf(manifest),
    permissions: manifest.permissions,
    state,
    reason,
    origin,
  };
}

async function findPlugin({ name, config }: PluginEntry, fromFile: string): Promise<LoadedPlugin> {
  const moduleUrl = await resolveSpecifier(name, fromFile);
  const load = (): Promise<{ readonly default: unknown }> =>
    import(moduleUrl) as Promise<{ readonly default: unknown }>;
  const manifest = (await readManifest(fileURLToPath(moduleUrl))) ?? (await manifestFromCode(load, name));
  return { manifest, origin: isPath(name) ? 'path' : 'package', moduleUrl, rawConfig: config ?? {}, load };
}

/** Resolves as an import written in the configuration file would, so that its own node_modules is what counts. */
async function resolveSpecifier(specifier: string, fromFile: string): Promise<string> {
  if (isPath(specifier)) return pathToFileURL(path.resolve(path.dirname(fromFile), specifier)).href;
  const { resolve } = await import('import-meta-resolve');
  return resolve(specifier, pathToFileURL(fromFile).href);
}

/** A single file has no package.json to read: it is named on purpose, so it may run. */
async function manifestFromCode(load: LoadedPlugin['load'], specifier: string): Promise<PluginManifest> {
  const plugin = asPlugin((await load()).default, specifier);
  return {
    name: plugin.name,
    version: plugin.version,
    apiVersion: plugin.apiVersion,
    contributes: contributedIds(plugin),
    permissions: plugin.permissions ?? { fs: 'none', net: [], spawn: [] },
  };
}

function rejection({ name }: PluginEntry, error: unknown): PluginReport {
  return {
    name,
    version: '0.0.0',
    apiVersion: isKebabError(error, 'plugin_incompatible') ? (error.details.api_version ?? PLUGIN_API) : PLUGIN_API,
    kinds: [],
    permissions: { fs: 'none', net: [], spawn: [] },
    state: isKebabError(error, 'plugin_incompatible') ? 'incompatible' : 'failed',
    reason: firstLine(error),
    origin: isPath(name) ? 'path' : 'package',
  };
}

function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || path.isAbsolute(specifier);
}
