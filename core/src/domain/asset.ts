import type { AssetId } from './ids.ts';
import type { MediaType } from './media.ts';

/** Where an asset's bytes are kept: a copy of ours, or the file where it was found. */
export type AssetStorage =
  | { readonly kind: 'copied'; readonly path: string }
  | { readonly kind: 'reference'; readonly path: string; readonly checksum: string };

/** The raw bytes of one file, named by their content. */
export interface RawAsset {
  readonly assetId: AssetId;
  readonly sourceId: string;
  readonly sourceUri: { readonly file: string } | { readonly kb: string };
  readonly workspacePath: string;
  readonly mediaType: MediaType;
  readonly byteLen: number;
  /** The full blake3 hash, 64 hex digits. */
  readonly checksum: string;
  readonly discoveredAt: Date;
  readonly stored: AssetStorage;
}
