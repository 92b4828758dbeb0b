import { promises } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginManifest } from '../plugin/manifest.ts';
import { manifestOf } from '../plugin/read-manifest.ts';

/** What a plugin brings for its own test. */
export interface OwnFixtures {
  /** What its suites need, by kind and id; the suites know its shape. */
  readonly fixtures: unknown;
  /** The configuration it is to be tested with; undefined for none. */
  readonly config: unknown;
  /** What its package.json says of it; null for a single file. */
  readonly manifest: PluginManifest | null;
}

/**
 * Reads what a plugin brings for its own test: the exports `fixtures` and `config` of the module that `kebab.fixtures` of its
 * package.json names, or of the plugin's own module. Throws when the named module does not load.
 */
export async function readPluginFixtures({ load, moduleUrl }: LoadedPlugin): Promise<OwnFixtures> {
  const found = moduleUrl === null ? null : await packageOf(fileURLToPath(await moduleUrl()));
  const named = found?.fixtures;
  const module = (await (typeof named === 'string' && found !== null
    ? import(pathToFileURL(path.resolve(found.folder, named)).href)
    : load())) as { readonly fixtures?: unknown; readonly config?: unknown };
  return { fixtures: module.fixtures ?? {}, config: module.config, manifest: found?.manifest ?? null };
}

interface FoundPackage {
  readonly folder: string;
  readonly manifest: PluginManifest;
  readonly fixtures: unknown;
}

async function packageOf(entryFile: string): Promise<FoundPackage | null> {
  for (let folder = path.dirname(entryFile); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const text = await promises.readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const packageJson = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const manifest = manifestOf(packageJson, folder);
    if (manifest === null) return null;
    return { folder, manifest, fixtures: (packageJson['kebab'] as { readonly fixtures?: unknown }).fixtures };
  }
  return null;
}
