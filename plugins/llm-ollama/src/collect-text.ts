import { KebabError, cancelled, type GenerateRequest, type LanguageModel } from '@kebab/core';

/** A whole answer. */
export interface CollectedText {
  readonly text: string;
  /** Whether `maxTokens` cut it. */
  readonly cut: boolean;
}

/**
 * The whole answer of a model, as one text. Throws `cancelled` when the signal has fired, and `model_unreachable` when the
 * answer broke off, besides what `generate` throws.
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
