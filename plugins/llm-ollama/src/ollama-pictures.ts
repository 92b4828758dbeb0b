import {
  KebabError,
  cancelled,
  type GenerateRequest,
  type LanguageModel,
  type CallContext,
  type Captioner,
  type ModelCaption,
  type OcrEngine,
  type OcrImage,
  type OcrText,
} from '@kebab/core';
import type { OllamaLanguageModel } from './ollama-language-model.ts';

/** A whole answer. */
interface CollectedText {
  readonly text: string;
  /** Whether it was cut at `maxTokens`. */
  readonly cut: boolean;
}

/**
 * Collects the whole answer of a model into one text. Throws `cancelled` if the signal has fired, `model_unreachable` if the answer broke
 * off, and the errors of `generate`.
 */
export async function collectText(
  model: LanguageModel,
  request: GenerateRequest,
  {
    operation,
    endpoint,
    signal,
  }: { readonly operation: string; readonly endpoint: string; readonly signal: AbortSignal },
): Promise<CollectedText> {
  let text = '';
  for await (const chunk of model.generate(request, { signal })) {
    if (chunk.kind === 'token') {
      text += chunk.token;
      continue;
    }
    const { finishReason, error: cause = 'the answer broke off' } = chunk;
    if (finishReason === 'aborted') throw cancelled(operation, signal.reason);
    if (finishReason !== 'error') return { text: text.trim(), cut: finishReason === 'length' };
    const details = { endpoint, model: model.model.id, cause };
    throw new KebabError('model_unreachable', `${operation} broke off: ${cause}`, { details });
  }
  throw new Error('the answer has no end');
}

/** The English names of languages by their ISO 639 codes, as in "English, Korean"; unknown codes are omitted. */
export function languageNames(codes: readonly string[]): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return codes
    .flatMap((code) => {
      try {
        return names.of(code.replace('_', '-')) ?? [];
      } catch {
        return []; // throws for an invalid code
      }
    })
    .join(', ');
}

/** Calls a vision model for one image, deterministically. */
function writtenOf(
  { png, prompt, maxTokens }: { readonly png: Uint8Array; readonly prompt: string; readonly maxTokens: number },
  { model, ...call }: { readonly model: OllamaLanguageModel } & Parameters<typeof collectText>[2],
): ReturnType<typeof collectText> {
  const messages = [{ role: 'user' as const, text: prompt }];
  return collectText(model, { messages, images: [png], stop: [], maxTokens, temperature: 0, seed: 0 }, call);
}

const MAX_TOKENS = 200;
const MAX_CHARS = 600;

/** Describes images with a vision model, in one line of one or two sentences. */
export class OllamaCaptioner implements Captioner {
  readonly id = 'ollama';
  readonly version = '1';
  readonly #model: OllamaLanguageModel;
  readonly #endpoint: string;

  constructor(model: OllamaLanguageModel, endpoint: string) {
    this.#model = model;
    this.#endpoint = endpoint;
  }

  fingerprint(): string {
    return `${this.id}-caption@${this.version}:${this.#model.fingerprint()}`;
  }

  /** Describes one image. Throws the errors of a language model, and an error if the answer is empty. */
  async caption(
    { png, lang }: { readonly png: Uint8Array; readonly lang: string },
    { signal }: CallContext,
  ): Promise<ModelCaption> {
    const { text } = await writtenOf(
      { png, prompt: promptFor(lang), maxTokens: MAX_TOKENS },
      { model: this.#model, operation: 'caption', endpoint: this.#endpoint, signal },
    );
    const { model, modelVersion } = this.#model;
    const caption = shortened(text.replaceAll(/\s+/g, ' '));
    if (caption === '') throw new Error(`${model.id} said nothing about the image`);
    return { text: caption, model: model.id, modelVersion };
  }
}

function promptFor(lang: string): string {
  const language = languageNames([lang]) || 'English';
  return (
    `Describe in one or two short sentences what this image shows. Write in ${language}. ` +
    'Write only the description, without an introduction.'
  );
}

/** The whole sentences that fit, or the part of the first one that fits. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const head = text.slice(0, MAX_CHARS);
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => head.lastIndexOf(mark)));
  return end > 0 ? head.slice(0, end + 1) : `${head.replace(/\s*\S*$/, '')}…`;
}

const MAX_READING_TOKENS = 4096;
const NOTHING = 'NO_TEXT';

/**
 * The confidence of a vision model's reading. The model reports none, and unlike an OCR engine it can invent fluent text; 0.5 means that it
 * was not measured.
 */
const CONFIDENCE = 0.5;

/**
 * Recognises text with a vision model. The model does not report boxes: every line is a region whose box is the whole image, with a
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
   * Reads one image. Throws the errors of a language model, and an error if the answer reaches the token limit, because the model is then
   * repeating itself.
   */
  async recognize(image: OcrImage, { signal }: CallContext): Promise<OcrText> {
    const { text, cut } = await writtenOf(
      { png: image.png, prompt: readingPrompt(image.languages), maxTokens: MAX_READING_TOKENS },
      { model: this.#model, operation: 'ocr', endpoint: this.#endpoint, signal },
    );
    if (cut) throw new Error(`${this.#model.model.id} came to no end within ${MAX_READING_TOKENS} tokens`);
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

function readingPrompt(languages: readonly string[]): string {
  const names = languageNames(languages);
  const expected = names === '' ? '' : ` It is probably in ${names}.`;
  return (
    `Copy all text of this image, word for word and line by line, from top to bottom.${expected} ` +
    `Do not translate, correct, explain or describe anything. If there is no text, write only ${NOTHING}.`
  );
}

/** The lines of a reading, without the code fence that many models put around it, and without blank lines. */
function linesOf(text: string): readonly string[] {
  const bare = text.replace(/^```[^\n]*\n([\s\S]*?)\n?```$/, '$1').trim();
  if (bare.replaceAll(/\W/g, '').toUpperCase() === 'NO_TEXT') return [];
  return bare
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
