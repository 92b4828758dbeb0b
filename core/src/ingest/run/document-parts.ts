import { dirname } from 'node:path';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { RawAsset } from '../../domain/asset.ts';
import type { GitState } from '../../extraction/document/derive-metadata.ts';
import { EXTERNAL } from '../../documents/external-folder.ts';
import type { ExtractionJob } from '../../extraction/extraction-job.ts';
import { gitFactsFor, type GitFactsCache } from '../../git/git-facts.ts';
import { pathOfUri } from '../scan/file-facts.ts';
import type { FileTask } from './file-task.ts';
import { isFileUri } from './store-asset.ts';

const NS_PER_MS = 1_000_000n;

/** Gathers what a document is made of beside its bytes: times, source, repository, titles given before. */
export class DocumentPartsFinder {
  readonly #store: DocumentStore;
  readonly #git: GitFactsCache = new Map();

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  async find(task: FileTask, asset: RawAsset, parserVersion: string): Promise<ExtractionJob['parts']> {
    const { source, file, known, hints } = task;
    const updatedMs = Number(file.mtimeNs / NS_PER_MS);
    return {
      asset,
      parserVersion,
      createdAt: new Date(file.birthtimeMs > 0 ? file.birthtimeMs : updatedMs),
      updatedAt: new Date(updatedMs),
      defaults: source.defaults,
      git: await this.#gitOf(task),
      title: await this.#titleOf(task),
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

  /** A document brought in by hand keeps the title it was given then. */
  async #titleOf({ source, file, hints }: FileTask): Promise<string | null> {
    if (hints !== null || source.id !== EXTERNAL) return hints?.title ?? null;
    return (await this.#store.findDocument(source.id, file.workspacePath))?.title ?? null;
  }
}
