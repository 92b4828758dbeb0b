import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { WorkerPlugin } from '../extraction/extraction-worker.ts';
import type { ThirdPartyExtraction } from '../extraction/process-pool.ts';
import { dataFolderOf } from '../plugin/data-folder.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginManifest } from '../plugin/read-manifest.ts';
import type { AppEnvironment } from './environment.ts';
import type { PluginContexts, TemporaryFolder } from './plugin-contexts.ts';
import type { PluginNotices } from './installed-plugins.ts';

/** What extraction processes are started with. */
export interface ExtractionProcessesInit {
  /** The program of a process; without it there are none. */
  readonly url: URL | undefined;
  readonly environment: AppEnvironment;
  readonly resolution: ConfigResolution;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly tmp: TemporaryFolder;
  readonly contexts: PluginContexts;
  /** Receives each failure of an extractor in a sandbox; it is thrown as well. */
  readonly notices: PluginNotices;
}

/** The processes for extractors and chunkers of one App, shared by all use cases: they are kept between runs. */
export class ExtractionProcesses {
  readonly #init: ExtractionProcessesInit;
  #opened: Promise<ExtractionHost | null> | undefined;

  constructor(init: ExtractionProcessesInit) {
    this.#init = init;
  }

  /** The host of the processes; null without a program. */
  open(): Promise<ExtractionHost | null> {
    const { url } = this.#init;
    return (this.#opened ??= url === undefined ? Promise.resolve(null) : openHost({ ...this.#init, url }));
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    const host = await this.#opened?.catch(() => null);
    await host?.close();
  }
}

type HostInit = ExtractionProcessesInit & { readonly url: URL };

/** A search has no use for the code of processes, so it is loaded here. */
async function openHost(init: HostInit): Promise<ExtractionHost> {
  const { url, environment, resolution, tmp } = init;
  const { ProcessPool } = await import('../extraction/process-pool.ts');
  const { maxParallelExtractors, extractMemoryMb, extractTimeoutS } = resolution.config.indexing;
  return new ProcessPool({
    url,
    env: environment.env,
    init: {
      plugins: await Promise.all(init.plugins.map((plugin) => workerPlugin(plugin, init))),
      memoryMb: extractMemoryMb,
    },
    tmpDir: tmp.parent, // bundled plugins exchange no files here
    timeoutMs: extractTimeoutS * 1000,
    processes: maxParallelExtractors,
    thirdParty: await thirdPartyOf(init),
  });
}

/** The plugins whose policy requires a sandbox; undefined if there are none. */
async function thirdPartyOf(init: HostInit): Promise<ThirdPartyExtraction | undefined> {
  const { environment, resolution, tmp, contexts, notices, url } = init;
  const plugins = init.plugins.filter(
    ({ policy, manifest }) => policy.isolation === 'sandboxed' && runsInProcesses(manifest),
  );
  if (plugins.length === 0) return undefined;
  const { processSandbox } = await import('../plugin/process/process-sandbox.ts');
  return {
    plugins: new Set(plugins.map(({ manifest }) => manifest.name)),
    sandboxOf: (names) => {
      const sharing = plugins.filter(({ manifest }) => names.includes(manifest.name));
      const sandbox = processSandbox({
        permissions: sharing.map(({ manifest }) => manifest.permissions),
        env: environment.env,
        program: url,
        // A built-in extractor that works for a third-party chunker may be an optional part, in the plugin folder.
        code: [resolution.pluginFolder, ...sharing.flatMap(({ path }) => path ?? [])],
        tmpDir: tmp.path,
        dataDirs: sharing.flatMap(({ manifest }) => contexts.dataDirOf(manifest) ?? []),
      });
      return { sandbox, tmpDir: tmp.path };
    },
    onFailure: (error) => notices.failedFile(error),
  };
}

/** A package without its module has already failed when its extractors were created; a process fails in the same way. */
async function workerPlugin(plugin: LoadedPlugin, { contexts, resolution }: HostInit): Promise<WorkerPlugin> {
  const { manifest, rawConfig: config } = plugin;
  const settings = contexts.settingsOf(plugin, 'read');
  const dataDir = dataFolderOf(manifest, resolution.config.storage.dataDir);
  if (plugin.moduleUrl === null) return { manifest, moduleUrl: null, config, settings, dataDir };
  const moduleUrl = await plugin.moduleUrl().catch(() => plugin.path ?? manifest.name);
  return { manifest, moduleUrl, config, settings, dataDir };
}

function runsInProcesses(manifest: PluginManifest): boolean {
  return kindsOf(manifest).some((kind) => kind === 'extractor' || kind === 'chunker');
}
