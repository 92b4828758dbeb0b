import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import type { AssetStorage } from '../../domain/asset.ts';
import type { AssetId } from '../../domain/ids.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { pathOfUri } from '../scan/file-facts.ts';

const BYTES_PER_MB = 1_048_576;

/** Where the bytes of an asset come from. */
export interface AssetBytes {
  readonly file: SourceFile;
  readonly bytes: Uint8Array;
  readonly assetId: AssetId;
  readonly checksum: string;
}

/**
 * Sees to it that an asset's bytes stay within reach: a file on this machine is referred to, what has no file is copied
 * to the folder of assets up to the size limit. Asked again for the same asset, it copies nothing.
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

/** Whether a URI names a file on this machine. */
export function isFileUri(uri: string): boolean {
  return uri.startsWith('file:');
}
