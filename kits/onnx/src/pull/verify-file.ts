import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { HubFile } from './hub-file.ts';

/** What the bytes of a file are. */
export interface VerifiedFile {
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
