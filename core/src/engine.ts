// The entry point for hosts: the facade, how to open it, and the few other functions that a command line needs.
import type { PluginTestRequest, PluginTestResult, SuitesOf } from './admin/plugin-test.ts';
import type { OpenAppOptions } from './composition/open-app.ts';
import type { TryFolderOptions } from './composition/try-folder.ts';
import type { BuiltinPlugin } from './plugin/read-manifest.ts';
import type { GateInit, HttpGate } from './hosting/http-gate.ts';
import type { ServeAppOptions } from './service/serve-app.ts';
import type { PluginTest, SearchResponse, ServiceStatus } from './wire/index.ts';

export { INDEX_VERSION } from './analysis/index-text.ts';
export type { App, Notice } from './app/app.ts';
export type { InstallSetup, PluginInstallOptions, PluginOffer } from './admin/installing/install-plugin.ts';
export type { OptionalPart } from './admin/installing/plugin-folder.ts';
export type { ResetScope } from './admin/plan-reset.ts';
export type { MoveProgress } from './admin/moving/move-base.ts';
export type { ValueKind } from './admin/complete-value.ts';
export type { ConfigRequest } from './admin/run-config.ts';
export type { TrustRequest } from './admin/run-trust.ts';
export type { PluginPromise, PluginTestRequest, PluginTestResult, SuitesOf } from './admin/plugin-test.ts';
export type { AskOptions, AskStage } from './ask/run/ask-sources.ts';
export type { IngestOptions } from './ingest/ingest-context.ts';
export type { WatchOptions } from './ingest/watch/watch-sources.ts';
export { type AppEnvironment, isReadonly, placeOfProcess } from './composition/environment.ts';
export type { AppFlags, OpenAppOptions } from './composition/open-app.ts';
export type { TryFolderOptions } from './composition/try-folder.ts';
export { openApp } from './service/open-app.ts';
export { equalsSecret, isLoopbackHost, listenAt, LOOPBACK_ADDRESS } from './hosting/loopback-http.ts';
export type { Admission, GateReply, HttpGate } from './hosting/http-gate.ts';
export { type Caller, hasScope, type Scope } from './access/caller.ts';
export { CurrentApp } from './hosting/current-app.ts';
export { scopeOf, type OperationName } from './app/facade.ts';
export type { ServeAppOptions } from './service/serve-app.ts';
export type { ChunkId, DocumentId } from './domain/ids.ts';
export { parseChunkId, parseDocumentId } from './domain/ids.ts';
export type { EvalCompareOptions, EvalNotices, EvalOptions, EvalProgress, EvalRequest } from './eval/query-result.ts';
export type { PlacedText } from './contracts/extractor.ts';
export type { CitedPicture, SnapOptions } from './fetch/snap-citation.ts';
export { pagesReadByOcr } from './documents/document-facts.ts';
export type { CitedQuery, FetchOptions, FetchQuery, Mode, SearchFilters } from './domain/query.ts';
export { pluginFolderIn, xdgFolders } from './config/expand-path.ts';
export { formatsHint } from './documents/unread-formats.ts';
export { printable, printableJson, printableLines, shellWord } from './domain/printable.ts';
export { globInAnyCase } from './domain/media.ts';
export { formatSourcePath } from './domain/uri.ts';
export { REPOSITORY_URL } from './git/repository-source.ts';
export type { MarkedText, PassageLine, PassageRequest, ShownPassage } from './search/show-passages.ts';
export { KEBAB_VERSION } from './domain/versions.ts';
export { DEFAULT_HINTS, type ErrorCode } from './errors/codes.ts';
export { headingAnchor } from './documents/heading-anchor.ts';
export { clipped, invalidInput, nearestName } from './errors/invalid-input.ts';
export { isKebabError } from './errors/kebab-error.ts';
export { readRegularText } from './files/read-regular-file.ts';
export { makeFolder } from './files/write-atomically.ts';
export { refuseLinks, writeAtomically } from './files/write-atomically.ts';
export { type BuiltinPlugin, type PluginManifest, bundledPlugin } from './plugin/read-manifest.ts';
export { missingPackageIn } from './plugin/missing-package.ts';
export { ASK, ASK_TOOL, parseAskRequest, type AskRequest } from './requests/ask.ts';
export { FETCH, LIST_DOCS, RELATED, VERIFY_CITATION } from './requests/fetch.ts';
export { GREP } from './requests/grep.ts';
export { lastStep, SYMBOL } from './requests/symbol.ts';
export { fieldsCalled, readRequest } from './requests/read-request.ts';
export { FILTERS, parseFilters } from './requests/filters.ts';
export { INGEST, INGEST_FILE, INGEST_STDIN } from './requests/ingest.ts';
export type { Fields, RequestOf } from './schema/field.ts';
export { flagName, flagsOf, type RequestFlag } from './schema/flags.ts';
export { inputSchemaOf } from './schema/json-schema.ts';
export {
  BULK_SEARCH,
  COMMITS,
  MAX_TOOL_QUERY,
  parseSearchRequest,
  SEARCH,
  type SearchOptions,
  type SearchQuery,
} from './requests/search.ts';
export type * from './wire/index.ts';
export { toErrorV1 } from './wire/to-error.ts';
export { commitLines, outlineLines, symbolLines } from './wire/unit-lines.ts';

