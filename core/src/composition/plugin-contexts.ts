import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, DerivationCache, Logger } from '../contracts/contribution.ts';
import { committedDocuments } from '../plugin/committed-documents.ts';
import type { Access, Components } from '../plugin/components.ts';
import { dataFolderOf, madeFolder } from '../plugin/data-folder.ts';
import type { GivenSettings, PluginContext } from '../plugin/define-plugin.ts';
import { ownEntries } from '../plugin/file-derivation-cache.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginManifest } from '../plugin/read-manifest.ts';
import { proxiesIn } from '../plugin/proxies.ts';
import { permittedFetch } from '../plugin/trust-policy.ts';
import type { AppEnvironment } from './environment.ts';
import { givenSettings } from './given-settings.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** What plugins are connected to. */
interface PluginContextsInit {
  readonly log: Logger;
  readonly clock: Clock;
  readonly resolution: ConfigResolution;
  readonly environment: AppEnvironment;
  readonly derivations: DerivationCache;
  readonly tmp: TemporaryFolder;
  readonly components: () => Components;
}

/** The services available to every plugin, wherever it runs. */
type PluginServices = Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;

/** What each plugin receives: its services, its folders, and its part of the configuration. */
export class PluginContexts {
  readonly #init: PluginContextsInit;

  constructor(init: PluginContextsInit) {
    this.#init = init;
  }

  /** The services for a plugin. */
  servicesFor({ name }: Pick<PluginManifest, 'name'>): PluginServices {
    const { log, derivations, components } = this.#init;
    return {
      log,
      cache: ownEntries(derivations, name),
      documents: async () => committedDocuments(await components().first('document_store')),
      knowledgeBase: async () => (await components().first('document_store')).knowledgeBase(),
    };
  }

  /** Everything in a context except the configuration. Its folders are created on first use. */
  contextOf(plugin: LoadedPlugin): Omit<PluginContext, 'config'> {
    const { clock, tmp, environment } = this.#init;
    const dataDir = (): string | undefined => this.dataDirOf(plugin.manifest);
    return {
      ...this.servicesFor(plugin.manifest),
      get tmpDir() {
        return tmp.path;
      },
      get dataDir() {
        return dataDir();
      },
      clock,
      proxies: proxiesIn(environment.env),
      ...permittedFetch(plugin),
    };
  }

  /** The part of the configuration for a plugin. */
  settingsOf({ manifest }: LoadedPlugin, access: Access): GivenSettings {
    const { config, folders } = this.#init.resolution;
    const { section } = manifest;
    return givenSettings(config, { kinds: kindsOf(manifest), section, access, cacheDir: folders.cache });
  }

  /** The data folder of a plugin; undefined when its manifest does not ask for one. */
  dataDirOf(manifest: PluginManifest): string | undefined {
    return madeFolder(dataFolderOf(manifest, this.#init.resolution.config.storage.dataDir));
  }
}
