import type { ResolvedConfig } from '../config/resolved-config.ts';
import { DividedExtraction } from '../extraction/divided-extraction.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { ThreadOptions } from '../extraction/extraction-thread.ts';
import { threadFence, type ThreadFence } from '../extraction/thread-fence.ts';
import type { WorkerPlugin } from '../extraction/worker-messages.ts';
import { WorkerPool } from '../extraction/worker-pool.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { AppEnvironment } from './environment.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** What extraction threads are made from. */
export interface ThreadsRequest {
  /** The file that a thread runs. */
  readonly url: URL;
  readonly env: AppEnvironment['env'];
  readonly config: ResolvedConfig;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly tmp: TemporaryFolder;
  /** What kebab's configuration says for a plugin. */
  readonly settingsOf: (plugin: LoadedPlugin) => unknown;
  /** Called for each failure of an extractor in a fenced thread; it is thrown as well. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Makes threads for extractors, and further, fenced ones where the policy of a plugin asks for these. */
export async function openThreads(request: ThreadsRequest): Promise<ExtractionHost> {
  const fenced = request.plugins.filter((plugin) => plugin.policy.isolation === 'fenced' && runsInThreads(plugin));
  const plugins = await Promise.all(request.plugins.map((plugin) => workerPlugin(plugin, request.settingsOf(plugin))));
  const own = poolOf(request, plugins, undefined);
  if (fenced.length === 0) return own;
  const fence = threadFence({
    permissions: fenced.map(({ manifest }) => manifest.permissions),
    env: request.env,
    tmpDir: request.tmp.path,
    dataDir: request.config.storage.dataDir,
  });
  return new DividedExtraction({
    own,
    fenced: poolOf(request, plugins, fence),
    fencedPlugins: new Set(fenced.map(({ manifest }) => manifest.name)),
    onFencedFailure: request.onFencedFailure,
  });
}

function poolOf(
  { url, config, tmp }: ThreadsRequest,
  plugins: readonly WorkerPlugin[],
  fence: ThreadFence | undefined,
): WorkerPool {
  const { maxParallelExtractors, extractMemoryMb, extractTimeoutS } = config.indexing;
  const options: ThreadOptions = {
    url,
    memoryMb: extractMemoryMb,
    timeoutMs: extractTimeoutS * 1000,
    init: { plugins, tmpDir: fence === undefined ? tmp.parent : tmp.path }, // bundled plugins pass no files here
    ...(fence === undefined ? {} : { fence }),
  };
  return new WorkerPool({ ...options, threads: maxParallelExtractors });
}

/** A package whose module is not there has failed already, where its extractors were made; a thread fails in the same way. */
async function workerPlugin(plugin: LoadedPlugin, settings: unknown): Promise<WorkerPlugin> {
  const { manifest, rawConfig: config } = plugin;
  if (plugin.moduleUrl === null) return { manifest, moduleUrl: null, config, settings };
  const moduleUrl = await plugin.moduleUrl().catch(() => plugin.path ?? manifest.name);
  return { manifest, moduleUrl, config, settings };
}

function runsInThreads({ manifest }: LoadedPlugin): boolean {
  return kindsOf(manifest).some((kind) => kind === 'extractor' || kind === 'chunker');
}
