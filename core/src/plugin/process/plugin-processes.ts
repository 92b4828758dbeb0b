import type { GivenSettings, PluginContext } from '../define-plugin.ts';
import { kindsOf, type LoadedPlugin } from '../loaded-plugin.ts';
import type { PluginManifest } from '../manifest.ts';
import { pluginFailure } from '../plugin-failure.ts';
import { callLimit, type PluginLimits } from '../trust-policy.ts';
import { isRemote } from './contract-members.ts';
import type { LoadedFacts, MadeContribution, PluginStart, RemoteWish } from './plugin-messages.ts';
import { PluginProcess } from './plugin-process.ts';
import { processFence } from './process-fence.ts';
import { remoteContribution } from './remote-contribution.ts';

/** What the processes of plugins are made from. */
export interface PluginProcessesInit {
  /** The file that they run. */
  readonly url: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How much memory each may take, in MiB. */
  readonly memoryMb: number;
  /** Where plugins pass files; made when it is asked for. */
  readonly tmpDir: () => string;
  readonly dataDirOf: (manifest: PluginManifest) => string | undefined;
  /** Where remembered derivations lie. */
  readonly cacheDir: string;
  readonly worldOf: (manifest: PluginManifest) => Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;
}

/** The plugins that did not come with kebab, each in a process of its own, which starts when the plugin is first asked something. */
export class PluginProcesses {
  readonly #init: PluginProcessesInit;
  readonly #processes = new Map<string, PluginProcess>();

  constructor(init: PluginProcessesInit) {
    this.#init = init;
  }

  /** Whether a plugin runs in a process of its own. */
  has({ policy, manifest }: LoadedPlugin): boolean {
    return policy.isolation === 'fenced' && isRemote(kindsOf(manifest));
  }

  /**
   * What a single file says of itself in its code. Throws whatever its module throws, `plugin_incompatible`, and what is wrong with
   * it. Where it asks for nothing, the process that found that out goes on to hold it.
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
      start: () => this.#startOf(facts, { specifier, manifest: null, moduleUrl, config }),
      world: () => this.#init.worldOf(facts),
      maxCrashes: MAX_CRASHES,
    });
    let isKept = false;
    try {
      facts = (await process.ask({ kind: 'load' }, { ms: limits.loadMs, late: LATE_LOADING })) as LoadedFacts;
      const { fs, net, spawn } = facts.permissions;
      isKept = fs !== 'data-dir' && net.length === 0 && spawn.length === 0 && !this.#processes.has(facts.name);
      if (isKept) this.#processes.set(facts.name, process);
      return facts;
    } finally {
      if (!isKept) await process.end(0);
    }
  }

  /** A contribution of a plugin. Throws `plugin_failed` with the stage, and what its code throws of kebab's own list. */
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
      const late = 'its schema was not done with its configuration within';
      const context = { access, model };
      await stage('configure', () => process.ask({ kind: 'configure', context, settings }, { ...create, late }));
      const factory = `its factory of the ${kind} "${id}" did not finish within`;
      const made = await stage('create', () => process.ask({ kind: 'create', wish }, { ...create, late: factory }));
      return made as MadeContribution;
    };
    return remoteContribution({ wish, process, make, limitMs: (method, args) => callLimit(limits, method, args) });
  }

  /** Ends every process; each is given as long as closing may take to be done with what it is at. */
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
        start: () => this.#startOf(manifest, { specifier, manifest, moduleUrl, config }),
        world: () => this.#init.worldOf(manifest),
        maxCrashes: MAX_CRASHES,
      });
    this.#processes.set(manifest.name, process);
    return process;
  }

  #startOf(
    manifest: PluginManifest,
    plugin: Pick<PluginStart, 'specifier' | 'manifest' | 'moduleUrl' | 'config'>,
  ): ReturnType<ConstructorParameters<typeof PluginProcess>[0]['start']> {
    const { url, env, memoryMb, cacheDir } = this.#init;
    const tmpDir = this.#init.tmpDir();
    const dataDir = this.#init.dataDirOf(manifest);
    const fence = processFence({ permissions: [manifest.permissions], env, tmpDir, dataDir: dataDir ?? tmpDir });
    return {
      process: { url, args: ['plugin'], env, memoryMb, fence },
      start: { ...plugin, tmpDir, dataDir, cacheDir, hosts: fence.hosts, memoryMb },
    };
  }
}

/** A plugin that crashes or hangs so often in a row is not started again. */
const MAX_CRASHES = 3;
const NOTHING = { fs: 'none', net: [], spawn: [] } as const;
const LATE_LOADING = 'its module did not finish loading within';
