import type { DerivationCache, Logger } from '../contracts/contribution.ts';
import { classifyError } from '../errors/classify-error.ts';
import { KebabError, sendError } from '../errors/kebab-error.ts';
import { madeFolder } from '../plugin/data-folder.ts';
import {
  adaptFileSystem,
  fenceNetwork,
  fetchAnything,
  openChannel,
  type Send,
  startWatchdog,
} from '../plugin/process/process-program.ts';
import { permittedFetch, trustPolicyOf } from '../plugin/trust-policy.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import type { GivenSettings } from '../plugin/define-plugin.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import { componentPorts } from '../ports.ts';
import type { NamedPlugin } from './extraction-job.ts';
import { InlineExtraction } from './inline-extraction.ts';
import type {
  WorkerAnswer,
  WorkerInit,
  WorkerJob,
  WorkerMessage,
  WorkerPlugin,
  WorkerReport,
} from './worker-messages.ts';

/** A process that still holds more than this share of its memory limit after its files are done is replaced. */
const MAX_KEPT = 0.5;

/**
 * Turns the calling process into an extraction worker: it answers each job of its parent with a document, a picture, chunks or an error,
 * and exits when its parent does.
 * A host calls it in a program of its own, with the built-in plugins that it opens the App with.
 */
export function serveExtraction(builtins: readonly BuiltinPlugin[]): void {
  let worker: ExtractionWorker | undefined;
  let last: Promise<void> = Promise.resolve();
  const send: Send = openChannel((given) => {
    const message = given as WorkerMessage;
    if (message.kind === 'work') {
      last = last.then(() => worker?.work(message.jobs));
      return;
    }
    worker = new ExtractionWorker(message.init, builtins, send);
    send({ kind: 'ready' } satisfies WorkerReport);
  });
}

/** Runs its jobs one after another. */
class ExtractionWorker {
  readonly #extraction: InlineExtraction;
  readonly #send: (report: WorkerReport) => void;
  readonly #memoryTaken: () => number;

  constructor(init: WorkerInit, builtins: readonly BuiltinPlugin[], send: (report: WorkerReport) => void) {
    if (init.hosts !== null) {
      fenceNetwork(init.hosts);
      adaptFileSystem();
    }
    const onChunking = (plugin: NamedPlugin): void => send({ kind: 'chunking', plugin });
    const ports = { ...componentPorts(componentsOf(init, builtins)), log: silentLogger };
    this.#extraction = new InlineExtraction(ports, { onChunking });
    this.#send = send;
    this.#memoryTaken = startWatchdog(init);
  }

  async work(jobs: readonly WorkerJob[]): Promise<void> {
    const answers: WorkerAnswer[] = [];
    for (const job of jobs) {
      try {
        answers.push(await this.#answerTo(job));
      } catch (error) {
        answers.push({ kind: 'failed', error: sendError(classifyError(error)) });
      }
    }
    this.#send({ kind: 'answers', answers, shouldRestart: this.#memoryTaken() > MAX_KEPT });
  }

  async #answerTo(given: WorkerJob): Promise<WorkerAnswer> {
    switch (given.kind) {
      case 'extract':
        return { kind: 'extracted', extraction: await this.#extraction.extract(given.job, never) };
      case 'render':
        return { kind: 'rendered', picture: await this.#extraction.render(given.job, never) };
      case 'cut':
        return { kind: 'cut', cut: await this.#extraction.cut(given.job) };
      default:
        return given satisfies never;
    }
  }
}

/** Cancelling needs no signal here: the parent ends the process. */
const never = new AbortController().signal;

const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function componentsOf(init: WorkerInit, builtins: readonly BuiltinPlugin[]): PluginComponents {
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
