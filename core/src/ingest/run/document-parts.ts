import { lstatSync } from 'node:fs';
import path, { dirname } from 'node:path';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import { EXTERNAL } from '../../documents/source-roots.ts';
import type { AssetStorage, RawAsset } from '../../domain/document.ts';
import type { AssetId } from '../../domain/ids.ts';
import type { GitState } from '../../extraction/document/assemble-document.ts';
import type { ExtractionJob } from '../../extraction/extraction-job.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { type GitFactsCache, gitFactsFor } from '../../git/git-facts.ts';
import type { FileHints, IngestContext } from '../ingest-context.ts';
import type { FileTask } from './prepare-file.ts';
import { pathOfUri } from '../scan/list-directory.ts';

const NS_PER_MS = 1_000_000n;

/** Collects the parts of a document that are not in its bytes: times, source, repository, and a title given earlier. */
export class DocumentPartsFinder {
  readonly #store: DocumentStore;
  readonly #hints: FileHints | undefined;
  readonly #git: GitFactsCache = new Map();

  /** `hints` are about the files of the source `external`. */
  constructor({ store, hints }: Pick<IngestContext, 'store' | 'hints'>) {
    this.#store = store;
    this.#hints = hints;
  }

  async find(task: FileTask, asset: RawAsset, parserVersion: string): Promise<ExtractionJob['parts']> {
    const { source, file, known } = task;
    const hints = source.id === EXTERNAL ? this.#hints : undefined;
    const updatedMs = Number(file.mtimeNs / NS_PER_MS);
    return {
      asset,
      parserVersion,
      createdAt: new Date(file.birthtimeMs > 0 ? file.birthtimeMs : updatedMs),
      updatedAt: new Date(updatedMs),
      defaults: source.defaults,
      git: await this.#gitOf(task),
      title: hints?.title ?? (hints === undefined ? await this.#titleOf(task) : null),
      fileName: hints?.fileName ?? file.workspacePath,
      origin: hints?.origin ?? null,
      docVersion: (known?.docVersion ?? 0) + 1,
      at: asset.discoveredAt,
    };
  }

  async #gitOf({ file }: FileTask): Promise<GitState | null> {
    if (file.mediaType.kind !== 'code' || !isFileUri(file.uri)) return null;
    const facts = await gitFactsFor(dirname(pathOfUri(file.uri)), this.#git);
    return facts === null ? null : { repo: facts.repo, gitBranch: facts.branch, gitCommit: facts.commit };
  }

  /** A document added with `ingest-file` or `ingest-stdin` keeps the title it was given then. */
  async #titleOf({ source, file }: FileTask): Promise<string | null> {
    if (source.id !== EXTERNAL) return null;
    return (await this.#store.findDocument(source.id, file.workspacePath))?.title ?? null;
  }
}

const BYTES_PER_MB = 1_048_576;

/** The bytes of an asset and the file they come from. */
interface AssetBytes {
  readonly file: SourceFile;
  readonly bytes: Uint8Array;
  readonly assetId: AssetId;
  readonly checksum: string;
}

/**
 * Keeps an asset's bytes accessible: a file on this machine is referenced; anything else up to the size limit is copied to the asset
 * folder. Idempotent: a copy that exists is not written again.
 */
export function storeAsset(
  { file, bytes, assetId, checksum }: AssetBytes,
  storage: ResolvedConfig['storage'],
): AssetStorage {
  if (isFileUri(file.uri)) return { kind: 'reference', path: pathOfUri(file.uri), checksum };
  if (bytes.length > storage.copyThresholdMb * BYTES_PER_MB) return { kind: 'reference', path: file.uri, checksum };
  const copy = path.join(storage.assetDir, assetId.slice(0, 2), assetId);
  if (lstatSync(copy, { throwIfNoEntry: false })?.isFile() !== true) {
    makeOwnFolder(storage.assetDir);
    writeAtomically(copy, bytes, { flush: false });
  }
  return { kind: 'copied', path: copy };
}

/** Whether a URI refers to a file on this machine. */
export function isFileUri(uri: string): boolean {
  return uri.startsWith('file:');
}
