import { workerData, type MessagePort } from 'node:worker_threads';
import type { DerivationCache, Logger } from '../contracts/contribution.ts';
import { classifyError } from '../errors/classify-error.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { limitedFetch, permittedFetch, trustPolicyOf } from '../plugin/trust-policy.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { BuiltinPlugin } from '../plugin/manifest.ts';
import type { GivenSettings } from '../plugin/define-plugin.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import { componentPorts } from '../ports.ts';
import { InlineExtraction } from './inline-extraction.ts';
import { sendError, type WorkerAnswer, type WorkerInit, type WorkerJob, type WorkerPlugin } from './worker-messages.ts';

/**
 * Makes the calling worker thread extract and render: it answers each job that comes through `port` with a document, a
 * picture or an error.
 * A host calls it in a file of its own, with the same built-in plugins that it opens the App with.
 */
export function serveExtraction(builtins: readonly BuiltinPlugin[], port: MessagePort): void {
  const init = workerData as WorkerInit;
  if (init.hosts !== null) fenceNetwork(init.hosts);
  const extraction = new InlineExtraction({ ...componentPorts(componentsOf(init, builtins)), log: silentLogger });
  const never = new AbortController().signal;
  port.on('message', (job: WorkerJob) => {
    answerTo(job, extraction, never).then(
      (answer) => port.postMessage(answer),
      (error: unknown) =>
        port.postMessage({ kind: 'failed', error: sendError(classifyError(error)) } satisfies WorkerAnswer),
    );
  });
}

async function answerTo(given: WorkerJob, extraction: InlineExtraction, signal: AbortSignal): Promise<WorkerAnswer> {
  if (given.kind === 'render') return { kind: 'rendered', picture: await extraction.render(given.job, signal) };
  return { kind: 'extracted', extraction: await extraction.extract(given.job, signal) };
}

/** As Node has it, whatever the global one is limited to later. */
const fetchAnything = globalThis.fetch;

/** Leaves the code of a thread no global way to a host that nobody declared; the modules of Node stay as they are. */
function fenceNetwork(hosts: readonly string[]): void {
  globalThis.fetch = limitedFetch(hosts, fetchAnything);
  for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}

const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function componentsOf(init: WorkerInit, builtins: readonly BuiltinPlugin[]): PluginComponents {
  const settings = new Map(init.plugins.map((plugin) => [plugin.manifest.name, plugin.settings]));
  return new PluginComponents({
    plugins: init.plugins.map((plugin) => loadedInThread(plugin, builtins)),
    settingsOf: ({ manifest }) => settings.get(manifest.name) as GivenSettings,
    contextOf: (plugin) => ({
      log: silentLogger,
      cache: cacheOfThread(),
      tmpDir: init.tmpDir,
      clock: { now: () => new Date() },
      ...permittedFetch(plugin, fetchAnything),
    }),
    onFailure: () => {}, // the job that asked for the component fails by itself
    allowWrite: () => {
      throw new KebabError('readonly_mode', 'an extraction thread writes nothing', { details: { command: 'write' } });
    },
  });
}

function loadedInThread(plugin: WorkerPlugin, builtins: readonly BuiltinPlugin[]): LoadedPlugin {
  const { manifest, moduleUrl } = plugin;
  const builtin = builtins.find((one) => one.manifest.name === manifest.name);
  const load = (): Promise<{ readonly default: unknown }> => {
    if (moduleUrl !== null) return import(moduleUrl) as Promise<{ readonly default: unknown }>;
    return builtin?.load() ?? Promise.reject(new Error('this program does not bring it'));
  };
  const origin = moduleUrl === null ? 'builtin' : 'package';
  const policy = trustPolicyOf({ origin });
  return { manifest, origin, policy, path: null, moduleUrl: null, rawConfig: plugin.config, load };
}

function cacheOfThread(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}
