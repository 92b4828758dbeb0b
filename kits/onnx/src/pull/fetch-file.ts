import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Options for downloading a file. */
export interface FetchFileOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal | undefined;
  /** Called after each received part with the number of bytes on disk. */
  readonly onBytes: (bytes: number) => void;
  /** The delay before resuming after a broken connection. */
  readonly retryDelayMs: number;
}

/**
 * Downloads a file to `target`, resuming an earlier attempt and after a broken connection. Throws an `Error` if the hub rejects the
 * request, or cannot be reached in several attempts.
 */
export async function fetchFile(file: HubFile, target: string, options: FetchFileOptions): Promise<void> {
  const { signal, retryDelayMs: delayMs, onBytes } = options;
  let from = await sizeOf(target);
  const broughtSomething = async (): Promise<boolean> => {
    const before = from;
    from = await sizeOf(target);
    return from > before;
  };
  const isThere = file.bytes !== null && from === file.bytes;
  if (isThere) return onBytes(from);
  await retrying(() => fetchRest(file, target, { ...options, from }), { signal, delayMs, broughtSomething });
}

async function fetchRest(
  { url, bytes }: HubFile,
  target: string,
  { fetch, signal, onBytes, from }: FetchFileOptions & { readonly from: number },
): Promise<void> {
  const headers = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await fetch(url, { headers, signal: signal ?? null });
  if (url.startsWith('https:') && response.url.startsWith('http:'))
    throw new FinalAnswer(`${url} leads to ${response.url}, which is not encrypted`);
  if (response.status === 416) return; // the file is already complete; its checksum is verified later
  if (!response.ok) throw refusal(response);
  const isRest = response.status === 206; // a server without range support sends the whole file
  const handle = await open(target, isRest ? 'a' : 'w');
  try {
    let at = isRest ? from : 0;
    for await (const part of response.body ?? []) {
      await handle.write(part);
      at += part.length;
      onBytes(at);
    }
    if (bytes !== null && at < bytes) throw new Error(`the connection ended after ${at} of ${bytes} bytes`);
  } finally {
    await handle.close();
  }
}

/** The length of a file in bytes; 0 if it is missing. */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return 0;
    throw error;
  }
}

/** A failure that a retry cannot fix. */
class FinalAnswer extends Error {}

/** When to retry. */
interface RetryOptions {
  readonly signal: AbortSignal | undefined;
  /** The delay before the second attempt; doubled before each further one. */
  readonly delayMs: number;
  /** Whether the failed attempt made progress, so that it does not count; false by default. */
  readonly broughtSomething?: () => Promise<boolean>;
}

/** The maximum number of consecutive attempts without progress. */
const MAX_FRUITLESS = 4;

/**
 * Retries an attempt until four in a row have made no progress. A {@link FinalAnswer}, a disk failure and a fired signal end it
 * immediately.
 */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, delayMs, broughtSomething } = options;
  for (let fruitless = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      fruitless = (await broughtSomething?.()) === true ? 0 : fruitless + 1;
      if (error instanceof FinalAnswer || isDiskFailure(error) || fruitless >= MAX_FRUITLESS) throw error;
      await setTimeout(delayMs * 2 ** Math.max(0, fruitless - 1), undefined, { signal });
    }
  }
}

/** Whether an error is from the file system: network errors have no such `syscall`. */
export function isDiskFailure(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  return typeof code === 'string' && /^(open|read|write|close|stat|rename|mkdir|rm|unlink)$/.test(String(syscall));
}

/** The error for a response of the hub: final, unless the hub is only busy. */
export function refusal({ url, status, statusText }: Response): Error {
  const message = `${url} answered ${status} ${statusText}`.trimEnd();
  const isBusy = status >= 500 || status === 429 || status === 408;
  return isBusy ? new Error(message) : new FinalAnswer(message);
}

/** The default hub to download models from. */
export const DEFAULT_HUB = 'https://huggingface.co';

/** A file of a repository as described by the hub before downloading. */
export interface HubFile {
  readonly path: string;
  readonly url: string;
  /** Null if the hub does not report it. */
  readonly bytes: number | null;
  readonly checksum: Checksum | null;
  /** The commit of the revision; null if the hub does not report it. */
  readonly commit: string | null;
}

/** The expected checksum: `sha256` of the bytes, or `git`, the file's git blob id (SHA-1). */
interface Checksum {
  readonly kind: 'sha256' | 'git';
  /** Lower-case hex. */
  readonly hex: string;
}

/** A repository on a hub. */
export interface HubPlace {
  /** For example {@link DEFAULT_HUB}. */
  readonly hub: string;
  readonly repository: string;
  /** A branch or commit. */
  readonly revision: string;
}

/** The address of a file of a repository. */
export function fileUrl({ hub, repository, revision }: HubPlace, path: string): string {
  const parts = [...repository.split('/'), 'resolve', revision, ...path.split('/')];
  return `${hub.replace(/\/+$/, '')}/${parts.map(encodeURIComponent).join('/')}`;
}

/**
 * Describes a file from the headers of a response. Large files have the SHA-256 of their content as etag, small ones their git id.
 */
export function describeFile(path: string, url: string, headers: Headers): HubFile {
  const etag = /^(?:W\/)?"?([0-9a-f]+)"?$/.exec(headers.get('x-linked-etag') ?? headers.get('etag') ?? '')?.[1];
  const length = headers.get('x-linked-size') ?? headers.get('content-length');
  return {
    path,
    url,
    bytes: length === null ? null : Number(length),
    checksum: checksumOf(etag),
    commit: headers.get('x-repo-commit'),
  };
}

function checksumOf(etag: string | undefined): Checksum | null {
  if (etag?.length === 64) return { kind: 'sha256', hex: etag };
  return etag?.length === 40 ? { kind: 'git', hex: etag } : null;
}

/** The result of verifying a file. */
interface VerifiedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Why the bytes do not match; null if they do. */
  readonly fault: string | null;
}

/** Compares the length and checksum of a downloaded file with the hub's description. */
export async function verifyFile(file: string, { bytes, checksum }: HubFile): Promise<VerifiedFile> {
  const { size } = await stat(file);
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${size}\0`);
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    sha256.update(part);
    if (checksum?.kind === 'git') git.update(part);
  }
  const hex = sha256.digest('hex');
  const digest = checksum?.kind === 'git' ? git.digest('hex') : hex;
  const fault =
    bytes !== null && size !== bytes
      ? `it has ${size} bytes instead of ${bytes}`
      : checksum !== null && checksum.hex !== digest
        ? `its checksum is ${digest} instead of ${checksum.hex}`
        : null;
  return { bytes: size, sha256: hex, fault };
}
