import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Clock } from '../contracts/contribution.ts';
import type { DerivationRecords } from '../contracts/derivation-records.ts';
import type { PictureUse } from '../contracts/extractor.ts';
import { blake3Id } from '../domain/blake3.ts';
import type { ModelCaption, OcrText } from '../domain/block.ts';
import { canonicalJson, type JsonValue } from '../domain/json.ts';

/** What each use of a picture gives. */
export interface ReadingOf {
  readonly ocr: OcrText;
  readonly caption: ModelCaption;
}

/** Everything that a reading depends on. */
export interface ReadingKey {
  /** The full hash of the file. */
  readonly checksum: string;
  /** The picture within it. */
  readonly picture: string;
  /** The extractor that renders it: id and version. */
  readonly renderer: string;
  /** The fingerprint of what reads it. */
  readonly reader: string;
  /** How it was asked to. */
  readonly options: Readonly<Record<string, JsonValue>>;
}

/** How an OCR engine is asked, as far as what it reads depends on it. */
export function ocrOptions({ languages, maxPixels }: Pick<ResolvedConfig['ocr'], 'languages' | 'maxPixels'>): {
  readonly languages: readonly string[];
  readonly maxPixels: number;
} {
  return { languages, maxPixels };
}

/** What was read, as it is kept under the {@link readingId} of it. */
export function readingIn(payload: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(payload));
}

/** The key under which a reading is kept. */
export function readingId(use: PictureUse, key: ReadingKey): string {
  return blake3Id(canonicalJson({ use, ...key }));
}

/** Readings kept across runs, so that a file moved or restored costs no model call. */
export class ReadingCache {
  readonly #records: DerivationRecords;
  readonly #clock: Clock;

  constructor(records: DerivationRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  get<U extends PictureUse>(use: U, key: ReadingKey): ReadingOf[U] | undefined {
    const id = readingId(use, key);
    const payload = this.#records.get(use, id);
    if (payload === undefined) return undefined;
    this.#records.touch([id], this.#clock.now());
    return readingIn(payload) as ReadingOf[U]; // written by `set`, under a hash of its kind
  }

  set<U extends PictureUse>(use: U, key: ReadingKey, reading: ReadingOf[U]): void {
    const payload = new TextEncoder().encode(JSON.stringify(reading));
    this.#records.set(use, [{ key: readingId(use, key), payload }], this.#clock.now());
  }
}
