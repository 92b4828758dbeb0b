import type { DerivationCache, Logger } from '../contracts/contribution.ts';
import { classifyError } from '../errors/classify-error.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { madeFolder } from '../plugin/data-folder.ts';
import { fetchAnything, type ProcessStart, serveProcess } from '../plugin/process/process-program.ts';
import { permittedFetch, trustPolicyOf } from '../plugin/trust-policy.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { BuiltinPlugin, PluginManifest } from '../plugin/read-manifest.ts';
import type { GivenSettings } from '../plugin/define-plugin.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import { componentPorts } from '../ports.ts';
import type { ExtractionRequest } from './extraction-job.ts';
import { InlineExtraction } from './inline-extraction.ts';

/** The start parameters of an extraction process. */
export interface ExtractionStart extends ProcessStart {
  /** In order of preference. */
  readonly plugins: readonly WorkerPlugin[];
  readonly tmpDir: string;
}

/** A plugin as described to an extraction process. */
export interface WorkerPlugin {
  readonly manifest: PluginManifest;
  /** The module to import it from; null for a plugin that is built into the process. */
  readonly moduleUrl: string | null;
  /** Its configuration as the user wrote it. */
  readonly config: unknown;
  /** The folder for its own files; absent if it may not have one. */
  readonly dataDir?: string | undefined;
  /** The settings that kebab's configuration has for it. */
  readonly settings: unknown;
}

/**
 * Turns the calling process into an extraction worker, which answers one job at a time and exits when its parent does. A request has the event
 * `chunking` before a chunker of another plugin than the extractor's runs, and in the end `full` if the process still holds much memory. A
 * host calls it in a program of its own, with the built-in plugins that it opens the App with.
 */
export function serveExtraction(builtins: readonly BuiltinPlugin[]): void {
  serveProcess<ExtractionStart, ExtractionRequest>((start, { memoryShare }) => {
    const ports = { ...componentPorts(componentsOf(start, builtins)), log: silentLogger };
    return async (request, { event }) => {
      const extraction = new InlineExtraction(ports, { onChunking: (plugin) => event('chunking', plugin) });
      try {
        return await extraction.run(request, never);
      } catch (error) {
        throw classifyError(error);
      } finally {
        if (memoryShare() > MAX_MEMORY_SHARE) event('full');
      }
    };
  });
}

/** A process that still holds more than this share of its memory limit after its file is done is replaced. */
const MAX_MEMORY_SHARE = 0.5;

/** Cancelling needs no signal here: the parent ends the process. */
const never = new AbortController().signal;

const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function componentsOf(init: ExtractionStart, builtins: readonly BuiltinPlugin[]): PluginComponents {
  const folders = new Map(init.plugins.map(({ manifest, dataDir }) => [manifest.name, dataDir]));
  const settings = new Map(init.plugins.map((plugin) => [plugin.manifest.name, plugin.settings]));
  return new PluginComponents({
    plugins: init.plugins.map((plugin) => loadedInProcess(plugin, builtins)),
    settingsOf: ({ manifest }) => settings.get(manifest.name) as GivenSettings,
    contextOf: (plugin) => ({
      log: silentLogger,
      cache: cacheOfProcess(),
      tmpDir: init.tmpDir,
      get dataDir() {
        return madeFolder(folders.get(plugin.manifest.name));
      },
      clock: { now: () => new Date() },
      ...permittedFetch(plugin, fetchAnything),
    }),
    onFailure: () => {}, // reported by the job that needs the component
    allowWrite: () => {
      throw new KebabError('readonly_mode', 'an extraction process writes nothing', { details: { command: 'write' } });
    },
  });
}

function loadedInProcess(plugin: WorkerPlugin, builtins: readonly BuiltinPlugin[]): LoadedPlugin {
  const { manifest, moduleUrl } = plugin;
  const builtin = builtins.find((one) => one.manifest.name === manifest.name);
  const load = (): Promise<{ readonly default: unknown }> => {
    if (moduleUrl !== null) return import(moduleUrl) as Promise<{ readonly default: unknown }>;
    return builtin?.load() ?? Promise.reject(new Error('this program does not include it'));
  };
  const origin = moduleUrl === null ? 'builtin' : 'package';
  const policy = trustPolicyOf({ origin });
  return { manifest, origin, policy, path: null, moduleUrl: null, rawConfig: plugin.config, load };
}

function cacheOfProcess(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}
