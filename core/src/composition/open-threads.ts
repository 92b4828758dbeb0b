import type { ResolvedConfig } from '../config/resolved-config.ts';
import { DividedExtraction } from '../extraction/divided-extraction.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { ThreadOptions } from '../extraction/extraction-thread.ts';
import { threadFence, type ThreadFence } from '../extraction/thread-fence.ts';
import type { WorkerPlugin } from '../extraction/worker-messages.ts';
import { WorkerPool } from '../extraction/worker-pool.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { builtinConfig } from './builtin-config.ts';
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
  /** Told of each failure of an extractor that did not come with kebab; it is thrown as well. */
  readonly onStrangerFailure: (error: unknown) => void;
}

/** Makes threads for extractors: some for what came with kebab, and where there are plugins of strangers, fenced ones for these. */
export async function openThreads(request: ThreadsRequest): Promise<ExtractionHost> {
  const strangers = request.plugins.filter((plugin) => plugin.origin !== 'builtin' && runsInThreads(plugin));
  const plugins = await Promise.all(request.plugins.map((plugin) => workerPlugin(plugin, request.config)));
  const own = poolOf(request, plugins, undefined);
  if (strangers.length === 0) return own;
  const fence = threadFence({
    permissions: strangers.map(({ manifest }) => manifest.permissions),
    env: request.env,
    tmpDir: request.tmp.path,
    dataDir: request.config.storage.dataDir,
  });
  return new DividedExtraction({
    own,
    fenced: poolOf(request, plugins, fence),
    strangers: new Set(strangers.map(({ manifest }) => manifest.name)),
    onStrangerFailure: request.onStrangerFailure,
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
    init: { plugins, tmpDir: fence === undefined ? tmp.parent : tmp.path }, // what came with kebab passes no files here
    ...(fence === undefined ? {} : { fence }),
  };
  return new WorkerPool({ ...options, threads: maxParallelExtractors });
}

/** A package whose module is not there has failed already, where its extractors were made; a thread fails in the same way. */
async function workerPlugin(plugin: LoadedPlugin, config: ResolvedConfig): Promise<WorkerPlugin> {
  const { manifest, rawConfig } = plugin;
  if (plugin.moduleUrl === null)
    return { manifest, moduleUrl: null, config: builtinConfig(manifest.name, config, 'read') };
  const moduleUrl = await plugin.moduleUrl().catch(() => plugin.path ?? manifest.name);
  return { manifest, moduleUrl, config: rawConfig };
}

function runsInThreads({ manifest }: LoadedPlugin): boolean {
  return kindsOf(manifest).some((kind) => kind === 'extractor' || kind === 'chunker');
}
