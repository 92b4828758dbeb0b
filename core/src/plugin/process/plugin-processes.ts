import { fileURLToPath } from 'node:url';
import type { Logger } from '../../contracts/contribution.ts';
import type { GivenSettings, PluginContext } from '../define-plugin.ts';
import { kindsOf, type LoadedPlugin } from '../loaded-plugin.ts';
import { proxiesIn } from '../proxy-settings.ts';
import type { PluginManifest } from '../read-manifest.ts';
import { pluginFailure } from '../plugin-failure.ts';
import { callLimit, type PluginLimits } from '../trust-policy.ts';
import { isRemote, membersOf } from './contract-members.ts';
import { valueOf } from './channel.ts';
import { HostProcess, type AskOptions } from './host-process.ts';
import type { LoadedFacts, MadeContribution, PluginRequest, PluginStart, RemoteWish } from './plugin-messages.ts';
import { processSandbox } from './process-sandbox.ts';
import { heardIn, sentArgument } from './sent-arguments.ts';
import { mediaKey, type MediaType } from '../../domain/media.ts';

/** Options of {@link PluginProcesses}. */
export interface PluginProcessesInit {
  /** The file that they run. */
  readonly url: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The memory limit of each process, in MiB. */
  readonly memoryMb: number;
  /** The folder in which plugins exchange files; created on first use. */
  readonly tmpDir: () => string;
  readonly dataDirOf: (manifest: PluginManifest) => string | undefined;
  /** The folder of the derivation cache. */
  readonly cacheDir: string;
  /** What a plugin may use of this process. */
  readonly servicesFor: (manifest: PluginManifest) => PluginServices;
}

type PluginServices = Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;
type PluginProcess = HostProcess<PluginStart, PluginRequest>;
type PluginToStart = Pick<PluginStart, 'specifier' | 'manifest' | 'moduleUrl' | 'config'>;

/** The third-party plugins, each in its own process, which starts on the first request to the plugin. */
export class PluginProcesses {
  readonly #init: PluginProcessesInit;
  readonly #processes = new Map<string, PluginProcess>();

  constructor(init: PluginProcessesInit) {
    this.#init = init;
  }

  /** Whether a plugin runs in its own process. */
  has({ policy, manifest }: LoadedPlugin): boolean {
    return policy.isolation === 'sandboxed' && isRemote(kindsOf(manifest));
  }

  /**
   * Reads the declarations in the code of a single-file plugin. Throws whatever its module throws, `plugin_incompatible`, and why it is not
   * a plugin. If the file requests no permissions, the same process goes on to host it.
   */
  async describe(
    specifier: string,
    {
      moduleUrl,
      config,
      limits,
    }: { readonly moduleUrl: string; readonly config: unknown; readonly limits: PluginLimits },
  ): Promise<LoadedFacts> {
    let facts: LoadedFacts = { name: specifier, version: '', apiVersion: 1, contributes: {}, permissions: NOTHING };
    const plugin = { specifier, manifest: null, moduleUrl, config };
    const process = this.#processFor(() => facts, plugin, fileURLToPath(moduleUrl));
    let isKept = false;
    try {
      facts = (await process.ask({ kind: 'load' }, { ms: limits.loadMs, late: LATE_LOADING })) as LoadedFacts;
      const { fs, net, spawn } = facts.permissions;
      isKept = fs === 'none' && net.length === 0 && spawn.length === 0 && !this.#processes.has(facts.name);
      if (isKept) this.#processes.set(facts.name, process);
      return facts;
    } finally {
      if (!isKept) await process.end(0);
    }
  }

  /** Creates a contribution of a plugin. Throws `plugin_failed` with the stage, and errors of kebab's own list that its code throws. */
  async make(loaded: LoadedPlugin, wish: RemoteWish, settings: GivenSettings): Promise<object> {
    const process = await this.#processOf(loaded, wish);
    const { limits } = loaded.policy;
    const { kind, id, access, model } = wish;
    const stage = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        throw pluginFailure(error, { plugin: loaded.manifest, kind, stage: name });
      }
    };
    const make = async (): Promise<MadeContribution> => {
      const create = { ms: limits.createMs };
      await stage('load', () => process.ask({ kind: 'load' }, { ms: limits.loadMs, late: LATE_LOADING }));
      const late = 'its schema did not validate its configuration within';
      const context = { access, model };
      await stage('configure', () => process.ask({ kind: 'configure', context, settings }, { ...create, late }));
      const factory = `its factory of the ${kind} "${id}" did not finish within`;
      const made = await stage('create', () => process.ask({ kind: 'create', wish }, { ...create, late: factory }));
      return made as MadeContribution;
    };
    return remoteContribution({ wish, process, make, limitMs: (method, args) => callLimit(limits, method, args) });
  }

  /** Ends every process; each gets the given time to finish its pending requests. */
  async close(ms: number): Promise<void> {
    const processes = [...this.#processes.values()];
    this.#processes.clear();
    await Promise.all(processes.map((process) => process.end(ms)));
  }

  async #processOf(loaded: LoadedPlugin, { kind }: RemoteWish): Promise<PluginProcess> {
    const { manifest, rawConfig: config } = loaded;
    const known = this.#processes.get(manifest.name);
    if (known !== undefined) return known;
    const specifier = loaded.path ?? manifest.name;
    let moduleUrl: string;
    try {
      moduleUrl = (await loaded.moduleUrl?.()) ?? '';
    } catch (error) {
      throw pluginFailure(error, { plugin: manifest, kind, stage: 'load' });
    }
    const plugin = { specifier, manifest, moduleUrl, config };
    const process = this.#processes.get(manifest.name) ?? this.#processFor(() => manifest, plugin, loaded.path);
    this.#processes.set(manifest.name, process);
    return process;
  }

  #processFor(facts: () => PluginManifest, plugin: PluginToStart, place: string | null): PluginProcess {
    return new HostProcess({
      start: () => this.#startOf(facts(), plugin, place),
      onCall: (name, args) => serve(this.#init.servicesFor(facts()), name, args),
      maxCrashes: MAX_CRASHES,
    });
  }

  #startOf(
    manifest: PluginManifest,
    plugin: PluginToStart,
    place: string | null,
  ): ReturnType<ConstructorParameters<typeof HostProcess<PluginStart, PluginRequest>>[0]['start']> {
    const { url, env, memoryMb, cacheDir } = this.#init;
    const tmpDir = this.#init.tmpDir();
    const dataDir = this.#init.dataDirOf(manifest);
    const sandbox = processSandbox({
      permissions: [manifest.permissions],
      env,
      program: url,
      code: place === null ? [] : [place],
      readable: [cacheDir],
      tmpDir,
      dataDirs: dataDir === undefined ? [] : [dataDir],
    });
    return {
      process: { url, args: ['plugin'], env, memoryMb, sandbox },
      start: { ...plugin, tmpDir, dataDir, cacheDir, proxies: proxiesIn(env), hosts: sandbox.hosts, memoryMb },
    };
  }
}

