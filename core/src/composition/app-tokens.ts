import type { AppPorts } from '../app/app-ports.ts';
import type { OpenedFileNames } from '../app/opened-files.ts';
import type { FileDerivationCache } from '../plugin/file-derivation-cache.ts';
import type { ComponentsInit } from '../plugin/plugin-components.ts';
import type { ComponentPorts } from '../ports.ts';
import type { PluginProcesses, PluginProcessesInit } from '../plugin/process/plugin-processes.ts';
import { tokenOf, type Token } from './bindings.ts';
import type { AppEnvironment } from './environment.ts';
import type { FileLoggerInit } from './file-logger.ts';
import type { InstalledPlugins } from './installed-plugins.ts';
import type { LazySearcher } from './lazy-searcher.ts';
import type { ExtractionProcesses } from './extraction-processes.ts';
import type { PluginContexts } from './plugin-contexts.ts';
import type { PluginNotices } from './plugin-notices.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** The token of a port that operations can declare. */
export function port<Name extends keyof AppPorts>(name: Name): Token<AppPorts[Name]> {
  return tokenOf(`port.${name}`);
}

/** The tokens of several ports, by name. */
export function portTokens<Name extends keyof AppPorts>(
  names: readonly Name[],
): { readonly [Each in Name]: Token<AppPorts[Each]> } {
  return Object.fromEntries(names.map((name) => [name, port(name)])) as {
    readonly [Each in Name]: Token<AppPorts[Each]>;
  };
}

/** The tokens of what no operation needs, only other parts of an App. */
export const PARTS = {
  environment: tokenOf<AppEnvironment>('environment'),
  /** Whether writing is forbidden. */
  readonly: tokenOf<boolean>('readonly'),
  /** The program of extraction and plugin processes; undefined when everything runs in this process. */
  workerUrl: tokenOf<URL | undefined>('workerUrl'),
  logInit: tokenOf<FileLoggerInit>('logInit'),
  /** Where temporary folders are created. */
  tmpParent: tokenOf<string>('tmpParent'),
  tmp: tokenOf<TemporaryFolder>('tmp'),
  derivedFolder: tokenOf<string>('derivedFolder'),
  derivations: tokenOf<FileDerivationCache>('derivations'),
  contexts: tokenOf<PluginContexts>('contexts'),
  processesInit: tokenOf<PluginProcessesInit>('processesInit'),
  /** Undefined when there are no third-party plugins, or all run in this process. */
  processes: tokenOf<PluginProcesses | undefined>('processes'),
  installed: tokenOf<InstalledPlugins>('installed'),
  knownNotices: tokenOf<readonly string[]>('knownNotices'),
  notices: tokenOf<PluginNotices>('notices'),
  componentsInit: tokenOf<ComponentsInit>('componentsInit'),
  componentPorts: tokenOf<ComponentPorts>('componentPorts'),
  extraction: tokenOf<ExtractionProcesses>('extraction'),
  searcher: tokenOf<LazySearcher>('searcher'),
  openedFileNames: tokenOf<OpenedFileNames>('openedFileNames'),
} as const;
