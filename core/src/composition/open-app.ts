import type { App } from '../app/app.ts';
import { createFacade, type FacadeInit, type OperationName, type UseCase } from '../app/facade.ts';
import type { AppPorts } from '../app/app-ports.ts';
import { IndexRefresher } from '../app/index-refresher.ts';
import { OpenedFiles } from '../app/opened-files.ts';
import { OPERATIONS } from '../app/operations.ts';
import {
  defaultsInsteadOf,
  resolveConfig,
  resolveOrDefault,
  type ConfigInput,
  type ConfigResolution,
  type FlagValue,
} from '../config/resolve-config.ts';
import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import type { Clock } from '../contracts/contribution.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import { Bindings, bindPorts, portsOf } from './bindings.ts';
import { corePlugin } from './core-plugin.ts';
import { type AppEnvironment, environmentSwitches } from './environment.ts';
import { FileLogger } from './file-logger.ts';
import { openComponents, type OpenComponents } from './open-components.ts';
import { componentPorts, type Ports } from '../ports.ts';
import type { InitReport } from '../wire/index.ts';

/** A host's options for opening an App. */
export interface OpenAppOptions {
  /** The bundled plugins, or a function that finds them; they can be disabled, but need not be named. */
  readonly builtins: readonly BuiltinPlugin[] | (() => Promise<readonly BuiltinPlugin[]>);
  readonly environment: AppEnvironment;
  readonly flags?: AppFlags;
  /** The program of extraction and plugin processes; without it everything runs in this process. */
  readonly extractionWorkerUrl?: URL;
  /** Receives the log, one JSON object per line, when `flags.debug` or `KEBAB_LOG=debug` is set. */
  readonly onDebugLine?: (line: string) => void;
  readonly clock?: Clock;
  /** The setup for installing plugins; without it there are no optional parts, and plugins bundle their imports. */
  readonly installing?: (() => InstallSetup) | undefined;
  /** Uses the defaults when the configuration is invalid, for commands that help to repair it. */
  readonly despiteConfig?: boolean;
  /** Accepts a missing named file, for commands that create it. */
  readonly makesConfig?: boolean;
  /** The program and arguments that start a service; without them none is started. */
  readonly serviceCommand?: readonly string[] | undefined;
  /** The App is long-lived: it is better to wait for a service than to load everything in this process as well. */
  readonly isLasting?: boolean;
}

/** The command line flags. */
export interface AppFlags {
  /** `--config PATH`. */
  readonly config?: string | undefined;
  /** `--user`: the user's knowledge base, even inside a project. */
  readonly user?: boolean | undefined;
  /** `--plugin PATH`, repeatable. */
  readonly plugins?: readonly string[] | undefined;
  readonly readonly?: boolean | undefined;
  readonly debug?: boolean | undefined;
  /** Values of single keys with flags of their own, such as `--pdf-password`. */
  readonly values?: readonly FlagValue[] | undefined;
}

/** The context of a caller, on which the lookup of typed paths and the origin of the configuration depend. */
export interface CallerSettings extends Pick<AppPorts, 'cwd' | 'env' | 'homeDir' | 'resolution'> {
  readonly readonly: boolean;
}

/** An opened kebab in one process. */
export interface Engine {
  /** The App of the process itself. */
  readonly app: App;
  readonly resolution: ConfigResolution;
  readonly builtins: readonly BuiltinPlugin[];
  readonly ports: Pick<AppPorts, 'documents' | 'embedders' | 'clock' | 'log'>;
  /** An App for another process of the user with equal settings; its `close` does not close anything shared. */
  readonly appFor: (from: CallerSettings) => App;
  /** Whether there was a search that a service would have answered sooner: it loaded a slow model, or checked many files. */
  readonly wasSlow: () => Promise<boolean>;
}

/**
 * Opens kebab in this process: resolves the configuration once, finds plugins, and binds use cases. Nothing is opened, imported or
 * connected before a use case needs it. Throws `config_invalid` and `config_not_found`.
 */
