import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveConfig, type ConfigResolution } from '../../src/config/resolve-config.ts';
import type { Clock, Logger } from '../../src/contracts/contribution.ts';
import type { DocumentStore, DocumentWrite } from '../../src/contracts/document-store.ts';
import type { LexicalIndex } from '../../src/contracts/lexical-index.ts';
import type { SessionRepo } from '../../src/contracts/session-repo.ts';
import { fetchText } from '../../src/fetch/fetch-text.ts';
import { verifyCitation, type VerifyOptions } from '../../src/fetch/verify-citation.ts';
import type { FetchOptions, FetchQuery } from '../../src/domain/query.ts';
import { componentPorts, type Ports } from '../../src/ports.ts';
import type { CitationCheck, FetchResult } from '../../src/wire/index.ts';
import { openSearcher, type Searcher } from '../../src/search/search-documents.ts';
import { FakeComponents, type FakeContributions } from '../fake-components.ts';
import { sampleWrite, type SampleOptions } from '@kebab/testing';
import { commit, openStore, type OpenStore } from './open-store.ts';

/** Options of a {@link KnowledgeBase}. */
export interface KnowledgeBaseOptions {
  /** Environment variables that configure it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly contributions?: FakeContributions;
}

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A knowledge base over real files in a temporary folder and a database in memory; tests set its clock. */
export class KnowledgeBase {
  readonly root: string;
  readonly resolution: ConfigResolution;
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly sessions: SessionRepo;
  readonly components: FakeComponents;
  readonly log = silent;
  /** The working directory for relative paths. */
  cwd: string;
  now = new Date('2026-01-02T00:00:00Z');
  readonly clock: Clock = { now: () => this.now };

  private constructor(
    folder: string,
    given: {
      readonly resolution: ConfigResolution;
      readonly opened: OpenStore;
      readonly contributions: FakeContributions;
    },
  ) {
    const { resolution, opened, contributions } = given;
    this.root = join(folder, 'notes');
    this.cwd = folder;
    this.store = opened.store;
    this.index = opened.index;
    this.sessions = opened.sessions;
    this.resolution = resolution;
    this.components = new FakeComponents({
      document_store: { sqlite: opened.store },
      lexical_index: { 'sqlite-fts5': opened.index },
      session_repo: { sqlite: opened.sessions },
      ...contributions,
    });
  }

  static async open(options: KnowledgeBaseOptions = {}): Promise<KnowledgeBase> {
    const folder = mkdtempSync(join(tmpdir(), 'kebab-kb-'));
    const root = join(folder, 'notes');
    mkdirSync(root);
    const env = { KEBAB_WORKSPACE_ROOT: root, ...options.env };
    const resolution = await resolveConfig({ cwd: folder, env, homeDir: folder });
    const opened = await openStore();
    return new KnowledgeBase(folder, { resolution, opened, contributions: options.contributions ?? {} });
  }

  get config(): ConfigResolution['config'] {
    return this.resolution.config;
  }

  get search(): Searcher {
    return openSearcher(this.ports);
  }

  /** The ports for use cases. */
  get ports(): Ports & { readonly cwd: string } {
    const { config, clock, log } = this;
    return { ...componentPorts(this.components), config, clock, log, cwd: this.cwd };
  }

  fetch(query: FetchQuery, options?: FetchOptions): Promise<FetchResult> {
    return fetchText(this.ports, query, options);
  }

  verify(uri: string, options?: VerifyOptions): Promise<CitationCheck> {
    return verifyCitation(this.ports, uri, options);
  }

  /** Writes a file to the source, without indexing it. */
  putFile(path: string, content: string | Uint8Array): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** Writes a file and indexes it. */
  async add(path: string, content: string | Uint8Array, options: SampleOptions = {}): Promise<DocumentWrite> {
    this.putFile(path, content);
    const { size, mtimeNs } = statSync(join(this.root, path), { bigint: true });
    return this.commit(sampleWrite(path, content, { file: { size: Number(size), mtimeNs }, ...options }));
  }

  /** Indexes the given document. */
  async commit(write: DocumentWrite): Promise<DocumentWrite> {
    await commit(this.store, write);
    return write;
  }

  close(): void {
    void this.store.close();
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}
