import type { PullModelOptions } from '../admin/models.ts';
import type { ConfigRequest } from '../admin/run-config.ts';
import type { TrustRequest } from '../admin/run-trust.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { EvalCompareOptions, EvalOptions, EvalRequest } from '../eval/query-result.ts';
import { operationsOver, useCase } from './operation.ts';
import { INGESTING, type AppPorts } from './app-ports.ts';
import type { RepairRequest } from './perform-repair.ts';
import { ASKING, openAsk } from './open-ask.ts';

const operation = operationsOver<AppPorts>();
const EVALUATING = [...ASKING, 'vectorStores', 'retrievers', 'connectors'] as const;

async function openEvaluation(ports: Pick<AppPorts, (typeof EVALUATING)[number]>) {
  const { Evaluation } = await import('../eval/evaluation.ts');
  return new Evaluation({
    ...ports,
    search: async (query, options) => (await ports.searcher()).search(query, options),
    ask: async (request, options) => (await openAsk(ports))(request, options),
    verify: async (uri, options) => {
      const { verifyCitation } = await import('../fetch/verify-citation.ts');
      return verifyCitation(ports, uri, options);
    },
  });
}

/** The ports for installing plugins. */
const INSTALLING = ['installing', 'resolution', 'resolveAgain', 'cwd', 'env', 'homeDir'] as const;

function installTools({ installing, resolution, ...ports }: Pick<AppPorts, (typeof INSTALLING)[number]>) {
  return { ...installing(), ...ports, resolution, stateDir: resolution.folders.state };
}

/** The ports for managing models. */
const OF_MODELS = [
  'modelCatalogs',
  'embedders',
  'languageModels',
  'rerankers',
  'groundednessCheckers',
  'ocrEngines',
  'captioners',
  'config',
  'clock',
] as const;

