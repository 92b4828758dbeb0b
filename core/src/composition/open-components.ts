import { existsSync } from 'node:fs';
import path from 'node:path';
import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import { databaseOfProject, rememberDatabase } from '../config/project-list.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { databaseFile, LOCAL_VECTORS } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { FileDerivationCache } from '../plugin/file-derivation-cache.ts';
import type { PluginKind } from '../plugin/contributions.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import type { PluginProcesses } from '../plugin/process/plugin-processes.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import { componentPorts, type StorePort, type VectorStoreCatalog } from '../ports.ts';
import { PARTS, port, portTokens, providePorts } from './app-tokens.ts';
import type { Bindings } from './bindings.ts';
import { builtinNames, findInstalledPlugins, reportPlugins, thirdPartyIn, PluginNotices } from './installed-plugins.ts';
import { PluginContexts, TemporaryFolder } from './plugin-contexts.ts';

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
    .provide(
      PARTS.tmp,
      () => new TemporaryFolder(environment.tmpDir),
      (tmp) => tmp.remove(),
    )
    .provide(
      PARTS.derivations,
      () => new FileDerivationCache({ folder: derivedFolder(bindings), readonly: bindings.get(PARTS.readonly) }),
    )
    .bind(PARTS.contexts, PluginContexts, [
      bindings.group({
        ...portTokens(['log', 'clock', 'resolution']),
        environment: PARTS.environment,
        derivations: PARTS.derivations,
        tmp: PARTS.tmp,
        components: bindings.later(port('components')),
      }),
    ]);
  const hasThirdParty = thirdPartyIn(resolution.config, builtinNames(builtins)).length > 0;
  if (hasThirdParty) await linkOwnPackages(bindings, request);
  const processes = hasThirdParty ? await pluginProcesses(bindings) : undefined;
  const installed = await findInstalledPlugins({
    resolution,
    builtins,
    flaggedPlugins,
    beforeLoad: environment.beforeForeignCode,
    processes,
  });
  const { plugins } = installed;
  const notices = new PluginNotices(installed.notices);
  bindings
    .provide(PARTS.installed, () => installed)
    .provide(PARTS.notices, () => notices)
    .provide(PARTS.componentsInit, () => {
      const contexts = bindings.get(PARTS.contexts);
      const log = bindings.get(port('log'));
      return {
        plugins,
        processes,
        chosen: (kind) => chosenStore(kind, resolution, plugins),
        settingsOf: (plugin, access) => contexts.settingsOf(plugin, access),
        contextOf: (plugin) => contexts.contextOf(plugin),
        allowWrite: () => {
          if (!bindings.get(PARTS.readonly)) return;
          const details = { command: 'write' };
          throw new KebabError('readonly_mode', 'nothing is written in read-only mode', { details });
        },
        onFailure: (name, error) => {
          notices.broken(name, error);
          log.error('plugin failed', { plugin: name.plugin, cause: error.message });
        },
        onCallFailure: (name, error) => {
          const { plugin, kind, id } = name;
          notices.failedCall(name, error);
          log.warn('a call of a plugin failed', { plugin, kind, id, cause: error.message });
        },
      };
    })
    .bind(port('components'), PluginComponents, [PARTS.componentsInit], (components) => components.close());
  const components = bindings.get(port('components'));
  const { documents, vectorStores, ...ports } = componentPorts(components);
  providePorts(bindings, {
    ...ports,
    vectorStores: databaseFile(resolution.config) === null ? onServers(vectorStores) : vectorStores,
    plugins,
    pluginReports: () => reportPlugins(installed, notices),
    notify: (notice) => notices.note(notice),
    release: () => components.release(),
  });
  providePorts(bindings, { documents: ofProject(documents, resolution) });
}

/**
 * The documents of a project, only from the database that was created on this machine. Git overwrites ignored files silently, so a branch
 * that contains a `.kebab/kebab.sqlite` would replace it. The database created here is remembered, or else the first one opened for writing.
 * Throws `not_indexed` for any other.
 */
