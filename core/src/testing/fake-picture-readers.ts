import type { CallContext } from '../contracts/contribution.ts';
import type { OcrEngine, OcrImage } from '../contracts/ocr-engine.ts';
import type { OcrText, ModelCaption } from '../domain/block.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Captioner } from '../contracts/captioner.ts';

/** What a {@link FakeOcrEngine} is made with. */
export interface FakeOcrOptions {
  readonly fingerprint?: string;
  /** The lines that it reads in a picture; by default one that says how large the picture is. */
  readonly read?: (image: OcrImage, context: CallContext) => readonly string[] | Promise<readonly string[]>;
}

/** An OCR engine that looks at the size of a picture only, and reads one line below the other. */
export class FakeOcrEngine implements OcrEngine {
  readonly id = 'fake';
  readonly version = '1';
  readonly #options: FakeOcrOptions;
  readonly #asked: Pick<OcrImage, 'width' | 'height' | 'languages'>[] = [];

  constructor(options: FakeOcrOptions = {}) {
    this.#options = options;
  }

  /** The pictures it was asked to read, in order. */
  get asked(): readonly Pick<OcrImage, 'width' | 'height' | 'languages'>[] {
    return this.#asked;
  }

  fingerprint(): string {
    return this.#options.fingerprint ?? `${this.id}@${this.version}`;
  }

  async recognize(image: OcrImage, context: CallContext): Promise<OcrText> {
    throwIfCancelled(context.signal, 'ocr');
    const { width, height, languages } = image;
    this.#asked.push({ width, height, languages });
    const lines = (await this.#options.read?.(image, context)) ?? [`A picture of ${width} by ${height} pixels.`];
    const lineHeight = height / Math.max(1, lines.length);
    const regions = lines.map((text, i) => {
      const bbox = [0, Math.floor(i * lineHeight), width, Math.max(1, Math.floor(lineHeight))] as const;
      return { bbox, text, confidence: 1 };
    });
    return { joined: lines.join('\n'), regions, engine: this.id, engineVersion: this.version };
  }
}

const inEnglish = (bytes: number): string => `A picture of ${bytes} bytes.`;
const inKorean = (bytes: number): string => `${bytes}바이트로 된 그림입니다.`;

/** A captioner that says how large the file of an image is: in Korean when that is asked for, else in English. */
export class FakeCaptioner implements Captioner {
  readonly id = 'fake';
  readonly version = '1';
  readonly #asked: string[] = [];

  /** The languages it was asked for, in order. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async caption(
    { png, lang }: { readonly png: Uint8Array; readonly lang: string },
    { signal }: CallContext,
  ): Promise<ModelCaption> {
    throwIfCancelled(signal, 'caption');
    this.#asked.push(lang);
    const text = (lang === 'ko' ? inKorean : inEnglish)(png.length);
    return { text, model: 'fake', modelVersion: '1' };
  }
}
