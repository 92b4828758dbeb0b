import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Clock } from '../contracts/contribution.ts';
import type { DerivationRecords } from '../contracts/derivation-records.ts';
import type { PictureUse } from '../contracts/extractor.ts';
import { blake3Id } from '../domain/blake3.ts';
import type { ModelCaption, OcrText } from '../domain/block.ts';
import { canonicalJson, type JsonValue } from '../domain/json.ts';

/** The result type of each use of a picture. */
export interface ReadingOf {
  readonly ocr: OcrText;
  readonly caption: ModelCaption;
}

/** Everything that the result of reading a picture depends on. */
export interface ReadingKey {
  /** The full hash of the file. */
  readonly checksum: string;
  /** The picture within the file. */
  readonly picture: string;
  /** Id and version of the extractor that renders it. */
  readonly renderer: string;
  /** The fingerprint of the model that reads it. */
  readonly reader: string;
  /** The options it was called with. */
  readonly options: Readonly<Record<string, JsonValue>>;
}

/** The options that affect the result of an OCR engine. */
export function ocrOptions({ languages, maxPixels }: Pick<ResolvedConfig['ocr'], 'languages' | 'maxPixels'>): {
  readonly languages: readonly string[];
  readonly maxPixels: number;
} {
  return { languages, maxPixels };
}

/** Decodes the payload of a cached reading. */
export function readingIn(payload: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(payload));
}

/** The cache key of a reading. */
export function readingId(use: PictureUse, key: ReadingKey): string {
  return blake3Id(canonicalJson({ use, ...key }));
}

/** Caches readings of pictures across runs, so that a moved or restored file needs no model call. */
export class ReadingCache {
  readonly #records: DerivationRecords;
  readonly #clock: Clock;

  constructor(records: DerivationRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  async get<U extends PictureUse>(use: U, key: ReadingKey): Promise<ReadingOf[U] | undefined> {
    const id = readingId(use, key);
    const payload = (await this.#records.get(use, [id])).get(id);
    if (payload === undefined) return undefined;
    await this.#records.touch([id], this.#clock.now());
    return readingIn(payload) as ReadingOf[U]; // `set` stored it under a hash that includes `use`
  }

  async set<U extends PictureUse>(use: U, key: ReadingKey, reading: ReadingOf[U]): Promise<void> {
    const payload = new TextEncoder().encode(JSON.stringify(reading));
    await this.#records.set(use, [{ key: readingId(use, key), payload }], this.#clock.now());
  }
}
