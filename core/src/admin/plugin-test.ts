import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readRegularText } from '../files/read-regular-file.ts';
import { asPlugin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { Plugin } from '../plugin/define-plugin.ts';
import { findPlugin } from '../plugin/find-plugins.ts';
import { type PluginManifest, manifestOf } from '../plugin/read-manifest.ts';
import { withinLimit } from '../plugin/limits.ts';
import type { PluginTest } from '../wire/index.ts';

const MAX_CHARS = 300;

/** One promise that a plugin is tested for. */
export interface PluginPromise {
  readonly suite: string;
  readonly name: string;
}

/** How a promise fared. */
export type PluginTestResult = PluginTest['results'][number];

/** A promise as it can be checked: running it fails by throwing, unless there is a reason to skip it. */
interface CheckablePromise {
  readonly name: string;
  readonly run: () => void | Promise<void>;
  readonly skip?: string;
}

/** The promises of one contract. */
interface CheckableSuite {
  readonly contract: string;
  readonly cases: readonly CheckablePromise[];
}

/** Makes the suites of everything a plugin contributes. */
type SuitesOf = (tested: TestedPlugin) => Promise<readonly CheckableSuite[]>;

/** A plugin with what it brings for its own test. */
export interface TestedPlugin {
  readonly plugin: Plugin;
  /** What its suites need, as the plugin states it. */
  readonly fixtures: unknown;
  /** The configuration it is tested with; undefined for none. */
  readonly config: unknown;
  /** What its package.json says of it; null for a single file. */
  readonly manifest: PluginManifest | null;
}

/** What {@link testPlugin} is to do, and the listeners that it calls and waits for. */
export interface PluginTestRequest {
  /** A file, the folder of a package, or the name of a package that lies in `folder`. */
  readonly specifier: string;
  /** The absolute folder that the specifier is meant from. */
  readonly folder: string;
  /** Time for one promise. */
  readonly limitMs: number;
  /** Called with every promise, in order, before any is checked. */
  readonly onPlan?: (plugin: string, promises: readonly PluginPromise[]) => void | Promise<void>;
  /** Called with each promise before it is checked. */
  readonly onStart?: (promise: PluginPromise) => void | Promise<void>;
  readonly onResult?: (result: PluginTestResult) => void | Promise<void>;
}

/**
 * Runs the suites of everything a plugin contributes, in this process: whoever cannot trust the plugin to end does it in a
 * process of its own. Throws what is wrong with a plugin that does not load.
 */
export async function testPlugin(request: PluginTestRequest, suitesOf: SuitesOf): Promise<PluginTest> {
  const { specifier, folder, limitMs } = request;
  const loaded = await findPlugin({ name: specifier, config: {} }, { pluginFolder: folder });
  const { fixtures, config, manifest } = await readPluginFixtures(loaded);
  const plugin = asPlugin((await loaded.load()).default, { specifier, manifest });
  const suites = await suitesOf({ plugin, fixtures, config, manifest });
  await request.onPlan?.(`${plugin.name}@${plugin.version}`, suites.flatMap(promisesOf));
  const results: PluginTestResult[] = [];
  for (const { contract, cases } of suites)
    for (const one of cases) {
      await request.onStart?.({ suite: contract, name: one.name });
      const result = { suite: contract, name: one.name, ...(await outcomeOf(one, limitMs)) };
      results.push(result);
      await request.onResult?.(result);
    }
  return pluginTest(`${plugin.name}@${plugin.version}`, results);
}

/** Results as plugin_test.v1. */
export function pluginTest(plugin: string, results: readonly PluginTestResult[]): PluginTest {
  const count = (status: PluginTestResult['status']): number =>
    results.filter((result) => result.status === status).length;
  return {
    schema_version: 'plugin_test.v1',
    plugin,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skip'),
    results,
  };
}

function promisesOf({ contract, cases }: CheckableSuite): readonly PluginPromise[] {
  return cases.map(({ name }) => ({ suite: contract, name }));
}

async function outcomeOf(
  { run, skip }: CheckablePromise,
  limitMs: number,
): Promise<Pick<PluginTestResult, 'status' | 'message'>> {
  if (skip !== undefined) return { status: 'skip', message: skip };
  try {
    await withinLimit(Promise.resolve().then(run), { ms: limitMs, what: 'it was not done' });
    return { status: 'pass', message: null };
  } catch (error) {
    return { status: 'fail', message: inShort(error) };
  }
}

/** Assertions say what they compared on lines of their own. */
function inShort(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  const text = lines.flatMap((line) => (line.trim() === '' ? [] : [line.trim()])).join(' ');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/** What a plugin brings for its own test. */
interface OwnFixtures {
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
async function readPluginFixtures({ load, moduleUrl }: LoadedPlugin): Promise<OwnFixtures> {
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

/** Far more than a manifest takes. */
const MAX_PACKAGE_JSON_BYTES = 2 ** 20;

async function packageOf(entryFile: string): Promise<FoundPackage | null> {
  for (let folder = path.dirname(entryFile); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const text = readRegularText(file, { maxBytes: MAX_PACKAGE_JSON_BYTES });
    const packageJson = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const manifest = manifestOf(packageJson, folder);
    if (manifest === null) return null;
    return { folder, manifest, fixtures: (packageJson['kebab'] as { readonly fixtures?: unknown }).fixtures };
  }
  return null;
}
