import { afterEach } from 'vitest';
import { componentPorts } from '../../src/ports.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import type { ResolvedConfig } from '../../src/config/resolved-config.ts';
import type { Clock, Logger } from '../../src/contracts/contribution.ts';
import type { DocumentStore, IngestRunRow } from '../../src/contracts/document-store.ts';
import type { Extractor } from '../../src/contracts/extractor.ts';
import type { IngestOptions, IngestPorts } from '../../src/ingest/ingest-context.ts';
import { FsConnector } from '../../src/ingest/scan/connectors.ts';
import { ingestFile, ingestText } from '../../src/ingest/ingest-external.ts';
import { ingestFolder } from '../../src/ingest/ingest-folder.ts';
import type { ExtractionHost } from '../../src/extraction/extraction-job.ts';
import { FakeComponents, type FakeContributions } from '../fake-components.ts';
import type { IngestProgress, IngestReport } from '../../src/wire/index.ts';
import { IngestProgressSchema, IngestReportSchema } from '../../src/wire/ingest.ts';
import { openStore, type OpenStore } from '../kb/open-store.ts';
import { changed } from '../changed.ts';
import { lineChunker, plainExtractor } from './plain-extractor.ts';
import { TemporaryTree, type TreeContent } from './temporary-tree.ts';

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Options of an {@link IngestWorld}. */
export interface WorldOptions {
  readonly files?: TreeContent;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly contributions?: FakeContributions;
  readonly isolated?: ExtractionHost;
  readonly opened?: Pick<OpenStore, 'store' | 'index'>;
  /** Whether everything is ingested before the test begins. */
  readonly ingested?: boolean;
}

/**
 * A workspace of real files, with everything else that an ingest needs in memory. The clock is an hour behind the last change of the files
 * unless a test sets it.
 */
export class IngestWorld {
  readonly tree: TemporaryTree;
  readonly config: ResolvedConfig;
  readonly store: DocumentStore;
  /** The recorded runs, in order. */
  readonly runs: IngestRunRow[] = [];
  readonly #opened: Pick<OpenStore, 'store' | 'index'>;
  readonly events: IngestProgress[] = [];
  readonly #components: FakeComponents;
  readonly #isolated: ExtractionHost | null;
  now = new Date(Date.now() + 3_600_000);
  readonly clock: Clock = { now: () => this.now };

  private constructor(
    tree: TemporaryTree,
    config: ResolvedConfig,
    options: WorldOptions & Required<Pick<WorldOptions, 'opened'>>,
  ) {
    this.tree = tree;
    this.config = config;
    this.#opened = options.opened;
    this.store = notingRuns(options.opened.store, this.runs);
    this.#isolated = options.isolated ?? null;
    const { contributions = {} } = options;
    this.#components = new FakeComponents({
      document_store: { sqlite: this.store },
      lexical_index: { 'sqlite-fts5': options.opened.index },
      ...contributions,
      source: { fs: new FsConnector({ ...givenToSources(config), leaveOut: [] }), ...contributions.source },
      extractor: contributions.extractor ?? { plain: plainExtractor() },
      chunker: Object.fromEntries(
        ['md-heading-v1', 'lines-v1', 'fallback-v1'].map((id) => [id, contributions.chunker?.[id] ?? lineChunker(id)]),
      ),
    });
  }

  static async open(options: WorldOptions = {}): Promise<IngestWorld> {
    const tree = new TemporaryTree();
    tree.put({ 'kb/.keep.md': '', ...prefixed('kb', options.files ?? {}) });
    tree.drop('kb/.keep.md');
    const env = { KEBAB_WORKSPACE_ROOT: tree.path('kb'), ...options.env };
    const { config } = await resolveConfig({ cwd: tree.root, env, homeDir: tree.root });
    return new IngestWorld(tree, config, { ...options, opened: options.opened ?? (await openStore()) });
  }

  get root(): string {
    return this.config.workspace.root;
  }

  /** Writes files to the workspace. */
  put(files: TreeContent): void {
    this.tree.put(prefixed('kb', files));
  }

  drop(path: string): void {
    this.tree.drop(`kb/${path}`);
  }

  /** Ingests everything; only the events of this run are kept, and all output is validated against its schema. */
  async ingest(options: IngestOptions = {}): Promise<IngestReport> {
    return this.#checked((all) => ingestFolder(this.ports, all), options);
  }

  async ingestFile(path: string, options: IngestOptions = {}): Promise<IngestReport> {
    return this.#checked((all) => ingestFile(this.ports, path, all), options);
  }

  async ingestText(
    text: string,
    meta: { readonly title: string; readonly sourceUri?: string },
    options: IngestOptions = {},
  ): Promise<IngestReport> {
    return this.#checked((all) => ingestText(this.ports, { ...meta, content: text }, all), options);
  }

  /** The same workspace and store with another configuration or other plugins; or with another store. */
  async changed(options: Omit<WorldOptions, 'files'>): Promise<IngestWorld> {
    const env = { KEBAB_WORKSPACE_ROOT: this.root, ...options.env };
    const { config } = await resolveConfig({ cwd: this.tree.root, env, homeDir: this.tree.root });
    const world = new IngestWorld(this.tree, config, { ...options, opened: options.opened ?? this.#opened });
    world.now = this.now;
    return world;
  }

  close(): void {
    void this.store.close();
    this.tree.remove();
  }

  get ports(): IngestPorts {
    const components = componentPorts(this.#components);
    return { ...components, config: this.config, clock: this.clock, log: silent, isolated: this.#isolated };
  }

  async #checked(
    run: (options: IngestOptions) => Promise<IngestReport>,
    options: IngestOptions,
  ): Promise<IngestReport> {
    this.events.length = 0;
    const onProgress = (event: IngestProgress): void => {
      this.events.push(IngestProgressSchema.parse(event));
      options.onProgress?.(event);
    };
    return IngestReportSchema.parse(await run({ ...options, onProgress }));
  }
}

/** Provides the tests of a file with worlds that are closed after each test. */
export function worldsForTests(): (options?: WorldOptions) => Promise<IngestWorld> {
  const worlds: IngestWorld[] = [];
  afterEach(() => {
    for (const world of worlds.splice(0)) world.close();
  });
  return async (options) => {
    const world = await IngestWorld.open(options);
    worlds.push(world);
    if (options?.ingested === true) await world.ingest();
    return world;
  };
}

/** The non-zero counts of a report. */
export function countsOf(report: IngestReport): Readonly<Record<string, number>> {
  const { new: created, updated, unchanged, skipped, errors, purged } = report;
  const counts = { new: created, updated, unchanged, skipped, errors, purged };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Registers an extractor under the id of {@link plainExtractor}. */
export function extractors(extractor: Extractor): { readonly extractor: Readonly<Record<string, Extractor>> } {
  return { extractor: { plain: extractor } };
}

function givenToSources({ workspace, indexing }: ResolvedConfig) {
  return {
    followSymlinks: workspace.followSymlinks,
    linksOutside: workspace.symlinksOutside,
    maxFileBytes: indexing.maxFileMb * 1_048_576,
  };
}

function prefixed(folder: string, files: TreeContent): TreeContent {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** The store, with writers that collect the runs they record. */
function notingRuns(store: DocumentStore, runs: IngestRunRow[]): DocumentStore {
  return changed(store, {
    openWriter: async (options) => {
      const writer = await store.openWriter(options);
      return changed(writer, {
        recordRun: async (run) => {
          runs.push(run);
          await writer.recordRun(run);
        },
      });
    },
  });
}