/** The operations that maintain a knowledge base, its configuration, models, plugins and evaluations. */
export const TENDING_OPERATIONS = {
  /** Checks for everything that can be wrong; an unhealthy check is a result. */
  doctor: operation({
    label: 'doctor',
    writes: false,
    needs: [
      'documents',
      'extractors',
      'embedders',
      'vectorStores',
      'languageModels',
      'resolution',
      'pluginReports',
      'installing',
    ],
    load: async ({ resolution, pluginReports, installing, ...ports }) => {
      const { diagnose } = await import('../admin/doctor/checks.ts');
      return (options: AbortOptions & { readonly deep?: boolean | undefined } = {}) => {
        const { parts } = installing().setup;
        return diagnose({ resolution, ports, plugins: pluginReports, deep: options.deep ?? false, parts }, options);
      };
    },
  }),

  /** The status of the knowledge base, and the next useful command. */
  status: operation({
    label: 'status',
    writes: false,
    needs: ['documents', 'connectors', 'extractors', 'chunkers', 'embedders', 'languageModels', 'config', 'log'],
    load: async (ports) => {
      const { describeStatus } = await import('../admin/status.ts');
      const { findChanges } = await import('../ingest/find-changes.ts');
      return (options: AbortOptions = {}) =>
        describeStatus({ ...ports, findChanges: (store, given) => findChanges(store, ports, given) }, options);
    },
  }),

  /** Versions, capabilities and counts. */
  schema: operation({
    label: 'schema',
    writes: false,
    needs: [
      'documents',
      'lexicalIndex',
      'connectors',
      'extractors',
      'chunkers',
      'embedders',
      'vectorStores',
      'retrievers',
      'rerankers',
      'languageModels',
      'groundednessCheckers',
      'config',
      'clock',
      'log',
      'pluginReports',
    ],
    load: async (ports) => {
      const { DescribeSchema } = await import('../admin/describe-schema.ts');
      const describing = new DescribeSchema(ports);
      return (options?: AbortOptions) => describing.describe(options);
    },
  }),

  /** Writes the configuration file and creates its folders, for the user or for a project. */
  init: operation({
    label: 'init',
    writes: true,
    here: true,
    needs: ['documents', 'resolution', 'resolveAgain', 'initAgain', 'cwd', 'env', 'homeDir', 'randomBytes'],
    load: useCase(async () => (await import('./perform-sources.ts')).performInit),
  }),

  /** Reads one setting, or changes it in the configuration file in effect. */
  config: operation({
    label: 'config',
    writes: ({ kind }: ConfigRequest) => (kind === 'get' ? null : `config ${kind}`),
    here: true,
    needs: ['resolution', 'resolveAgain', 'cwd', 'env', 'homeDir'],
    load: async ({ resolution, ...ports }) => {
      const { runConfig } = await import('../admin/run-config.ts');
      const stateDir = resolution.folders.state;
      return (request: ConfigRequest) => runConfig(request, { ...ports, resolution, stateDir });
    },
  }),

  /** Adds a folder to the sources that the configuration names. */
  addSource: operation({
    label: 'add',
    writes: true,
    here: true,
    needs: ['documents', 'extractors', 'resolution', 'resolveAgain', 'cwd', 'env', 'homeDir', 'config'],
    load: useCase(async () => (await import('./perform-sources.ts')).performAdd),
  }),

  /** Removes a source from the configuration and its documents from the index. */
  removeSource: operation({
    label: 'remove',
    writes: true,
    here: true,
    needs: ['documents', 'vectorStores', 'resolution', 'resolveAgain', 'cwd', 'env', 'homeDir', 'config', 'log'],
    load: useCase(async () => (await import('./perform-sources.ts')).performRemove),
  }),

  /** Every source with its folder and its documents. */
  listSources: operation({
    label: 'list sources',
    writes: false,
    needs: ['documents', 'config'],
    load: async (ports) => {
      const { listSources } = await import('../admin/sources.ts');
      return (_options?: AbortOptions) => listSources(ports);
    },
  }),

  /**
   * Rebuilds damaged parts from intact ones, and from the files of documents. Throws `store_damaged` when the damage cannot be repaired.
   */
  repair: operation({
    label: 'repair',
    writes: true,
    here: true,
    needs: [...INGESTING, 'release'],
    load: async ({ extraction, ...ports }) => {
      const { performRepair } = await import('./perform-repair.ts');
      const given = { ...ports, isolated: await extraction() };
      return (request: RepairRequest = {}) => performRepair(given, request);
    },
  }),

  /** Removes what kebab created, by scope. */
  reset: operation({
    label: 'reset',
    writes: true,
    here: true,
    needs: [
      'documents',
      'lexicalIndex',
      'connectors',
      'extractors',
      'chunkers',
      'embedders',
      'vectorStores',
      'config',
      'log',
      'resolution',
      'release',
    ],
    load: useCase(async () => (await import('./perform-repair.ts')).performReset),
  }),

  /** The completions of a typed prefix, for a shell. */
  completeValue: operation({
    label: 'complete',
    writes: false,
    needs: ['documents', 'sessions', 'modelCatalogs', 'resolution', 'installing'],
    load: useCase(async () => (await import('../admin/complete-value.ts')).completeValue),
  }),

  /** Models that can be downloaded or are configured. */
  modelList: operation({
    label: 'models list',
    writes: false,
    here: true,
    needs: OF_MODELS,
    load: async (ports) => {
      const { Models } = await import('../admin/models.ts');
      const models = new Models(ports);
      return () => models.list();
    },
  }),

  /** Downloads a model, or each configured one; returns the last event. */
  modelPull: operation({
    label: 'models pull',
    writes: true,
    here: true,
    needs: OF_MODELS,
    load: async (ports) => {
      const { Models } = await import('../admin/models.ts');
      const models = new Models(ports);
      return (model?: string, options?: PullModelOptions) => models.pull(model, options);
    },
  }),

  /** Copies all vectors from one vector store to another. */
  copyVectors: operation({
    label: 'vectors copy',
    writes: true,
    here: true,
    needs: ['documents', 'vectorStores'],
    load: useCase(async () => (await import('../admin/copy-vectors.ts')).copyVectors),
  }),

  /**
   * Runs a golden suite and stores the results. A failing query is counted, and the run continues; a cancelled run is not stored. Throws
   * `invalid_input` with all mistakes in the suite, sorted.
   */
  evalRun: operation({
    label: 'eval run',
    writes: true,
    here: true,
    needs: EVALUATING,
    load: async (ports) => {
      const evaluation = await openEvaluation(ports);
      return (request: EvalRequest, options?: EvalOptions) => evaluation.run(request, options);
    },
  }),

  /** The metrics of a run, computed from its stored results. Throws `invalid_input` for an unknown id. */
  evalAggregate: operation({
    label: 'eval aggregate',
    writes: false,
    here: true,
    needs: EVALUATING,
    load: async (ports) => {
      const evaluation = await openEvaluation(ports);
      return (runId: string, _options?: AbortOptions) => evaluation.aggregate(runId);
    },
  }),

  /** Compares two runs by query; b − a. Writing a report is rejected in read-only mode. */
  evalCompare: operation({
    label: 'eval compare',
    writes: (_a: string, _b: string, options?: EvalCompareOptions) =>
      options?.writeReport === true ? 'eval compare --write-report' : null,
    here: true,
    needs: EVALUATING,
    load: async (ports) => {
      const evaluation = await openEvaluation(ports);
      return (a: string, b: string, options?: EvalCompareOptions) => evaluation.compare(a, b, options);
    },
  }),

  /** Lists trusted project files, trusts one in its current state, or revokes the trust. */
  trust: operation({
    label: 'trust',
    writes: ({ kind }: TrustRequest) => (kind === 'list' ? null : 'trust'),
    here: true,
    needs: ['resolution', 'env', 'homeDir'],
    load: async ({ resolution, env, homeDir }) => {
      const { runTrust } = await import('../admin/run-trust.ts');
      const { keys, folders, pluginFolder } = resolution;
      return (request: TrustRequest) =>
        runTrust(request, { keys, stateDir: folders.state, pluginFolder, env, homeDir });
    },
  }),

  configView: operation({
    label: 'config show',
    writes: false,
    needs: ['resolution'],
    load: async ({ resolution }) => {
      const { configView } = await import('../config/annotated-config.ts');
      return async () => configView(resolution);
    },
  }),

  configPaths: operation({
    label: 'config path',
    writes: false,
    needs: ['resolution'],
    load: async ({ resolution }) => {
      const { configPaths } = await import('../config/annotated-config.ts');
      return async () => configPaths(resolution);
    },
  }),

  pluginList: operation({
    label: 'plugin list',
    writes: false,
    here: true,
    needs: ['pluginReports'],
    load: async ({ pluginReports }) => {
      const { listPlugins } = await import('../admin/plugin-explain.ts');
      return async () => listPlugins(pluginReports());
    },
  }),

  /** Installs a plugin, or an optional part of kebab, into kebab's own folder, and enables it for the user. */
  pluginInstall: operation({
    label: 'plugin install',
    writes: true,
    here: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).installPlugin)(installTools(ports)),
  }),

  /** Reinstalls what was installed, in its latest available version. */
  pluginUpdate: operation({
    label: 'plugin update',
    writes: true,
    here: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).updatePlugin)(installTools(ports)),
  }),

  /** Uninstalls a plugin or part, and removes it from the user's configuration; documents are kept. */
  pluginRemove: operation({
    label: 'plugin remove',
    writes: true,
    here: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).removePlugin)(installTools(ports)),
  }),

  /** Plugins in the configured npm registry. */
  pluginSearch: operation({
    label: 'plugin search',
    writes: false,
    here: true,
    needs: ['env', 'cwd'],
    load: useCase(async () => (await import('../admin/plugin-explain.ts')).searchPlugins),
  }),

  /** The extractor and chunker for a file of this name, and why they were chosen; the file need not exist. */
  pluginExplain: operation({
    label: 'plugin explain',
    writes: false,
    here: true,
    needs: ['extractors', 'chunkers', 'config', 'cwd'],
    load: useCase(async () => (await import('../admin/plugin-explain.ts')).explainPlugin),
  }),

  /** A check for each plugin: loads, configured correctly, healthy. */
  pluginDoctor: operation({
    label: 'plugin doctor',
    writes: false,
    here: true,
    needs: ['components', 'plugins', 'pluginReports'],
    load: async ({ components, plugins, pluginReports }) => {
      const { diagnosePlugins } = await import('../admin/plugin-doctor.ts');
      return (options?: AbortOptions) => diagnosePlugins({ components, plugins, reports: pluginReports }, options);
    },
  }),
} as const;
