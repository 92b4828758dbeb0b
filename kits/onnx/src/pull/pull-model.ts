import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { KebabError, cancelled, makeOwnFolder, refuseLinks, writeAtomically } from '@kebab/core';
import { namedModelPath, PULL_RECORD, type PullRecord } from '../folder/read-model-folder.ts';
import type { ModelManifest } from '../manifest/builtin-manifests.ts';
import {
  fetchFile,
  sizeOf,
  isDiskFailure,
  refusal,
  retrying,
  DEFAULT_HUB,
  describeFile,
  fileUrl,
  type HubFile,
  type HubPlace,
  verifyFile,
} from './fetch-file.ts';

/** The progress of a download. */
export interface PullProgress {
  readonly bytesDone: number;
  /** Null if the hub does not report the length of every file. */
  readonly bytesTotal: number | null;
}

/** Options for downloading a model. */
export interface PullOptions {
  readonly modelDir: string;
  readonly fetch: typeof fetch;
  /** The public hub by default. */
  readonly hub?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PullProgress) => void;
  /** The delay before resuming after a broken connection: 500 by default, doubled each time. */
  readonly retryDelayMs?: number;
}

/** How often a file with a wrong checksum is downloaded. */
const ATTEMPTS = 2;
const RETRY_DELAY_MS = 500;
/** The branch of every repository. */
const BRANCH = 'main';

/**
 * Downloads a model into `<modelDir>/<id>` and returns that folder. Files are downloaded one by one into `<modelDir>/.pull/<id>`, where a
 * later call can resume; each is verified with the checksum of the hub; then the folder is moved into place, replacing an
 * earlier one. It includes a record of the download. Errors: `model_unreachable` if the hub cannot be reached, rejects the request, or
 * keeps sending wrong bytes; `cancelled`.
 */
export async function pullModel(manifest: ModelManifest, options: PullOptions): Promise<string> {
  const { signal, modelDir } = options;
  const folder = namedModelPath(manifest.id, modelDir);
  try {
    return await pull(manifest, folder, options);
  } catch (error) {
    if (signal?.aborted === true) throw cancelled(`fetching ${manifest.id}`, signal.reason);
    if (error instanceof HubError) throw unreachable(manifest, { endpoint: options.hub ?? DEFAULT_HUB, folder, error });
    throw error;
  }
}

/** A failure of the hub or the connection to it. */
class HubError extends Error {}

async function pull(manifest: ModelManifest, folder: string, options: PullOptions): Promise<string> {
  const { modelDir, hub = DEFAULT_HUB } = options;
  const pulling = path.join(modelDir, '.pull');
  const staging = path.join(pulling, ...manifest.id.split('/'));
  makeOwnFolder(pulling);
  const place: HubPlace = { hub, repository: manifest.repository, revision: BRANCH };
  const files = await blamingHub(() => describeFiles(manifest, place, options));
  const known = files.map(({ bytes }) => bytes);
  const bytesTotal = known.includes(null) ? null : known.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  let before = 0;
  const records: PullRecord['files'][number][] = [];
  for (const file of files) {
    const onBytes = (bytes: number): void => options.onProgress?.({ bytesDone: before + bytes, bytesTotal });
    const record = await fetchVerified(file, path.join(staging, file.path), { ...options, onBytes });
    records.push(record);
    before += record.bytes;
  }
  const revision = files.find(({ commit }) => commit !== null)?.commit ?? BRANCH;
  const record: PullRecord = { repository: place.repository, revision, files: records };
  writeAtomically(path.join(staging, PULL_RECORD), `${JSON.stringify(record, null, 2)}\n`);
  await moveInto(folder, staging);
  return folder;
}

/** Queries the first file at the revision, and the others at the commit that it resolves to. */
async function describeFiles({ files }: ModelManifest, place: HubPlace, options: PullOptions): Promise<HubFile[]> {
  const { fetch, signal, retryDelayMs: delayMs = RETRY_DELAY_MS } = options;
  // The redirect to a large file has its checksum; the response of the target does not.
  const headers = { 'accept-encoding': 'identity' };
  const request = { method: 'HEAD', redirect: 'manual', headers, signal: signal ?? null } as const;
  const described: HubFile[] = [];
  let { revision } = place;
  for (const file of files) {
    const url = fileUrl({ ...place, revision }, file);
    const ask = async (): Promise<Response> => {
      const response = await fetch(url, request);
      if (response.status >= 400) throw refusal(response);
      return response;
    };
    const about = describeFile(file, url, (await retrying(ask, { signal, delayMs })).headers);
    described.push(about);
    revision = about.commit ?? revision;
  }
  return described;
}

async function fetchVerified(
  file: HubFile,
  target: string,
  options: PullOptions & { readonly onBytes: (bytes: number) => void },
): Promise<PullRecord['files'][number]> {
  const { fetch, signal, onBytes, retryDelayMs = RETRY_DELAY_MS } = options;
  const part = `${target}.part`;
  for (const written of [target, part]) refuseLinks(written, options.modelDir);
  await mkdir(path.dirname(target), { recursive: true });
  if ((await sizeOf(target)) > 0) await rename(target, part); // from an earlier call: verified again
  for (let attempt = 1; ; attempt++) {
    await blamingHub(() => fetchFile(file, part, { fetch, signal, onBytes, retryDelayMs }));
    const { bytes, sha256, fault } = await verifyFile(part, file);
    if (fault === null) {
      await rename(part, target);
      return { path: file.path, bytes, sha256 };
    }
    await rm(part); // resuming would keep the wrong bytes
    if (attempt >= ATTEMPTS) throw new HubError(`${file.url}: ${fault}`);
  }
}

async function moveInto(folder: string, staging: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const old = `${staging}.old`;
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch((error: { readonly code?: unknown }) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staging, folder);
  await rm(old, { recursive: true, force: true });
}

async function blamingHub<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isDiskFailure(error) ? error : new HubError(reasonOf(error), { cause: error });
  }
}

/** The reason of a failed `fetch`, which is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}

interface Unreachable {
  readonly endpoint: string;
  /** The target folder of the model. */
  readonly folder: string;
  readonly error: Error;
}

function unreachable({ id }: ModelManifest, { endpoint, folder, error }: Unreachable): KebabError<'model_unreachable'> {
  return new KebabError('model_unreachable', `${id} could not be fetched: ${error.message}`, {
    details: { endpoint, model: id, cause: error.message },
    cause: error,
    hint: `check the network, then run \`kebab models pull\` again: it goes on where it stopped; without a network, copy the model's folder to ${folder}`,
  });
}
