import type { Caller, Scope } from '../access/caller.ts';
import { INGESTING, type AppPorts } from '../app/app-ports.ts';
import type { App } from '../app/app.ts';
import { createFacade, type FacadeInit, type OperationName, type UseCase } from '../app/facade.ts';
import { IndexRefresher } from '../app/index-refresher.ts';
import { OpenedFiles } from '../app/opened-files.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { OtherBase } from '../admin/moving/move-base.ts';
import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import { defaultsInsteadOf, resolveConfig, resolveOrDefault, type ConfigResolution } from '../config/resolve-config.ts';
import { type ConfigFlags, type ConfigInput, configurationFiles, type FlagValue } from '../config/read-config-files.ts';
import type { Clock } from '../contracts/contribution.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import { componentPorts } from '../ports.ts';
import type { Searcher, SearchPorts } from '../search/search-documents.ts';
import type { InitReport } from '../wire/index.ts';
import { PARTS, port, portTokens, providePorts } from './app-tokens.ts';
import { Bindings } from './bindings.ts';
import { type AppEnvironment, environmentSwitches } from './environment.ts';
import { FileLogger } from './file-logger.ts';
import { builtinNames } from './installed-plugins.ts';
import { bindComponents } from './open-components.ts';
import { ExtractionProcesses } from './extraction-processes.ts';

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
export interface AppFlags extends ConfigFlags {
  readonly readonly?: boolean | undefined;
  readonly debug?: boolean | undefined;
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
  const { isLasting } = options;
  const builtins = await builtinsOf(options);
  const bindings = await bindEngine(options, builtins);
  const resolution = bindings.get(port('resolution'));
  const readonly = bindings.get(PARTS.readonly);
  const configurationOf = (from: Pick<CallerSettings, 'resolution' | 'cwd'>): readonly string[] =>
    isLasting === true
      ? configurationFiles(from.resolution.files, { stateDir: from.resolution.folders.state, cwd: from.cwd })
      : [];
  const bindOpenedFiles = (own: Bindings, from: Pick<CallerSettings, 'resolution' | 'cwd'>): Bindings =>
    own
      .provide(PARTS.openedFileNames, () => ({
        database: resolution.config.storage.sqlite,
        configuration: configurationOf(from),
      }))
      .bind(port('openedFiles'), OpenedFiles, [PARTS.openedFileNames]);
  bindOpenedFiles(bindings, { resolution, cwd: options.environment.cwd });
  return {
    app: facadeOver(bindings),
    resolution,
    builtins,
    ports: bindings.get(bindings.group(portTokens(['documents', 'embedders', 'clock', 'log']))),
    appFor: ({ readonly: isReadonly, ...from }) => {
      const derived = bindOpenedFiles(bindings.derive(), from).provide(PARTS.readonly, () => isReadonly);
      providePorts(derived, from);
      if (isReadonly && !readonly) bindRefresher(derived);
      return facadeOver(derived);
    },
    wasSlow: async () => {
      if (!bindings.get(PARTS.searcher).isOpened) return false;
      if (bindings.get(port('refresher')).wasLong) return true;
      const components = bindings.get(port('components'));
      const { provider } = resolution.config.models.embedding;
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

/**
 * Resolves the configuration and binds everything for it, except {@link OpenedFiles}. A configuration with an unknown component is rejected,
 * or replaced by the defaults.
 */
export async function bindEngine(options: OpenAppOptions, builtins: readonly BuiltinPlugin[]): Promise<Bindings> {
  const { environment, flags = {}, makesConfig } = options;
  const { cwd, env, homeDir } = environment;
  const input: ConfigInput = { cwd, env, homeDir, flags, builtins, makesConfig };
  const switches = environmentSwitches(env);
  const readonly = flags.readonly === true || switches.readonly;
  const debug = flags.debug === true || switches.debug;
  const resolveAgain: AppPorts['resolveAgain'] = async ({ replaced, whole }) => {
    const again = whole === true ? { ...input, flags: { ...flags, user: false } } : input;
    const opened = await bindChecked({ ...again, replaced }, open, false);
    await opened.close();
    return opened.get(port('resolution'));
  };
  const open = async (resolution: ConfigResolution): Promise<Bindings> => {
    const bindings = new Bindings()
      .provide(PARTS.environment, () => environment)
      .provide(PARTS.readonly, () => readonly)
      .provide(PARTS.workerUrl, () => options.extractionWorkerUrl);
    providePorts(bindings, {
      cwd,
      env,
      homeDir,
      resolution,
      config: resolution.config,
      resolveAgain,
      clock: options.clock ?? SYSTEM_CLOCK,
      initAgain: (folder) => initAgain(options, folder),
      openBase: (given) => openBase(options, builtins, given),
      installing: () => ({
        setup: options.installing?.() ?? { ownPackages: {}, parts: [], formats: {} },
        builtins: builtinNames(builtins),
      }),
      mayRead: () => true,
      // Importing node:crypto takes a search 3 ms.
      randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    });
    bindLog(bindings, options, debug);
    await bindComponents(bindings, {
      builtins,
      flaggedPlugins: resolution.origins.get('plugins')?.origin === 'flag' ? (flags.plugins?.length ?? 0) : 0,
      installing: options.installing,
    });
    bindUseCases(bindings);
    const isTraced = options.isLasting === true && switches.traced;
    return bindings.provide(
      PARTS.tracing,
      () => (isTraced ? import('./tracing.ts').then(({ Tracing }) => Tracing.open()) : null),
      async (tracing) => (await tracing?.catch(() => null))?.close(),
    );
  };
  return bindChecked(input, open, options.despiteConfig === true);
}

async function bindChecked(
  input: ConfigInput,
  open: (resolution: ConfigResolution) => Promise<Bindings>,
  despiteConfig: boolean,
): Promise<Bindings> {
  const bindings = await open(await (despiteConfig ? resolveOrDefault : resolveConfig)(input));
  const { misnamed } = bindings.get(PARTS.installed);
  if (misnamed === null) return bindings;
  await bindings.close();
  if (!despiteConfig) throw misnamed;
  return open(await defaultsInsteadOf(input, misnamed));
}

function bindLog(bindings: Bindings, { onDebugLine }: OpenAppOptions, debug: boolean): void {
  const { config, folders } = bindings.get(port('resolution'));
  bindings
    .provide(PARTS.logInit, () => ({
      folder: `${folders.state}/logs`,
      level: debug ? 'debug' : config.logging.level,
      retentionDays: config.logging.retentionDays,
      clock: bindings.get(port('clock')),
      mirror: debug ? onDebugLine : undefined,
    }))
    .bind(port('log'), FileLogger, [PARTS.logInit], (log) => log.close())
    .provide(
      PARTS.audit,
      () =>
        config.access.audit
          ? new FileLogger({
              folder: `${config.storage.dataDir}/audit`,
              name: 'audit',
              level: 'info',
              retentionDays: config.logging.retentionDays,
              clock: bindings.get(port('clock')),
            })
          : null,
      (log) => log?.close(),
    );
}

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** Binds what use cases share: the searcher, the refresher, and processes for extraction. */
function bindUseCases(bindings: Bindings): void {
  bindings.bind(
    PARTS.extraction,
    ExtractionProcesses,
    [
      bindings.group({
        ...portTokens(['resolution', 'plugins']),
        url: PARTS.workerUrl,
        environment: PARTS.environment,
        tmp: PARTS.tmp,
        contexts: PARTS.contexts,
        notices: PARTS.notices,
      }),
    ],
    (processes) => processes.close(),
  );
  providePorts(bindings, { extraction: () => bindings.get(PARTS.extraction).open() });
  bindSearcher(bindings);
  bindRefresher(bindings);
}

function bindSearcher(bindings: Bindings): void {
  bindings.bind(PARTS.searcher, LazySearcher, [bindings.group(portTokens(SEARCHING))]);
  providePorts(bindings, { searcher: () => bindings.get(PARTS.searcher).open() });
}

/** The searcher of one App, whose code is loaded with the first search. */
export class LazySearcher {
  readonly #ports: SearchPorts;
  #opened: Promise<Searcher> | undefined;

  constructor(ports: SearchPorts) {
    this.#ports = ports;
  }

  /** Whether there was a search. */
  get isOpened(): boolean {
    return this.#opened !== undefined;
  }

  /** The searcher, the same one every time. */
  open(): Promise<Searcher> {
    this.#opened ??= import('../search/search-documents.ts').then(({ openSearcher }) => openSearcher(this.#ports));
    return this.#opened;
  }
}

/** The ports of a search. */
const SEARCHING = [
  'documents',
  'lexicalIndex',
  'retrievers',
  'rerankers',
  'embedders',
  'vectorStores',
  'connectors',
  'config',
  'clock',
  'log',
] as const;

/** A refresh happens beside a command of the user, so it gives no notices about plugins. */
function bindRefresher(bindings: Bindings): void {
  const { notify: _, ...refreshing } = portTokens(INGESTING);
  bindings.bind(port('refresher'), IndexRefresher, [bindings.group({ ...refreshing, readonly: PARTS.readonly })]);
}

/**
 * Creates the facade, which binds the ports of each use case on first use. That of a caller adds texts to the whole knowledge base, since a
 * view of it could not tell what to replace.
 */
function facadeOver(
  bindings: Bindings,
  of?: { readonly caller: Caller; readonly ingesting: Bindings; readonly onEnd?: FacadeInit['onEnd'] },
): App {
  const resolution = bindings.get(port('resolution'));
  const pluginNotices = bindings.get(PARTS.notices);
  const useCases = new Map<OperationName, Promise<UseCase>>();
  const tracing = bindings.get(PARTS.tracing);
  const recording: FacadeInit['onEnd'] =
    tracing === null
      ? of?.onEnd
      : (end) => {
          const endedMs = Date.now();
          tracing.then((opened) => opened.record(end, endedMs)).catch(() => undefined);
          of?.onEnd?.(end);
        };
  const load = (name: OperationName): Promise<UseCase> => {
    const {
      needs,
      scope,
      load: loadUseCase,
    } = OPERATIONS[name] as unknown as {
      readonly needs: readonly (keyof AppPorts)[];
      readonly scope: Scope;
      readonly load: (ports: Partial<AppPorts>) => Promise<UseCase>;
    };
    const from = scope === 'ingest' ? (of?.ingesting ?? bindings) : bindings;
    return loadUseCase(from.get(from.group(portTokens(needs))));
  };
  return createFacade({
    open: (name) => {
      let made = useCases.get(name);
      if (made === undefined) {
        made = load(name);
        useCases.set(name, made);
        made.catch(() => useCases.delete(name)); // a failed load may succeed next time
      }
      return made;
    },
    openedFiles: bindings.get(port('openedFiles')),
    notices: () => [
      ...resolution.notices.map((text) => ({ kind: 'configuration', text }) as const),
      ...pluginNotices.lines.map((text) => ({ kind: 'plugin', text }) as const),
    ],
    readonly: bindings.get(PARTS.readonly),
    caller: of?.caller,
    onEnd: recording,
    keepsItems: of?.onEnd !== undefined,
    as: of === undefined ? callersOver(bindings) : onlyItself,
    close: of === undefined ? () => bindings.close() : () => Promise.resolve(),
  });
}

/** Not the database of a project, even if it lies in the project's folder: its id is about to change. */
async function openBase(
  options: OpenAppOptions,
  builtins: readonly BuiltinPlugin[],
  given: readonly FlagValue[],
): Promise<OtherBase> {
  const values = [...(options.flags?.values ?? []), ...given];
  const bindings = await bindEngine({ ...options, flags: { ...options.flags, values } }, builtins);
  const { documents, lexicalIndex, sessions, vectorStores } = componentPorts(bindings.get(port('components')));
  const config = bindings.get(port('config'));
  return { documents, lexicalIndex, sessions, vectorStores, config, close: () => bindings.close() };
}

/** Loads what opens the Apps of callers with the first of them. */
function callersOver(bindings: Bindings): App['as'] {
  let opening: Promise<App['as']> | undefined;
  return async (caller) => {
    opening ??= import('./caller-apps.ts').then(({ callerApps }) => callerApps(bindings, { bindSearcher, facadeOver }));
    return (await opening)(caller);
  };
}

function onlyItself(): Promise<never> {
  return Promise.reject(new TypeError('the App of a caller is nobody else’s'));
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
