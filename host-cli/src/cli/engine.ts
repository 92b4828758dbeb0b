import type { App, OpenAppOptions, SearchResponse, TryFolderOptions } from '@kebab/core/app';

/** The doors of the engine that commands use; tests bring their own. */
export interface Engine {
  readonly openApp: (options: OpenAppOptions) => Promise<App>;
  readonly tryFolder: (options: TryFolderOptions) => Promise<SearchResponse>;
}

/** What every run hands to the engine: the plugins that come with kebab and what the process knows of its surroundings. */
export type EngineSetup = Required<Pick<OpenAppOptions, 'builtins' | 'environment' | 'extractionWorkerUrl'>>;

/** What `try` adds to {@link OpenAppOptions}. */
export type TryRequest = Omit<TryFolderOptions, keyof OpenAppOptions | 'signal'>;