function ofProject(
  documents: StorePort<DocumentStore>,
  { project, folders, config }: Pick<ConfigResolution, 'project' | 'folders' | 'config'>,
): StorePort<DocumentStore> {
  const file = databaseFile(config);
  if (project === null || file === null || !file.startsWith(`${project.kebabFolder}/`)) return documents;
  const { kebabFolder } = project;
  const open = async (access: 'read' | 'write'): Promise<DocumentStore> => {
    const isMadeNow = access === 'write' && !existsSync(file); // also when its owner has removed the previous one
    const store = await documents[access]();
    const known = isMadeNow ? null : databaseOfProject(folders.state, kebabFolder);
    const id = await store.knowledgeBase();
    if (known === null && access === 'write') rememberDatabase(folders.state, kebabFolder, id);
    if (known === null || known === id) return store;
    throw new KebabError(
      'not_indexed',
      `${file} is not the database that kebab made for this project: it is not used`,
      {
        details: { expected: 'the database of this project', found: 'another one' },
        hint: 'it may have come with a checkout; remove it with `kebab reset --data-only`, then run `kebab ingest`',
      },
    );
  };
  return { read: () => open('read'), write: () => open('write') };
}

/**
 * The id of the store that the configuration chooses: index and conversations come with the document store, unless another index is named.
 * Undefined if nothing is set, so that a plugin may replace the store by being there.
 */
function chosenStore(
  kind: PluginKind,
  { config, origins }: Pick<ConfigResolution, 'config' | 'origins'>,
  plugins: readonly LoadedPlugin[],
): string | undefined {
  const { documentStore, lexicalIndex } = config.storage;
  if (kind === 'lexical_index' && lexicalIndex !== '') return lexicalIndex;
  if (!origins.has('storage.document_store') || !TOGETHER.includes(kind)) return undefined;
  if (kind === 'document_store') return documentStore;
  const plugin = plugins.find(({ manifest }) => manifest.contributes.document_store?.includes(documentStore));
  return plugin?.manifest.contributes[kind]?.[0];
}

/** Vector stores for documents on a server: the local one keeps vectors in the file of the documents, and there is none. */
function onServers(vectorStores: VectorStoreCatalog): VectorStoreCatalog {
  return {
    ...vectorStores,
    get: async (id, access) => {
      if (id !== LOCAL_VECTORS) return vectorStores.get(id, access);
      const cause = `storage.vector_store = "${id}" keeps vectors in the file of the documents, which are on a server`;
      throw new KebabError('config_invalid', cause, {
        details: { path: null, key: 'storage.vector_store', cause, suggestion: null },
        hint: 'start Qdrant, then `kebab config set storage.vector_store qdrant`; or use words only: `kebab config set models.embedding.provider none`',
      });
    },
  };
}

/** Kinds that one plugin contributes for one database. */
const TOGETHER: readonly PluginKind[] = ['document_store', 'lexical_index', 'session_repo'];

function derivedFolder(bindings: Bindings): string {
  return path.join(bindings.get(port('resolution')).folders.cache, 'derived');
}

/** Puts kebab's own packages where plugins import them from. */
async function linkOwnPackages(bindings: Bindings, { installing }: ComponentsRequest): Promise<void> {
  if (installing === undefined || bindings.get(PARTS.readonly)) return;
  const { PluginFolder } = await import('../admin/installing/plugin-folder.ts');
  new PluginFolder(bindings.get(port('resolution')).pluginFolder).linkOwn(() => installing().ownPackages);
}

/** The processes of third-party plugins; undefined when all run in this process. */
async function pluginProcesses(bindings: Bindings): Promise<PluginProcesses | undefined> {
  const url = bindings.get(PARTS.workerUrl);
  if (url === undefined) return undefined;
  const { PluginProcesses: Processes } = await import('../plugin/process/plugin-processes.ts');
  const contexts = bindings.get(PARTS.contexts);
  return new Processes({
    url,
    env: bindings.get(PARTS.environment).env,
    memoryMb: bindings.get(port('config')).pluginLimits.memoryMb,
    tmpDir: () => bindings.get(PARTS.tmp).path,
    dataDirOf: (manifest) => contexts.dataDirOf(manifest),
    cacheDir: derivedFolder(bindings),
    servicesFor: (manifest) => contexts.servicesFor(manifest),
  });
}
