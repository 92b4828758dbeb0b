// The door of hosts: the facade, how it is opened, and the few functions that a command line needs besides.
export { INDEX_VERSION } from './analysis/index-version.ts';
export type { App, IngestOptions, ResetScope, RunOptions, TrustRequest } from './app/app.ts';
export {
  pluginTest,
  testPlugin,
  type PluginPromise,
  type PluginTestRequest,
  type PluginTestResult,
} from './admin/plugin-test.ts';
export type { AskOptions, AskRequest } from './requests/ask-request.ts';
export { parseAskRequest } from './requests/parse-ask-request.ts';
export type { AppEnvironment } from './composition/environment.ts';
export { openApp, type AppFlags, type OpenAppOptions } from './composition/open-app.ts';
export { tryFolder, type TryFolderOptions } from './composition/try-folder.ts';
export { parseChunkId, parseDocumentId, type ChunkId, type DocumentId } from './domain/ids.ts';
export type { EvalCompareOptions, EvalNotices, EvalOptions, EvalProgress, EvalRequest } from './eval/eval-request.ts';
export type { CitedPicture, SnapOptions } from './fetch/snap-citation.ts';
export { pagesReadByOcr } from './fetch/pages-read-by-ocr.ts';
export type { CitedQuery, FetchQuery, Mode, SearchFilters, SearchOptions, SearchQuery } from './domain/query.ts';
export { KEBAB_VERSION } from './domain/versions.ts';
export { invalidInput } from './errors/invalid-input.ts';
export { isKebabError } from './errors/kebab-error.ts';
export { nearestName } from './errors/nearest-name.ts';
export { refuseLinks, writeAtomically } from './files/write-atomically.ts';
export { serveExtraction } from './extraction/extraction-worker.ts';
export type { BuiltinPlugin, PluginManifest } from './plugin/manifest.ts';
export { FILTERS, type FilterName } from './requests/filter-names.ts';
export { parseFilters } from './requests/parse-filters.ts';
export { parseSearchRequest } from './requests/parse-search-request.ts';
export type * from './wire/index.ts';
export { loadWireJsonSchema } from './wire/load-wire-json-schema.ts';
export { toErrorV1 } from './wire/to-error.ts';
