import type { Captioner } from '../contracts/captioner.ts';
import type { CallContext } from '../contracts/contribution.ts';
import type { ModelCaption } from '../domain/block.ts';
import { throwIfCancelled } from '../errors/abort.ts';

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
