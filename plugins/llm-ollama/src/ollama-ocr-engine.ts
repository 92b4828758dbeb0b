import type { CallContext, OcrEngine, OcrImage, OcrText } from '@kebab/core';
import { collectText } from './collect-text.ts';
import type { OllamaLanguageModel } from './ollama-language-model.ts';
import { languageNames } from './language-names.ts';

const MAX_TOKENS = 4096;
const NOTHING = 'NO_TEXT';

/**
 * What a vision model's reading is worth. It gives no number, and unlike an OCR engine it can invent fluent text; half says
 * that no one measured it.
 */
const CONFIDENCE = 0.5;

/**
 * Text recognition by a vision model. The model knows no boxes: every line is a region whose box is the whole image, with a
 * confidence of 0.5.
 */
export class OllamaOcrEngine implements OcrEngine {
  readonly id = 'ollama';
  readonly version = '1';
  readonly #model: OllamaLanguageModel;
  readonly #endpoint: string;

  constructor(model: OllamaLanguageModel, endpoint: string) {
    this.#model = model;
    this.#endpoint = endpoint;
  }

  fingerprint(): string {
    return `${this.id}-ocr@${this.version}:${this.#model.fingerprint()}`;
  }

  /**
   * Reads one image. Throws what a language model throws, and an error when the model comes to no end: it repeats itself then,
   * and what it wrote is worth nothing.
   */
  async recognize(image: OcrImage, { signal }: CallContext): Promise<OcrText> {
    const { text, cut } = await collectText(
      this.#model,
      {
        messages: [{ role: 'user', text: promptFor(image.languages) }],
        images: [image.png],
        stop: [],
        maxTokens: MAX_TOKENS,
        temperature: 0,
        seed: 0,
      },
      { operation: 'ocr', endpoint: this.#endpoint, signal },
    );
    if (cut) throw new Error(`${this.#model.model.id} came to no end within ${MAX_TOKENS} tokens`);
    const regions = linesOf(text).map((line) => ({
      bbox: [0, 0, image.width, image.height] as const,
      text: line,
      confidence: CONFIDENCE,
    }));
    return {
      joined: regions.map((region) => region.text).join('\n'),
      regions,
      engine: `ollama/${this.#model.model.id}`,
      engineVersion: this.#model.modelVersion,
    };
  }
}

function promptFor(languages: readonly string[]): string {
  const names = languageNames(languages);
  const expected = names === '' ? '' : ` It is probably in ${names}.`;
  return (
    `Copy all text of this image, word for word and line by line, from top to bottom.${expected} ` +
    `Do not translate, correct, explain or describe anything. If there is no text, write only ${NOTHING}.`
  );
}

/** The lines of a reading, without the fence that many models put around it, and without blank ones. */
function linesOf(text: string): readonly string[] {
  const bare = text.replace(/^```[^\n]*\n([\s\S]*?)\n?```$/, '$1').trim();
  if (bare.replaceAll(/\W/g, '').toUpperCase() === 'NO_TEXT') return [];
  return bare
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
