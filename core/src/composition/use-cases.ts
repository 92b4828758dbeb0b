import type { UseCases } from '../app/use-cases.ts';
import type { Retrieve } from '../ask/retrieval/retrieve-evidence.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, Logger } from '../contracts/contribution.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginComponents } from '../plugin/plugin-components.ts';
import type { PluginReport } from '../plugin/plugin-report.ts';
import type { SearchDocuments } from '../search/search-documents.ts';
import type { Bindings } from './bindings.ts';
import type { AppEnvironment } from './environment.ts';
import { EngineTokens } from './engine-tokens.ts';
import { token } from './tokens.ts';

/** What the use cases of one App are made from, beside what is bound to {@link EngineTokens}. */
export interface UseCasesInit {
  readonly bindings: Bindings;
  readonly resolution: ConfigResolution;
  readonly components: PluginComponents;
  readonly reports: () => readonly PluginReport[];
  /** Plugins that may be used, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly homeDir: string;
  readonly env: AppEnvironment['env'];
  /** Makes threads for the extractors that want one of their own; null runs them here. */
  readonly openExtraction: () => Promise<ExtractionHost | null>;
  /** Resolves the configuration as if the user's file were missing: what `init --force` is about to write. */
  readonly resolveAfresh: () => Promise<ConfigResolution>;
}

const { components: COMPONENTS, config: CONFIG, clock: CLOCK, log: LOG, extraction: EXTRACTION } = EngineTokens;
const { askRim: ASK_RIM } = EngineTokens;
const SEARCH = token<SearchDocuments>('use-case.search');
const RETRIEVE = token<Retrieve>('port.retrieve');
const READING = [COMPONENTS, CONFIG, CLOCK, LOG] as const;
const INGESTING = [...READING, EXTRACTION] as const;

/** Every use case of one App. The code of each is imported, and its class bound and made, when it is first asked for. */
export function createUseCases(init: UseCasesInit): UseCases {
  const { bindings, resolution, components, reports, clock, log } = init;
  const { openExtraction } = init;
  const useCases: UseCases = {
    search: () => searchOf(bindings),
    ask: async () => {
      const { AskQuestion } = await import('../ask/ask-question.ts');
      const search = await searchOf(bindings);
      if (!bindings.has(RETRIEVE)) bindings.provide(RETRIEVE, () => search.retrieve.bind(search));
      return bindings.once(token('use-case.ask'), AskQuestion, [RETRIEVE, COMPONENTS, CONFIG, ASK_RIM]);
    },
    sessions: async () => {
      const { ChatSessions } = await import('../ask/sessions/chat-sessions.ts');
      return bindings.once(token('use-case.sessions'), ChatSessions, [COMPONENTS]);
    },
    fetch: async () => {
      const { FetchText } = await import('../fetch/fetch-text.ts');
      return bindings.once(token('use-case.fetch'), FetchText, READING);
    },
    snap: async () => {
      const { SnapCitation } = await import('../fetch/snap-citation.ts');
      return new SnapCitation({ components, config: resolution.config, clock, log, openExtraction });
    },
    locate: async () => {
      const { LocateCitation } = await import('../fetch/locate-citation.ts');
      return bindings.once(token('use-case.locate'), LocateCitation, READING);
    },
    verify: async () => {
      const { VerifyCitation } = await import('../fetch/verify-citation.ts');
      return bindings.once(token('use-case.verify'), VerifyCitation, READING);
    },
    list: async () => {
      const { ListDocs } = await import('../admin/list-docs.ts');
      return bindings.once(token('use-case.list'), ListDocs, READING);
    },
    inspect: async () => {
      const { Inspect } = await import('../admin/inspect.ts');
      return bindings.once(token('use-case.inspect'), Inspect, READING);
    },
    ingest: async () => {
      const { IngestFolder } = await import('../ingest/run-ingest.ts');
      await bindExtraction(bindings, openExtraction);
      return bindings.once(token('use-case.ingest'), IngestFolder, INGESTING);
    },
    external: async () => {
      const { IngestExternal } = await import('../ingest/ingest-external.ts');
      await bindExtraction(bindings, openExtraction);
      return bindings.once(token('use-case.external'), IngestExternal, INGESTING);
    },
    describe: async () => {
      const { DescribeSchema } = await import('../admin/describe-schema.ts');
      return new DescribeSchema({ components, config: resolution.config, clock, log, plugins: reports });
    },
    resolveId: async (kind, text) => {
      const { resolveId } = await import('../documents/resolve-id.ts');
      return resolveId(await components.first('document_store'), kind, text);
    },
    diagnose: async (options = {}) => {
      const { diagnose } = await import('../admin/diagnose.ts');
      return diagnose({ resolution, components, plugins: reports }, options);
    },
    init: async ({ force }) => {
      const { runInit } = await import('../admin/run-init.ts');
      const written = force ? await init.resolveAfresh() : resolution;
      return runInit({ resolution: written, force, homeDir: init.homeDir, openStore: () => createStore(components) });
    },
    reset: async (scope, options) => (await import('./perform-reset.ts')).performReset(init, scope, options),
    models: async () => {
      const { Models } = await import('../admin/models.ts');
      return bindings.once(token('use-case.models'), Models, [COMPONENTS, CONFIG, CLOCK]);
    },
    copyVectors: async (request, options) =>
      (await import('../admin/copy-vectors.ts')).copyVectors(components, request, options),
    evaluation: async () => {
      const { Evaluation } = await import('../eval/evaluation.ts');
      return new Evaluation({
        components,
        config: resolution.config,
        clock,
        search: async (query, options) => (await useCases.search()).search(query, options),
        ask: async (request, options) => (await useCases.ask()).ask(request, options),
        verify: async (uri, options) => (await useCases.verify()).verify(uri, options),
      });
    },
    trust: async (request) =>
      (await import('../admin/run-trust.ts')).runTrust(request, {
        stateDir: resolution.folders.state,
        pluginFolder: resolution.pluginFolder,
        env: init.env,
        homeDir: init.homeDir,
      }),
    configView: async () => (await import('../config/config-view.ts')).configView(resolution),
    configPaths: async () => (await import('../config/config-paths.ts')).configPaths(resolution),
    pluginExplain: async (path) =>
      (await import('../admin/plugin-explain.ts')).explainPlugin({ components, config: resolution.config }, path),
    pluginDoctor: async (options) =>
      (await import('../admin/plugin-doctor.ts')).diagnosePlugins(
        { components, plugins: init.plugins, reports },
        options,
      ),
    pluginList: async () => (await import('../admin/list-plugins.ts')).listPlugins(reports()),
  };
  return useCases;
}

async function searchOf(bindings: Bindings): Promise<SearchDocuments> {
  const { SearchDocuments } = await import('../search/search-documents.ts');
  return bindings.once(SEARCH, SearchDocuments, READING);
}

async function createStore(
  components: PluginComponents,
): Promise<{ readonly path: string; readonly schemaVersion: number }> {
  const { location, schemaVersion } = await components.first('document_store', 'write');
  return { path: location, schemaVersion };
}

async function bindExtraction(bindings: Bindings, open: UseCasesInit['openExtraction']): Promise<void> {
  if (bindings.has(EXTRACTION)) return;
  const host = await open();
  if (!bindings.has(EXTRACTION)) bindings.provide(EXTRACTION, () => host);
}
