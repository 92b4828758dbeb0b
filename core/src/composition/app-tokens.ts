import type { AppPorts } from '../app/app-ports.ts';
import type { OpenedFileNames } from '../app/opened-files.ts';
import type { FileDerivationCache } from '../plugin/file-derivation-cache.ts';
import type { ComponentsInit } from '../plugin/plugin-components.ts';
import { type Bindings, tokenOf, type Token } from './bindings.ts';
import type { AppEnvironment } from './environment.ts';
import type { FileLogger, FileLoggerInit } from './file-logger.ts';
import type { InstalledPlugins, PluginNotices } from './installed-plugins.ts';
import type { LazySearcher } from './open-app.ts';
import type { Tracing } from './tracing.ts';
import type { ExtractionProcesses } from './extraction-processes.ts';
import type { PluginContexts, TemporaryFolder } from './plugin-contexts.ts';

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

/** Binds ports to values that are at hand. */
export function providePorts(bindings: Bindings, ports: Partial<AppPorts>): void {
  for (const name of Object.keys(ports) as (keyof AppPorts)[]) bindings.provide<unknown>(port(name), () => ports[name]);
}

/** The tokens of what no operation needs, only other parts of an App. */
export const PARTS = {
  environment: tokenOf<AppEnvironment>('environment'),
  /** Whether writing is forbidden. */
  readonly: tokenOf<boolean>('readonly'),
  /** The program of extraction and plugin processes; undefined when everything runs in this process. */
  workerUrl: tokenOf<URL | undefined>('workerUrl'),
  logInit: tokenOf<FileLoggerInit>('logInit'),
  /** Records what callers were shown; null where the configuration asks for no records. */
  audit: tokenOf<FileLogger | null>('audit'),
  /** Sends spans; null where nothing asks for them. */
  tracing: tokenOf<Promise<Tracing> | null>('tracing'),
  tmp: tokenOf<TemporaryFolder>('tmp'),
  derivations: tokenOf<FileDerivationCache>('derivations'),
  contexts: tokenOf<PluginContexts>('contexts'),
  installed: tokenOf<InstalledPlugins>('installed'),
  notices: tokenOf<PluginNotices>('notices'),
  componentsInit: tokenOf<ComponentsInit>('componentsInit'),
  extraction: tokenOf<ExtractionProcesses>('extraction'),
  searcher: tokenOf<LazySearcher>('searcher'),
  openedFileNames: tokenOf<OpenedFileNames>('openedFileNames'),
} as const;
