import type { CallContext, Captioner, ModelCaption } from '@kebab/core';
import { collectText } from './collect-text.ts';
import { languageNames } from './language-names.ts';
import type { OllamaLanguageModel } from './ollama-language-model.ts';

const MAX_TOKENS = 200;
const MAX_CHARS = 600;

/** Descriptions of images by a vision model: one line of one or two sentences. */
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

  /** Describes one image. Throws what a language model throws, and an error when the model says nothing. */
  async caption(
    { png, lang }: { readonly png: Uint8Array; readonly lang: string },
    { signal }: CallContext,
  ): Promise<ModelCaption> {
    const { text } = await collectText(
      this.#model,
      {
        messages: [{ role: 'user', text: promptFor(lang) }],
        images: [png],
        stop: [],
        maxTokens: MAX_TOKENS,
        temperature: 0,
        seed: 0,
      },
      { operation: 'caption', endpoint: this.#endpoint, signal },
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

/** The whole sentences that fit, or what fits of the first one. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const head = text.slice(0, MAX_CHARS);
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => head.lastIndexOf(mark)));
  return end > 0 ? head.slice(0, end + 1) : `${head.replace(/\s*\S*$/, '')}…`;
}
