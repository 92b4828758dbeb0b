import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ModelFile } from '../manifest/model-manifest.ts';

/** The public hub that models are fetched from by default. */
export const DEFAULT_HUB = 'https://huggingface.co';

/** A file of a repository as the hub describes it before it is fetched. */
export interface HubFile {
  readonly path: string;
  readonly url: string;
  /** Null when the hub does not tell. */
  readonly bytes: number | null;
  readonly checksum: Checksum | null;
  /** The commit that the revision stands for; null when the hub does not tell. */
  readonly commit: string | null;
}

/** What the bytes must hash to: `sha256` of the bytes, or `git`, the id of the file as git computes it (SHA-1). */
export interface Checksum {
  readonly kind: 'sha256' | 'git';
  /** Lower-case hex. */
  readonly hex: string;
}

/** Where on which hub. */
export interface HubPlace {
  /** For example {@link DEFAULT_HUB}. */
  readonly hub: string;
  readonly repository: string;
  readonly revision: string;
}

/** The address of a file of a repository. */
export function fileUrl({ hub, repository, revision }: HubPlace, path: string): string {
  const parts = [...repository.split('/'), 'resolve', revision, ...path.split('/')];
  return `${hub.replace(/\/+$/, '')}/${parts.map(encodeURIComponent).join('/')}`;
}

/**
 * What the headers of an answer about a file tell. Large files have the SHA-256 of their content as etag, small ones their
 * git id; what the manifest knows for certain comes first.
 */
export function describeFile(file: ModelFile, url: string, headers: Headers): HubFile {
  const etag = /^(?:W\/)?"?([0-9a-f]+)"?$/.exec(headers.get('x-linked-etag') ?? headers.get('etag') ?? '')?.[1];
  const length = headers.get('x-linked-size') ?? headers.get('content-length');
  return {
    path: file.path,
    url,
    bytes: file.bytes ?? (length === null ? null : Number(length)),
    checksum: file.sha256 === null ? checksumOf(etag) : { kind: 'sha256', hex: file.sha256 },
    commit: headers.get('x-repo-commit'),
  };
}

function checksumOf(etag: string | undefined): Checksum | null {
  if (etag?.length === 64) return { kind: 'sha256', hex: etag };
  return etag?.length === 40 ? { kind: 'git', hex: etag } : null;
}

/** What the bytes of a file are. */
interface VerifiedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Why they are not what the hub said; null when they are. */
  readonly fault: string | null;
}

/** Reads a fetched file and compares its length and checksum with what the hub said of it. */
export async function verifyFile(file: string, { bytes, checksum }: HubFile): Promise<VerifiedFile> {
  const { size } = await stat(file);
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${size}\0`);
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    sha256.update(part);
    if (checksum?.kind === 'git') git.update(part);
  }
  const hex = sha256.digest('hex');
  const found = checksum?.kind === 'git' ? git.digest('hex') : hex;
  const fault =
    bytes !== null && size !== bytes
      ? `it has ${size} bytes instead of ${bytes}`
      : checksum !== null && checksum.hex !== found
        ? `its checksum is ${found} instead of ${checksum.hex}`
        : null;
  return { bytes: size, sha256: hex, fault };
}