/**
 * Sets one value in a TOML text, preserving every other byte. Undefined when the text is not TOML, or has no place for the value. Loads a
 * parser on the first call.
 */
export async function setInToml(text: string, path: readonly string[], value: unknown): Promise<string | undefined> {
  const { editToml } = await import('./config/editing/edit-toml.ts');
  try {
    return editToml(text, { kind: 'set', path, value }, false);
  } catch {
    return undefined;
  }
}

/** Converts results to plugin_test.v1. */
export async function pluginTest(plugin: string, results: readonly PluginTestResult[]): Promise<PluginTest> {
  return (await import('./admin/plugin-test.ts')).pluginTest(plugin, results);
}

/** Runs the contract suites for everything a plugin contributes; `suitesOf` makes them once the plugin is loaded. */
export async function testPlugin(request: PluginTestRequest, suitesOf: SuitesOf): Promise<PluginTest> {
  return (await import('./admin/plugin-test.ts')).testPlugin(request, suitesOf);
}

/** Loads and calls `tryFolder`, which searches a folder once. */
export async function tryFolder(options: TryFolderOptions): Promise<SearchResponse> {
  return (await import('./composition/try-folder.ts')).tryFolder(options);
}

/** Loads and calls `serveApp`, which serves an App to other processes. */
export async function serveApp(options: ServeAppOptions): Promise<string> {
  return (await import('./service/serve-app.ts')).serveApp(options);
}

/** Loads and opens the gate of an HTTP server, which knows who sends a request. */
export async function openHttpGate(init: GateInit): Promise<HttpGate> {
  const { HttpGate: Gate } = await import('./hosting/http-gate.ts');
  return Gate.open(init);
}

/** Loads and calls `serviceStatus`, which reports the state of the service of a knowledge base. */
export async function serviceStatus(options: OpenAppOptions): Promise<ServiceStatus> {
  return (await import('./service/service-status.ts')).serviceStatus(options);
}

/** Loads and calls `stopService`, which stops the service of a knowledge base. */
export async function stopService(options: OpenAppOptions): Promise<ServiceStatus> {
  return (await import('./service/service-status.ts')).stopService(options);
}

/** Makes the calling process extract and render, or host a plugin, for its parent process. Loads that code only in such a process. */
export async function serveExtraction(builtins: readonly BuiltinPlugin[]): Promise<void> {
  if (process.argv[2] === 'plugin') return (await import('./plugin/process/serve-plugin.ts')).servePlugin();
  const worker = await import('./extraction/extraction-worker.ts');
  worker.serveExtraction(builtins);
}
