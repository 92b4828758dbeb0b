import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveConfig, type ConfigResolution } from '../../src/config/resolve-config.ts';
import type { Clock, Logger } from '../../src/contracts/contribution.ts';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import { fetchText } from '../../src/fetch/fetch-text.ts';
import { verifyCitation, type VerifyOptions } from '../../src/fetch/verify-citation.ts';
import type { FetchOptions, FetchQuery } from '../../src/domain/query.ts';
import { componentPorts, type Ports } from '../../src/ports.ts';
import type { CitationCheck, FetchResult } from '../../src/wire/index.ts';
import { SearchDocuments } from '../../src/search/search-documents.ts';
import { FakeComponents, type FakeContributions } from '../../src/testing/fake-components.ts';
import { MemoryLexicalIndex } from '../../src/testing/memory-lexical-index.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import { sampleWrite, type SampleOptions } from '../../src/testing/sample-write.ts';

/** What a knowledge base is to be opened with. */
export interface KnowledgeBaseOptions {
  /** Environment variables that configure it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly contributions?: FakeContributions;
}

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A knowledge base over real files in a temporary folder and a store in memory; the clock stands where a test puts it. */
export class KnowledgeBase {
  readonly root: string;
  readonly resolution: ConfigResolution;
  readonly store = new MemoryStore();
  readonly index = new MemoryLexicalIndex(this.store);
  readonly components: FakeComponents;
  readonly log = silent;
  now = new Date('2026-01-02T00:00:00Z');
  readonly clock: Clock = { now: () => this.now };

  private constructor(folder: string, resolution: ConfigResolution, contributions: FakeContributions) {
    this.root = join(folder, 'notes');
    this.resolution = resolution;
    this.components = new FakeComponents({
      document_store: { memory: this.store },
      lexical_index: { memory: this.index },
      ...contributions,
    });
  }

  static async open(options: KnowledgeBaseOptions = {}): Promise<KnowledgeBase> {
    const folder = mkdtempSync(join(tmpdir(), 'kebab-kb-'));
    const root = join(folder, 'notes');
    mkdirSync(root);
    const env = { KEBAB_WORKSPACE_ROOT: root, ...options.env };
    const resolution = await resolveConfig({ cwd: folder, env, homeDir: folder });
    return new KnowledgeBase(folder, resolution, options.contributions ?? {});
  }

  get config(): ConfigResolution['config'] {
    return this.resolution.config;
  }

  get search(): SearchDocuments {
    return new SearchDocuments(this.ports);
  }

  /** What use cases are given. */
  get ports(): Ports {
    return { ...componentPorts(this.components), config: this.config, clock: this.clock, log: this.log };
  }

  fetch(query: FetchQuery, options?: FetchOptions): Promise<FetchResult> {
    return fetchText(this.ports, query, options);
  }

  verify(uri: string, options?: VerifyOptions): Promise<CitationCheck> {
    return verifyCitation(this.ports, uri, options);
  }

  /** Puts a file where the source has it, without indexing it. */
  putFile(path: string, content: string | Uint8Array): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** Puts a file and indexes it. */
  async add(path: string, content: string | Uint8Array, options: SampleOptions = {}): Promise<DocumentWrite> {
    this.putFile(path, content);
    const { size, mtimeNs } = statSync(join(this.root, path), { bigint: true });
    return this.commit(sampleWrite(path, content, { file: { size: Number(size), mtimeNs }, ...options }));
  }

  /** Indexes a document as it is given. */
  async commit(write: DocumentWrite): Promise<DocumentWrite> {
    const writer = await this.store.openWriter({ waitMs: 0 });
    writer.transaction((tx) => tx.putDocument(write));
    writer.close();
    return write;
  }

  close(): void {
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}
