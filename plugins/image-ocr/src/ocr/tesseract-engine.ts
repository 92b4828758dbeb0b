import {
  throwIfCancelled,
  type CallContext,
  type OcrEngine,
  type OcrImage,
  type OcrText,
  type Unhealthy,
} from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';
import { LanguageData, orderLanguages, remedyFor } from './language-data.ts';
import { RecognitionPool } from './recognition-pool.ts';
import { readScan, Scan } from './read-scan.ts';

/** The version of the library installed with this plugin, which includes the models. */
const LIBRARY = 'tesseract.js 7.0.0';

/** Tesseract, in its own threads, with language data from disk: nothing is ever downloaded. */
export class TesseractEngine implements OcrEngine {
  readonly id = 'tesseract';
  readonly version = '1';
  readonly #config: ImageConfig;
  readonly #data: LanguageData;
  readonly #pool: RecognitionPool;

  constructor(config: ImageConfig, tmpDir: string) {
    this.#config = config;
    this.#data = new LanguageData({ dataDir: config.dataDir, tmpDir });
    this.#pool = new RecognitionPool(config);
  }

  fingerprint(): string {
    return `tesseract@${this.version} ${LIBRARY} ${this.#config.dataDir === null ? 'data that came along' : 'data of the user'}`;
  }

  async health(): Promise<Unhealthy | null> {
    const [first, ...others] = this.#data.missing(this.#config.languages);
    if (first === undefined) return null;
    const problem = `there is no Tesseract data for ${[first, ...others].join(', ')}`;
    return { problem, remedy: remedyFor(first) };
  }

  async languages(asked: readonly string[]): Promise<readonly string[]> {
    return this.#data.present(asked);
  }

  /** Errors: `model_not_pulled` for a language without data, `timeout`, `cancelled`. */
  async recognize({ png, languages }: OcrImage, { signal }: CallContext): Promise<OcrText> {
    throwIfCancelled(signal, 'ocr');
    const ordered = orderLanguages(languages.length === 0 ? this.#config.languages : languages);
    const folder = this.#data.folderFor(ordered);
    const scan = await Scan.open(png);
    const regions = await this.#pool.use({ languages: ordered, folder, signal }, (worker) => readScan(worker, scan));
    const joined = regions.map(({ text }) => text).join('\n');
    return { joined, regions, engine: this.id, engineVersion: LIBRARY };
  }

  async close(): Promise<void> {
    await this.#pool.close();
    this.#data.close();
  }
}
