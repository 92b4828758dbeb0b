import { fileURLToPath } from 'node:url';
import type { GivenSettings, PluginContext } from '../define-plugin.ts';
import { kindsOf, type LoadedPlugin } from '../loaded-plugin.ts';
import type { PluginManifest } from '../read-manifest.ts';
import { pluginFailure } from '../plugin-failure.ts';
import { callLimit, type PluginLimits } from '../trust-policy.ts';
import { isRemote, membersOf } from './contract-members.ts';
import {
  type LoadedFacts,
  type MadeContribution,
  type PluginStart,
  type RemoteWish,
  type CallAnswer,
  type RemoteCall,
  type SentArgument,
  type StreamAnswer,
  receivedFrom,
} from './plugin-messages.ts';
import { PluginProcess } from './plugin-process.ts';
import { processFence } from './limited-process.ts';
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
  readonly worldOf: (manifest: PluginManifest) => Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;
}

/** The third-party plugins, each in its own process, which starts on the first request to the plugin. */
export class PluginProcesses {
  readonly #init: PluginProcessesInit;
  readonly #processes = new Map<string, PluginProcess>();

  constructor(init: PluginProcessesInit) {
    this.#init = init;
  }

  /** Whether a plugin runs in its own process. */
  has({ policy, manifest }: LoadedPlugin): boolean {
    return policy.isolation === 'fenced' && isRemote(kindsOf(manifest));
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
    const process = new PluginProcess({
      start: () => this.#startOf(facts, { specifier, manifest: null, moduleUrl, config }, fileURLToPath(moduleUrl)),
      world: () => this.#init.worldOf(facts),
      maxCrashes: MAX_CRASHES,
    });
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
    const process =
      this.#processes.get(manifest.name) ??
      new PluginProcess({
        start: () => this.#startOf(manifest, { specifier, manifest, moduleUrl, config }, loaded.path),
        world: () => this.#init.worldOf(manifest),
        maxCrashes: MAX_CRASHES,
      });
    this.#processes.set(manifest.name, process);
    return process;
  }

  #startOf(
    manifest: PluginManifest,
    plugin: Pick<PluginStart, 'specifier' | 'manifest' | 'moduleUrl' | 'config'>,
    place: string | null,
  ): ReturnType<ConstructorParameters<typeof PluginProcess>[0]['start']> {
    const { url, env, memoryMb, cacheDir } = this.#init;
    const tmpDir = this.#init.tmpDir();
    const dataDir = this.#init.dataDirOf(manifest);
    const fence = processFence({
      permissions: [manifest.permissions],
      env,
      program: url,
      code: place === null ? [] : [place],
      readable: [cacheDir],
      tmpDir,
      dataDirs: dataDir === undefined ? [] : [dataDir],
    });
    return {
      process: { url, args: ['plugin'], env, memoryMb, fence },
      start: { ...plugin, tmpDir, dataDir, cacheDir, hosts: fence.hosts, memoryMb },
    };
  }
}

/** A plugin that crashes or hangs this often in a row is not started again. */
const MAX_CRASHES = 3;
const NOTHING = { fs: 'none', net: [], spawn: [] } as const;
const LATE_LOADING = 'its module did not finish loading within';

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
  const sent = async (method: string, args: readonly unknown[]): Promise<RemoteCall> => {
    return { handle: await handle(), method, args: args.map(sentArgument) };
  };
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    const { value, state: changed } = (await process.ask(
      { kind: 'call', call: await sent(method, args) },
      { ms: limitMs(method, args), isCall: true, ...heardIn(args) },
    )) as CallAnswer;
    state = changed ?? state;
    return value;
  };
  async function* stream(method: string, args: readonly unknown[]): AsyncGenerator {
    const options = { ms: limitMs(method, args), isCall: true, ...heardIn(args) };
    let opened = 0;
    await process.ask({ kind: 'open', call: await sent(method, args) }, { ...options, onSent: (id) => (opened = id) });
    const { generation } = process;
    try {
      for (let isOver = false; !isOver;) {
        if (process.generation !== generation) throw new Error('its process ended');
        const answer = (await process.ask(
          { kind: 'next', stream: opened },
          { ...options, abortId: opened },
        )) as StreamAnswer;
        state = answer.state ?? state;
        ({ isOver } = answer);
        yield* answer.items;
      }
    } finally {
      process.stop(opened);
    }
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
  return outcome === undefined ? false : receivedFrom(outcome);
}

/** Callbacks that an argument may contain; their return values are ignored. */
const LISTENERS = ['progress', 'onProgress', 'onDirectory'] as const;

/** Serialises an argument: the data of an options object, and its non-data members. */
function sentArgument(arg: unknown): SentArgument {
  if (typeof arg !== 'object' || arg === null || Object.getPrototypeOf(arg) !== Object.prototype) return { data: arg };
  const entries = Object.entries(arg);
  if (!entries.some(isSpecial)) return { data: arg };
  const { signal, log } = arg as { readonly signal?: unknown; readonly log?: unknown };
  return {
    data: Object.fromEntries(entries.filter((entry) => !isSpecial(entry))),
    ...(signal instanceof AbortSignal ? { signal: true } : {}),
    ...(log === undefined ? {} : { log: true }),
    listeners: LISTENERS.filter((name) => typeof (arg as Readonly<Record<string, unknown>>)[name] === 'function'),
  };
}

function isSpecial([name, value]: readonly [string, unknown]): boolean {
  return typeof value === 'function' || value instanceof AbortSignal || name === 'log';
}

/** The signal and the callbacks among some arguments. */
function heardIn(callArgs: readonly unknown[]): {
  readonly signal: AbortSignal | undefined;
  readonly onCallback: (listener: string, args: readonly unknown[]) => void;
} {
  const tables = callArgs.filter((arg) => typeof arg === 'object' && arg !== null) as Readonly<
    Record<string, unknown>
  >[];
  const signal = tables.map((table) => table['signal']).find((one) => one instanceof AbortSignal);
  const onCallback = (listener: string, args: readonly unknown[]): void => {
    if (!(LISTENERS as readonly string[]).includes(listener)) return;
    for (const table of tables) {
      const hears = table[listener];
      if (typeof hears === 'function') (hears as (...them: readonly unknown[]) => void)(...args);
    }
  };
  return { signal, onCallback };
}