export async function openEngine(options: OpenAppOptions): Promise<Engine> {
  const { environment, flags = {} } = options;
  const builtins = await builtinsOf(options);
  const { cwd, env, homeDir } = environment;
  const clock = options.clock ?? { now: () => new Date() };
  const switches = environmentSwitches(env);
  const readonly = flags.readonly === true || switches.readonly;
  const configInput: ConfigInput = {
    cwd,
    env,
    homeDir,
    flags: {
      config: flags.config,
      plugins: flags.plugins,
      values: flags.values,
      user: flags.user,
    },
    builtins,
    makesConfig: options.makesConfig,
  };
  const debug = flags.debug === true || switches.debug;
  const open = async (resolution: ConfigResolution): Promise<OpenedParts> => {
    const log = openLog(options, resolution, { clock, debug });
    const flaggedPlugins = resolution.origins.get('plugins')?.origin === 'flag' ? (flags.plugins?.length ?? 0) : 0;
    const { installing } = options;
    const given = { resolution, builtins, environment, clock, log, readonly, flaggedPlugins, installing };
    // Only needed with plugins: a search without any does not have to parse URLs.
    const workerUrl = resolution.config.plugins.length === 0 ? undefined : options.extractionWorkerUrl;
    return { resolution, log, opened: await openComponents({ ...given, workerUrl }) };
  };
  const { resolution, log, opened } = await openChecked(configInput, open, options.despiteConfig === true);
  const { components, reports } = opened;
  const { config } = resolution;
  const own = componentPorts(components);
  let opening: Promise<ExtractionHost | null> | undefined; // shared by all use cases: its processes are kept between runs
  const extraction = (): Promise<ExtractionHost | null> => (opening ??= openExtraction(options, resolution, opened));
  const ports = { ...own, documents: await documentsOf(own.documents, resolution), config, clock, log };
  let hasSearched = false;
  const shared = {
    ...ports,
    components,
    release: () => components.release(),
    notify: (notice: string) => opened.told.note(notice),
    searcher: lazily(async () => {
      hasSearched = true;
      const { openSearcher } = await import('../search/search-documents.ts');
      return openSearcher(ports);
    }),
    refresher: new IndexRefresher({ ...ports, readonly, extraction }),
    plugins: opened.plugins,
    pluginReports: reports,
    installing: () => ({
      setup: options.installing?.() ?? { ownPackages: {}, parts: [] },
      builtins: new Set([corePlugin, ...builtins].map(({ manifest }) => manifest.name)),
    }),
    randomBytes: (size: number) => crypto.getRandomValues(new Uint8Array(size)), // importing node:crypto takes a search 3 ms
    extraction,
    resolveAgain: async ({ replaced, whole }: Parameters<AppPorts['resolveAgain']>[0]) => {
      const user = whole === true ? false : flags.user;
      const again = await openChecked({ ...configInput, flags: { ...configInput.flags, user }, replaced }, open, false);
      await closeParts(again);
      return again.resolution;
    },
    initAgain: (folder: string) => initAgain(options, folder),
  };
  const { configurationFiles } =
    options.isLasting === true ? await import('../config/configuration-files.ts') : { configurationFiles: () => [] };
  const appFor = ({ readonly: only, ...from }: CallerSettings, close: () => Promise<void>): App => {
    const bindings = new Bindings();
    const refresher =
      only && !readonly ? new IndexRefresher({ ...ports, readonly: only, extraction }) : shared.refresher;
    const openedFiles = new OpenedFiles({
      database: config.storage.sqlite,
      configuration: configurationFiles(from.resolution, from.cwd),
    });
    bindPorts(bindings, { ...shared, refresher, openedFiles, ...from });
    return facadeOver(bindings, {
      openedFiles,
      notices: () => [
        ...from.resolution.notices.map((text) => ({ kind: 'configuration', text }) as const),
        ...opened.told.lines.map((text) => ({ kind: 'plugin', text }) as const),
      ],
      readonly: only,
      close,
    });
  };
  const from = { cwd, env, homeDir, resolution, readonly };
  return {
    app: appFor(from, async () => {
      const host = await opening?.catch(() => null);
      await host?.close();
      await components.close();
      opened.tmp.remove();
      await log.close();
    }),
    resolution,
    builtins,
    ports,
    appFor: (other) => appFor(other, () => Promise.resolve()),
    wasSlow: async () => {
      if (!hasSearched) return false;
      const { provider } = config.models.embedding;
      if (shared.refresher.wasLong) return true;
      return (
        components.isMade('embedder', provider) && (await components.get('embedder', provider)).isSlowToLoad === true
      );
    },
  };
}

