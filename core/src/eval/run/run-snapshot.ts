import { maskSecrets } from '../../config/mask-secrets.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { Mode } from '../../domain/query.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';
import type { Ports } from '../../ports.ts';
import { allDocuments } from '../../documents/open-store.ts';
import { openEmbedding, type EmbeddingPorts } from '../../embedding/open-embedding.ts';
import type { RunSettings } from './run-suite.ts';

/** What a run was made with: the shape in the database, which is why its members are in snake_case. */
export interface RunSnapshot {
  readonly mode: Mode;
  readonly k: number;
  readonly with_rag: boolean;
  readonly temperature: number;
  readonly seed: number;
  readonly corpus_revision: number;
  readonly documents: number;
  readonly versions: RunVersions;
  /** The effective configuration; secrets are `***`. */
  readonly config: unknown;
}

/** The versions at work. Parsers and chunkers by medium, source code by language (`code/rust`), as the documents have them. */
export interface RunVersions {
  readonly kebab: string;
  readonly index_version: string;
  /** Fingerprint of the embedder; null where none took part. */
  readonly embedding: string | null;
  readonly prompt_template_version: string;
  readonly llm: string;
  readonly reranker: string | null;
  readonly parsers: Readonly<Record<string, readonly string[]>>;
  /** Version and hash of the policy. */
  readonly chunkers: Readonly<Record<string, readonly string[]>>;
}

/** What a snapshot is taken of. */
export interface SnapshotInit {
  readonly store: DocumentStore;
  readonly settings: RunSettings;
}

/** Notes everything that the result of a run can depend on beside its suite. */
export async function takeSnapshot(
  ports: EmbeddingPorts & Pick<Ports, 'lexicalIndex' | 'config'>,
  { store, settings }: SnapshotInit,
): Promise<RunSnapshot> {
  const { config } = ports;
  const index = await ports.lexicalIndex.read();
  const embedding = settings.mode === 'lexical' ? null : await openEmbedding(ports, 'read');
  const { llm, rerank } = config.models;
  return {
    mode: settings.mode,
    k: settings.k,
    with_rag: settings.withRag,
    temperature: settings.temperature,
    seed: settings.seed,
    corpus_revision: await store.corpusRevision(),
    documents: await store.documentCount(),
    versions: {
      kebab: KEBAB_VERSION,
      index_version: index.indexVersion(),
      embedding: embedding === null || embedding.kind === 'off' ? null : embedding.fingerprint,
      prompt_template_version: config.rag.promptTemplateVersion,
      llm: llm.model,
      reranker: rerank.provider === 'none' ? null : rerank.model,
      ...(await labelsIn(store)),
    },
    config: maskSecrets(config),
  };
}

async function labelsIn(store: DocumentStore): Promise<Pick<RunVersions, 'parsers' | 'chunkers'>> {
  const parsers = new Map<string, Set<string>>();
  const chunkers = new Map<string, Set<string>>();
  const policies = new Map<string, string>();
  const documents = allDocuments(store);
  for await (const { docId, media, codeLang, parserVersion, chunkerVersion, fingerprints } of documents) {
    const key = codeLang === null ? media : `${media}/${codeLang}`;
    add(parsers, key, parserVersion);
    // Documents of one fingerprint were cut by one policy, so one chunk tells it for all of them.
    let policy = policies.get(fingerprints.chunker);
    if (policy === undefined) {
      const [chunk] = await store.listChunks(docId, 0, 1);
      if (chunk === undefined) continue;
      policy = chunk.policyHash.replace(/#.*/, '');
      policies.set(fingerprints.chunker, policy);
    }
    add(chunkers, key, `${chunkerVersion} ${policy}`);
  }
  return { parsers: sorted(parsers), chunkers: sorted(chunkers) };
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

function sorted(sets: ReadonlyMap<string, ReadonlySet<string>>): Readonly<Record<string, readonly string[]>> {
  const entries = [...sets].map(([key, values]) => [key, [...values].toSorted()] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
