import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { placeOf } from '../plugin/mistakes.ts';
import { asPlugin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { Plugin } from '../plugin/define-plugin.ts';
import { importPlugin } from '../plugin/import-plugin.ts';
import { findPlugin } from '../plugin/find-plugins.ts';
import { type PluginManifest, manifestOf, packageAround } from '../plugin/read-manifest.ts';
import { withinLimit } from '../errors/abort.ts';
import type { PluginTest } from '../wire/index.ts';

const MAX_CHARS = 300;

/** One promise of a contract that a plugin is tested for. */
export interface PluginPromise {
  readonly suite: string;
  readonly name: string;
}

/** The result of testing a promise. */
export type PluginTestResult = PluginTest['results'][number];

/** A promise as a runnable test: it fails by throwing, and is skipped if there is a reason. */
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

/** Creates the suites for all contributions of a plugin. */
export type SuitesOf = (tested: TestedPlugin) => Promise<readonly CheckableSuite[]>;

/** A plugin with its test fixtures. */
export interface TestedPlugin extends PluginFixtures {
  readonly plugin: Plugin;
}

/** The test fixtures of a plugin. */
interface PluginFixtures {
  /** The fixtures for its suites, by kind and id, as the plugin declares them; the suites define the shape. */
  readonly fixtures: unknown;
  /** The configuration to test it with; undefined for none. */
  readonly config: unknown;
  /** The manifest in its package.json; null for a single file. */
  readonly manifest: PluginManifest | null;
}

/** A request to {@link testPlugin}, with the callbacks that it awaits. */
export interface PluginTestRequest {
  /** A file, a package folder, or the name of a package in `folder`. */
  readonly specifier: string;
  /** The absolute folder that the specifier is relative to. */
  readonly folder: string;
  /** The time limit for one promise. */
  readonly limitMs: number;
  /** Called with every promise, in order, before any is tested. */
  readonly onPlan?: (plugin: string, promises: readonly PluginPromise[]) => void | Promise<void>;
  readonly onResult?: (result: PluginTestResult) => void | Promise<void>;
}

/**
 * Runs the contract suites for all contributions of a plugin, in this process: a caller that does not trust the plugin to finish uses a
 * separate process. Throws the error of a plugin that does not load.
 */
export async function testPlugin(request: PluginTestRequest, suitesOf: SuitesOf): Promise<PluginTest> {
  const { specifier, folder, limitMs } = request;
  const loaded = await findPlugin({ name: specifier, config: {} }, { pluginFolder: folder });
  const fixtures = await readPluginFixtures(loaded);
  const plugin = await asPlugin((await loaded.load()).default, { specifier, manifest: fixtures.manifest });
  const suites = await suitesOf({ plugin, ...fixtures });
  await request.onPlan?.(`${plugin.name}@${plugin.version}`, suites.flatMap(promisesOf));
  const results: PluginTestResult[] = [];
  for (const { contract, cases } of suites)
    for (const one of cases) {
      const result = { suite: contract, name: one.name, ...(await outcomeOf(one, limitMs)) };
      results.push(result);
      await request.onResult?.(result);
    }
  return pluginTest(`${plugin.name}@${plugin.version}`, results);
}

/** Converts results to plugin_test.v1. */
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
    await withinLimit(Promise.resolve().then(run), { ms: limitMs, what: 'it did not finish' });
    return { status: 'pass', message: null };
  } catch (error) {
    return { status: 'fail', message: inShort(error) };
  }
}

/** Assertion errors show the compared values on separate lines. A mistake in code gets its place. */
function inShort(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  const place = placeOf(error);
  const said = lines.flatMap((line) => (line.trim() === '' ? [] : [line.trim()])).join(' ');
  const text = place === undefined ? said : `${said} (${place})`;
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/**
 * Reads the test fixtures of a plugin: the exports `fixtures` and `config` of the module that `kebab.fixtures` of its package.json names,
 * or of the plugin's own module. Throws when the named module does not load.
 */
async function readPluginFixtures({ load, moduleUrl }: LoadedPlugin): Promise<PluginFixtures> {
  const around = moduleUrl === null ? null : packageAround(fileURLToPath(await moduleUrl()));
  const manifest = around === null ? null : manifestOf(around.packageJson, around.folder);
  const { fixtures: named } = (around?.packageJson['kebab'] ?? {}) as { readonly fixtures?: unknown };
  const module = (await (around !== null && manifest !== null && typeof named === 'string'
    ? importPlugin(pathToFileURL(path.resolve(around.folder, named)).href)
    : load())) as { readonly fixtures?: unknown; readonly config?: unknown };
  return { fixtures: module.fixtures ?? {}, config: module.config, manifest };
}
