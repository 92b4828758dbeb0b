import path from 'node:path';
import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import type { Logger } from '../contracts/contribution.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { Access, ComponentName } from '../plugin/components.ts';
import type { GivenSettings, PluginContext } from '../plugin/define-plugin.ts';
import { FileDerivationCache } from '../plugin/file-derivation-cache.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { PluginComponents, type ComponentsInit } from '../plugin/plugin-components.ts';
import type { PluginProcesses } from '../plugin/process/plugin-processes.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import { componentPorts, type ComponentPorts } from '../ports.ts';
import { PARTS, port, portTokens } from './app-tokens.ts';
import type { Bindings } from './bindings.ts';
import {
  builtinNames,
  findInstalledPlugins,
  reportPlugins,
  thirdPartyIn,
  type InstalledPlugins,
} from './installed-plugins.ts';
import { PluginContexts } from './plugin-contexts.ts';
import { PluginNotices } from './plugin-notices.ts';
import { TemporaryFolder } from './temporary-folder.ts';

/** The plugins that a host brings along or enables. */
export interface ComponentsRequest {
  readonly builtins: readonly BuiltinPlugin[];
  /** How many of the configured plugins, at the start of the list, come from the command line. */
  readonly flaggedPlugins: number;
  /** The location of kebab's own packages, which plugins import. */
  readonly installing?: (() => InstallSetup) | undefined;
}

/**
 * Finds the plugins of an App and binds its components and their ports. The configuration, the environment, the log and the clock must be
 * bound. Runs no code of plugins that have a manifest.
 */
export async function bindComponents(bindings: Bindings, request: ComponentsRequest): Promise<void> {
  const environment = bindings.get(PARTS.environment);
  const resolution = bindings.get(port('resolution'));
  const { builtins, flaggedPlugins } = request;
  bindings
    .provide(PARTS.tmpParent, () => environment.tmpDir)
    .bind(PARTS.tmp, TemporaryFolder, [PARTS.tmpParent], (tmp) => tmp.remove())
    .provide(PARTS.derivedFolder, () => path.join(resolution.folders.cache, 'derived'))
    .bind(PARTS.derivations, FileDerivationCache, [
      bindings.group({ folder: PARTS.derivedFolder, readonly: PARTS.readonly }),
    ])
    .bind(PARTS.contexts, PluginContexts, [
      bindings.group({
        ...portTokens(['log', 'clock', 'resolution']),
        derivations: PARTS.derivations,
        tmp: PARTS.tmp,
        components: bindings.later(port('components')),
      }),
    ]);
  const hasThirdParty = thirdPartyIn(resolution.config, builtinNames(builtins)).length > 0;
  if (hasThirdParty) await linkOwnPackages(bindings, request);
  await bindProcesses(bindings, hasThirdParty);
  const installed = await findInstalledPlugins({
    resolution,
    builtins,
    flaggedPlugins,
    beforeLoad: environment.beforeForeignCode,
    processes: bindings.get(PARTS.processes),
  });
  bindings
    .provide(PARTS.installed, () => installed)
    .provide(port('plugins'), () => installed.plugins)
    .provide(PARTS.knownNotices, () => installed.notices)
    .bind(PARTS.notices, PluginNotices, [PARTS.knownNotices])
    .bind(PARTS.componentsInit, SupervisedPlugins, [
      bindings.group({
        installed: PARTS.installed,
        contexts: PARTS.contexts,
        processes: PARTS.processes,
        notices: PARTS.notices,
        log: port('log'),
        readonly: PARTS.readonly,
      }),
    ])
    .bind(port('components'), PluginComponents, [PARTS.componentsInit], (components) => components.close())
    .provide(port('pluginReports'), () => () => reportPlugins(installed, bindings.get(PARTS.notices)))
    .provide(port('notify'), () => (notice) => bindings.get(PARTS.notices).note(notice))
    .provide(port('release'), () => () => bindings.get(port('components')).release());
  await bindComponentPorts(bindings);
}

