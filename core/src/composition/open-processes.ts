import type { ResolvedConfig } from '../config/resolved-config.ts';
import { DividedExtraction, ProcessPool } from '../extraction/process-pool.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { processFence, type ProcessFence } from '../plugin/process/limited-process.ts';
import type { WorkerPlugin } from '../extraction/worker-messages.ts';
import { dataFolderOf, madeFolder } from '../plugin/data-folder.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { AppEnvironment } from './environment.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** The inputs for extraction processes. */
export interface ProcessesRequest {
  /** The program of a process. */
  readonly url: URL;
  readonly env: AppEnvironment['env'];
  /** The number of processors of the machine. */
  readonly processors: number;
  readonly config: ResolvedConfig;
  /** kebab's own plugin folder. */
  readonly pluginFolder: string;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly tmp: TemporaryFolder;
  /** The part of kebab's configuration for a plugin. */
  readonly settingsOf: (plugin: LoadedPlugin) => unknown;
  /** Called for each failure of an extractor in a fenced process; it is thrown as well. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Creates processes for extractors and chunkers, with fenced ones for each plugin whose policy requires them. */
export async function openProcesses(request: ProcessesRequest): Promise<ExtractionHost> {
  const { storage } = request.config;
  const fenced = request.plugins.filter((plugin) => plugin.policy.isolation === 'fenced' && runsInProcesses(plugin));
  const plugins = await Promise.all(request.plugins.map((plugin) => workerPlugin(plugin, request)));
  const own = poolOf(request, plugins, undefined);
  if (fenced.length === 0) return own;
  return new DividedExtraction({
    own,
    fenced: (names) => {
      const sharing = fenced.filter(({ manifest }) => names.includes(manifest.name));
      const fence = processFence({
        permissions: sharing.map(({ manifest }) => manifest.permissions),
        env: request.env,
        program: request.url,
        // A built-in extractor that works for a third-party chunker may be an optional part, in the plugin folder.
        code: [request.pluginFolder, ...sharing.flatMap(({ path }) => path ?? [])],
        tmpDir: request.tmp.path,
        dataDirs: sharing.flatMap(({ manifest }) => madeFolder(dataFolderOf(manifest, storage.dataDir)) ?? []),
      });
      return poolOf(request, plugins, fence);
    },
    fencedPlugins: new Set(fenced.map(({ manifest }) => manifest.name)),
    onFencedFailure: request.onFencedFailure,
  });
}

function poolOf(
  { url, env, processors, config, tmp }: ProcessesRequest,
  plugins: readonly WorkerPlugin[],
  fence: ProcessFence | undefined,
): ProcessPool {
  const { maxParallelExtractors, extractMemoryMb, extractTimeoutS } = config.indexing;
  return new ProcessPool({
    url,
    env,
    timeoutMs: extractTimeoutS * 1000,
    init: {
      plugins,
      tmpDir: fence === undefined ? tmp.parent : tmp.path, // bundled plugins exchange no files here
      memoryMb: extractMemoryMb,
    },
    processes: maxParallelExtractors,
    batches: fence === undefined,
    processors,
    ...(fence === undefined ? {} : { fence }),
  });
}

/** A package without its module has already failed when its extractors were created; a process fails in the same way. */
async function workerPlugin(plugin: LoadedPlugin, request: ProcessesRequest): Promise<WorkerPlugin> {
  const { manifest, rawConfig: config } = plugin;
  const settings = request.settingsOf(plugin);
  const dataDir = dataFolderOf(manifest, request.config.storage.dataDir);
  if (plugin.moduleUrl === null) return { manifest, moduleUrl: null, config, settings, dataDir };
  const moduleUrl = await plugin.moduleUrl().catch(() => plugin.path ?? manifest.name);
  return { manifest, moduleUrl, config, settings, dataDir };
}

function runsInProcesses({ manifest }: LoadedPlugin): boolean {
  return kindsOf(manifest).some((kind) => kind === 'extractor' || kind === 'chunker');
}
