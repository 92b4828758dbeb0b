import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { ProcessPool } from '../extraction/process-pool.ts';
import type { WorkerPlugin } from '../extraction/worker-messages.ts';
import { dataFolderOf } from '../plugin/data-folder.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { ProcessFence } from '../plugin/process/limited-process.ts';
import type { AppEnvironment } from './environment.ts';
import type { PluginContexts } from './plugin-contexts.ts';
import type { PluginNotices } from './plugin-notices.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

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
  /** Receives each failure of an extractor in a fenced process; it is thrown as well. */
  readonly notices: PluginNotices;
}

/** The processes for extractors and chunkers of one App, shared by all use cases: they are kept between runs. */
export class ExtractionProcesses {
  readonly #init: ExtractionProcessesInit;
  #opened: Promise<ExtractionHost | null> | undefined;

  constructor(init: ExtractionProcessesInit) {
    this.#init = init;
  }

  /** The host of the processes, with fenced ones for each plugin whose policy requires them; null without a program. */
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
  const fenced = init.plugins.filter((plugin) => plugin.policy.isolation === 'fenced' && runsInProcesses(plugin));
  const plugins = await Promise.all(init.plugins.map((plugin) => workerPlugin(plugin, init)));
  const openPool = await poolOpener(init, plugins);
  const own = openPool(undefined);
  if (fenced.length === 0) return own;
  const { DividedExtraction } = await import('../extraction/process-pool.ts');
  const { processFence } = await import('../plugin/process/limited-process.ts');
  return new DividedExtraction({
    own,
    fenced: (names) => {
      const sharing = fenced.filter(({ manifest }) => names.includes(manifest.name));
      const fence = processFence({
        permissions: sharing.map(({ manifest }) => manifest.permissions),
        env: init.environment.env,
        program: init.url,
        // A built-in extractor that works for a third-party chunker may be an optional part, in the plugin folder.
        code: [init.resolution.pluginFolder, ...sharing.flatMap(({ path }) => path ?? [])],
        tmpDir: init.tmp.path,
        dataDirs: sharing.flatMap(({ manifest }) => init.contexts.dataDirOf(manifest) ?? []),
      });
      return openPool(fence);
    },
    fencedPlugins: new Set(fenced.map(({ manifest }) => manifest.name)),
    onFencedFailure: (error) => init.notices.failedFile(error),
  });
}

async function poolOpener(
  { url, environment, resolution, tmp }: HostInit,
  plugins: readonly WorkerPlugin[],
): Promise<(fence: ProcessFence | undefined) => ProcessPool> {
  const { ProcessPool } = await import('../extraction/process-pool.ts');
  const { availableParallelism } = process.getBuiltinModule('node:os');
  const { maxParallelExtractors, extractMemoryMb, extractTimeoutS } = resolution.config.indexing;
  return (fence) =>
    new ProcessPool({
      url,
      env: environment.env,
      timeoutMs: extractTimeoutS * 1000,
      init: {
        plugins,
        tmpDir: fence === undefined ? tmp.parent : tmp.path, // bundled plugins exchange no files here
        memoryMb: extractMemoryMb,
      },
      processes: maxParallelExtractors,
      batches: fence === undefined,
      processors: environment.processors ?? availableParallelism(),
      ...(fence === undefined ? {} : { fence }),
    });
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

function runsInProcesses({ manifest }: LoadedPlugin): boolean {
  return kindsOf(manifest).some((kind) => kind === 'extractor' || kind === 'chunker');
}
