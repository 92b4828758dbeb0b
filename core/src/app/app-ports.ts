import type { OtherBase } from '../admin/moving/move-base.ts';
import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import type { ConfigTools } from '../admin/run-config.ts';
import type { FlagValue } from '../config/read-config-files.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { MayRead } from '../domain/read-rule.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { PluginComponents } from '../plugin/plugin-components.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import type { Ports } from '../ports.ts';
import type { Searcher } from '../search/search-documents.ts';
import type { InitReport } from '../wire/index.ts';
import type { IndexRefresher } from './index-refresher.ts';
import type { OpenedFiles } from './opened-files.ts';

/** The dependencies that operations can declare: the ports of every use case, and the state of the process. */
export interface AppPorts extends Ports {
  /** The contributions of plugins, by kind and id: for operations on plugins themselves. */
  readonly components: PluginComponents;
  /** Closes every store, so that its files can be removed. */
  readonly release: () => Promise<void>;
  /** The searcher of an App, shared by every operation that searches so that its caches are too. */
  readonly searcher: () => Promise<Searcher>;
  /** Keeps the index up to date with the folders. */
  readonly refresher: IndexRefresher;
  /** Whether the App is still valid. */
  readonly openedFiles: OpenedFiles;
  readonly resolution: ConfigResolution;
  /** Usable plugins, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  /** The current state of every plugin. */
  readonly pluginReports: () => readonly PluginReport[];
  /** Whether the caller may read a file of a source, indexed or not. */
  readonly mayRead: MayRead;
  readonly cwd: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The setup for installing plugins, and the names of the bundled ones. */
  readonly installing: () => { readonly setup: InstallSetup; readonly builtins: ReadonlySet<string> };
  readonly randomBytes: (size: number) => Uint8Array;
  /** Adds a notice about plugins, once, for the user. */
  readonly notify: (notice: string) => void;
  /** Processes for the extractors that require isolation; null when there are none. */
  readonly extraction: () => Promise<ExtractionHost | null>;
  /**
   * Resolves the configuration again: as if a file contained another text, or including a project that this App excludes. Throws
   * `config_invalid`.
   */
  readonly resolveAgain: ConfigTools['resolveAgain'];
  /** Opens kebab a second time, with the current configuration of a folder, and completes an `init`. */
  readonly initAgain: (cwd: string) => Promise<InitReport>;
  /** Opens the knowledge base that the configuration would name with these values, beside the one of this App. */
  readonly openBase: (values: readonly FlagValue[]) => Promise<OtherBase>;
}

/** The ports from a source to the index. */
export const INDEXING = [
  'documents',
  'lexicalIndex',
  'connectors',
  'extractors',
  'chunkers',
  'embedders',
  'vectorStores',
] as const satisfies readonly (keyof AppPorts)[];

/** The ports that ingesting needs. */
export const INGESTING = [
  ...INDEXING,
  'ocrEngines',
  'captioners',
  'hooks',
  'config',
  'clock',
  'log',
  'extraction',
  'notify',
] as const satisfies readonly (keyof AppPorts)[];