/** The bundled plugins of a host. */
export async function builtinsOf({ builtins }: Pick<OpenAppOptions, 'builtins'>): Promise<readonly BuiltinPlugin[]> {
  return typeof builtins === 'function' ? builtins() : builtins;
}

/** The App that {@link openEngine} opens. */
export async function openAppHere(options: OpenAppOptions): Promise<App> {
  return (await openEngine(options)).app;
}

/** Creates the facade, which binds the ports of each use case on first use. */
function facadeOver(bindings: Bindings, { close, ...rest }: Omit<FacadeInit, 'open'>): App {
  const useCases = new Map<OperationName, Promise<UseCase>>();
  const load = (name: OperationName): Promise<UseCase> => {
    const { needs, load: loadUseCase } = OPERATIONS[name] as unknown as {
      readonly needs: readonly (keyof AppPorts)[];
      readonly load: (ports: Partial<AppPorts>) => Promise<UseCase>;
    };
    return loadUseCase(portsOf(bindings, needs));
  };
  return createFacade({
    ...rest,
    open: (name) => {
      let made = useCases.get(name);
      if (made === undefined) {
        made = load(name);
        useCases.set(name, made);
        made.catch(() => useCases.delete(name)); // a failed load may succeed next time
      }
      return made;
    },
    close: async () => {
      await bindings.close();
      await close();
    },
  });
}

/** The parts created from a resolved configuration. */
interface OpenedParts {
  readonly resolution: ConfigResolution;
  readonly log: FileLogger;
  readonly opened: OpenComponents;
}

/** A project’s database is verified before it is used; the user’s needs none of that code. */
async function documentsOf(documents: Ports['documents'], resolution: ConfigResolution): Promise<Ports['documents']> {
  if (resolution.project === null) return documents;
  const { projectDatabase } = await import('./project-database.ts');
  return projectDatabase(documents, resolution);
}

async function closeParts({ log, opened }: OpenedParts): Promise<void> {
  await opened.components.close();
  opened.tmp.remove();
  await log.close();
}

/** Opens the components of the configuration. A configuration with an unknown component is rejected, or replaced by the defaults. */
async function openChecked(
  input: ConfigInput,
  open: (resolution: ConfigResolution) => Promise<OpenedParts>,
  despiteConfig: boolean,
): Promise<OpenedParts> {
  const parts = await open(await (despiteConfig ? resolveOrDefault : resolveConfig)(input));
  const { misnamed } = parts.opened;
  if (misnamed === null) return parts;
  await closeParts(parts);
  if (!despiteConfig) throw misnamed;
  return open(await defaultsInsteadOf(input, misnamed));
}

async function initAgain({ environment, ...options }: OpenAppOptions, cwd: string): Promise<InitReport> {
  const app = await openAppHere({
    ...options,
    environment: { ...environment, cwd },
    despiteConfig: false,
    makesConfig: false,
  });
  try {
    return await app.init();
  } finally {
    await app.close();
  }
}

/** Runs an asynchronous factory once, on first use. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function openLog(
  { onDebugLine }: OpenAppOptions,
  { config, folders }: ConfigResolution,
  { clock, debug }: { readonly clock: Clock; readonly debug: boolean },
): FileLogger {
  return new FileLogger({
    folder: `${folders.state}/logs`,
    level: debug ? 'debug' : config.logging.level,
    retentionDays: config.logging.retentionDays,
    clock,
    ...(debug && onDebugLine !== undefined ? { mirror: onDebugLine } : {}),
  });
}

async function openExtraction(
  { extractionWorkerUrl, environment }: OpenAppOptions,
  { config, pluginFolder }: ConfigResolution,
  { plugins, tmp, told, settingsOf }: Pick<OpenComponents, 'plugins' | 'tmp' | 'told' | 'settingsOf'>,
): Promise<ExtractionHost | null> {
  if (extractionWorkerUrl === undefined) return null;
  const { openProcesses } = await import('./open-processes.ts');
  const { availableParallelism } = process.getBuiltinModule('node:os');
  const onFencedFailure = (error: unknown): void => told.failedFile(error);
  return openProcesses({
    url: extractionWorkerUrl,
    env: environment.env,
    processors: environment.processors ?? availableParallelism(),
    config,
    pluginFolder,
    plugins,
    tmp,
    settingsOf: (plugin) => settingsOf(plugin, 'read'),
    onFencedFailure,
  });
}