/** A plugin that crashes or hangs this often in a row is not started again. */
const MAX_CRASHES = 3;
const NOTHING = { fs: 'none', net: [], spawn: [] } as const;
const LATE_LOADING = 'its module did not finish loading within';

/** Answers a call of a plugin's process. */
async function serve(services: PluginServices, name: string, args: readonly unknown[]): Promise<unknown> {
  const { log, cache, documents, knowledgeBase } = services;
  switch (name) {
    case 'log':
      return log[args[0] as keyof Logger](...(args.slice(1) as [string]));
    case 'cache':
      return cache.set(...(args as [string, Uint8Array]));
    case 'knowledgeBase':
      return knowledgeBase?.();
    case 'documents': {
      const opened = (await documents?.()) as
        | Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
        | undefined;
      const [method, methodArgs] = args as [string?, (readonly unknown[])?];
      if (method === undefined || opened === undefined) return null;
      if (!Object.hasOwn(opened, method)) throw new TypeError(`documents have no ${method}`);
      return opened[method]?.(...(methodArgs ?? []));
    }
    default:
      throw new TypeError(`there is no ${name}`);
  }
}

/** Options of {@link remoteContribution}. */
interface RemoteInit {
  readonly wish: RemoteWish;
  readonly process: PluginProcess;
  /** Creates it, again after each restart of its process. */
  readonly make: () => Promise<MadeContribution>;
  /** The time limit of a method for its answer, or for the next item. */
  readonly limitMs: (method: string, args: readonly unknown[]) => number | null;
}

/** A created contribution and the process generation that created it. */
interface AtHand {
  readonly made: MadeContribution;
  readonly generation: number;
}

/** A proxy for a contribution in a plugin process, with the interface of its contract. Throws what creating it throws. */
async function remoteContribution({ wish, process, make, limitMs }: RemoteInit): Promise<object> {
  const first = await make();
  let state = first.state;
  let atHand: Promise<AtHand> = Promise.resolve({ made: first, generation: process.generation });
  const handle = async (): Promise<number> => {
    if ((await atHand).generation !== process.generation) {
      atHand = make().then((made) => ({ made, generation: process.generation }));
      atHand.catch(() => {});
    }
    return (await atHand).made.handle;
  };
  const request = async (method: string, args: readonly unknown[]): Promise<PluginRequest> => {
    return { kind: 'call', handle: await handle(), method, args: args.map((arg) => sentArgument(arg, isListener)) };
  };
  const optionsOf = (method: string, args: readonly unknown[]): AskOptions => {
    const { signal, onEvent } = heardIn(args);
    return {
      ms: limitMs(method, args),
      mayGoOn: true,
      signal,
      onEvent: (name, values) => {
        if (name === 'state') state = values[0] as typeof state;
        else if (isListener(name)) onEvent(name, values);
      },
    };
  };
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> =>
    process.ask(await request(method, args), optionsOf(method, args));
  async function* stream(method: string, args: readonly unknown[]): AsyncGenerator {
    yield* process.stream(await request(method, args), optionsOf(method, args));
  }
  const close = async (): Promise<void> => {
    if ((await atHand).generation === process.generation) await call('close', []);
  };
  const object = {};
  for (const [name, member] of membersOf(wish.kind)) {
    const isThere = first.methods.includes(name);
    if (member === 'value') {
      if (name in first.state) Object.defineProperty(object, name, { get: () => state[name], enumerable: true });
      continue;
    }
    if (!isThere) continue;
    const methods = {
      said: () => state[name],
      'of-media': (media: MediaType) => answerTo(first, name, media),
      call: (...args: readonly unknown[]) => call(name, args),
      stream: (...args: readonly unknown[]) => stream(name, args),
      elsewhere: () => {
        throw new Error(`its ${name} runs in extraction processes alone`);
      },
    };
    Object.defineProperty(object, name, { value: name === 'close' ? close : methods[member], enumerable: true });
  }
  return object;
}

/** A medium that was not queried is not one that the extractor supports. */
function answerTo({ ofMedia }: MadeContribution, method: string, media: MediaType): unknown {
  const outcome = ofMedia[method]?.get(mediaKey(media));
  return outcome === undefined ? false : valueOf(outcome);
}

/** Callbacks of the contracts whose return values do not matter. */
const LISTENERS: readonly string[] = ['progress', 'onProgress', 'onDirectory'];

function isListener(name: string): boolean {
  return LISTENERS.includes(name);
}