/** Binds a port for each kind of contribution. */
async function bindComponentPorts(bindings: Bindings): Promise<void> {
  const { project } = bindings.get(port('resolution'));
  bindings.provide(PARTS.componentPorts, () => componentPorts(bindings.get(port('components'))));
  const { documents, ...others } = bindings.get(PARTS.componentPorts);
  for (const name of Object.keys(others) as (keyof typeof others)[])
    bindings.provide<ComponentPorts[keyof typeof others]>(port(name), () => others[name]);
  // A project's database is verified before it is used; the user's needs none of that code.
  if (project === null) bindings.provide(port('documents'), () => documents);
  else {
    const { ProjectDatabase } = await import('./project-database.ts');
    bindings.bind(port('documents'), ProjectDatabase, [PARTS.componentPorts, port('resolution')]);
  }
}

/** Puts kebab's own packages where plugins import them from. */
async function linkOwnPackages(bindings: Bindings, { installing }: ComponentsRequest): Promise<void> {
  if (installing === undefined || bindings.get(PARTS.readonly)) return;
  const { PluginFolder } = await import('../admin/installing/plugin-folder.ts');
  new PluginFolder(bindings.get(port('resolution')).pluginFolder).linkOwn(() => installing().ownPackages);
}

/** Binds the host of plugin processes, which is loaded only when there are third-party plugins. */
async function bindProcesses(bindings: Bindings, hasThirdParty: boolean): Promise<void> {
  const url = hasThirdParty ? bindings.get(PARTS.workerUrl) : undefined;
  if (url === undefined) {
    bindings.provide(PARTS.processes, () => undefined);
    return;
  }
  const { PluginProcesses } = await import('../plugin/process/plugin-processes.ts');
  const contexts = bindings.get(PARTS.contexts);
  bindings
    .provide(PARTS.processesInit, () => ({
      url,
      env: bindings.get(PARTS.environment).env,
      memoryMb: bindings.get(port('config')).pluginLimits.memoryMb,
      tmpDir: () => bindings.get(PARTS.tmp).path,
      dataDirOf: (manifest) => contexts.dataDirOf(manifest),
      cacheDir: bindings.get(PARTS.derivedFolder),
      servicesFor: (manifest) => contexts.servicesFor(manifest),
    }))
    .bind(PARTS.processes, PluginProcesses, [PARTS.processesInit]);
}

interface SupervisedPluginsInit {
  readonly installed: InstalledPlugins;
  readonly contexts: PluginContexts;
  readonly processes: PluginProcesses | undefined;
  readonly notices: PluginNotices;
  readonly log: Logger;
  readonly readonly: boolean;
}

/** The plugins of an App with what they receive, whose failures become notices and records in the log. */
class SupervisedPlugins implements ComponentsInit {
  readonly #init: SupervisedPluginsInit;

  constructor(init: SupervisedPluginsInit) {
    this.#init = init;
  }

  get plugins(): readonly LoadedPlugin[] {
    return this.#init.installed.plugins;
  }

  get processes(): PluginProcesses | undefined {
    return this.#init.processes;
  }

  settingsOf(plugin: LoadedPlugin, access: Access): GivenSettings {
    return this.#init.contexts.settingsOf(plugin, access);
  }

  contextOf(plugin: LoadedPlugin): Omit<PluginContext, 'config'> {
    return this.#init.contexts.contextOf(plugin);
  }

  allowWrite(): void {
    if (!this.#init.readonly) return;
    throw new KebabError('readonly_mode', 'nothing is written in read-only mode', { details: { command: 'write' } });
  }

  // These two are passed on without their object.

  readonly onFailure = (name: ComponentName, error: Error): void => {
    const { notices, log } = this.#init;
    notices.broken(name, error);
    log.error('plugin failed', { plugin: name.plugin, cause: error.message });
  };

  readonly onCallFailure = (name: ComponentName, error: Error): void => {
    const { notices, log } = this.#init;
    const { plugin, kind, id } = name;
    notices.failedCall(name, error);
    log.warn('a call of a plugin failed', { plugin, kind, id, cause: error.message });
  };
}
