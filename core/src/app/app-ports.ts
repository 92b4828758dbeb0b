import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import type { ReplacedFile } from '../config/read-config-files.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { PluginComponents } from '../plugin/plugin-components.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import type { Ports } from '../ports.ts';
import type { Searcher } from '../search/search-documents.ts';
import type { InitReport } from '../wire/index.ts';
import type { LivingIndex } from './living-index.ts';

/** What operations can name: the ports of every use case, and what only the process knows. */
export interface AppPorts extends Ports {
  /** What plugins contribute, by kind and id: for what looks at plugins themselves. */
  readonly components: PluginComponents;
  /** Closes every store, so that its files can be removed. */
  readonly release: () => Promise<void>;
  /** The one searcher of an App: what it remembers between searches serves every operation that searches. */
  readonly searcher: () => Promise<Searcher>;
  /** Keeps the index up to date with the folders. */
  readonly living: LivingIndex;
  readonly resolution: ConfigResolution;
  /** Plugins that may be used, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  /** How every plugin stands at the moment. */
  readonly pluginReports: () => readonly PluginReport[];
  readonly cwd: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What plugins are installed with, and the names of those that come with the host. */
  readonly installing: () => { readonly setup: InstallSetup; readonly builtins: ReadonlySet<string> };
  readonly randomBytes: (size: number) => Uint8Array;
  /** Threads for the extractors that want one of their own; null where there are none. */
  readonly extraction: () => Promise<ExtractionHost | null>;
  /**
   * Resolves the configuration once more: as if a file held another text, or without leaving a project aside that this App leaves
   * aside. Throws `config_invalid`.
   */
  readonly resolveAgain: (how: {
    readonly replaced?: ReplacedFile;
    readonly whole?: boolean;
  }) => Promise<ConfigResolution>;
  /** Opens kebab a second time, as it is configured by now from a folder, and completes what `init` makes. */
  readonly initAgain: (cwd: string) => Promise<InitReport>;
}

/** What everything that takes files in needs. */
export const INGESTING = [
  'documents',
  'lexicalIndex',
  'connectors',
  'extractors',
  'chunkers',
  'embedders',
  'vectorStores',
  'ocrEngines',
  'captioners',
  'hooks',
  'config',
  'clock',
  'log',
  'extraction',
] as const satisfies readonly (keyof AppPorts)[];
