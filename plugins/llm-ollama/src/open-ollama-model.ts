import { KebabError, isKebabError, type DerivationCache, type PluginContext } from '@kebab/core';
import { OllamaServer, rememberedFacts, workLimits, type ModelFacts } from '@kebab/ollama-kit';
import type { LlmOllamaConfig } from './llm-ollama-config.ts';
import { OllamaLanguageModel } from './ollama-language-model.ts';

/** Windows of calls about one image: the image, a page of text, and room to spare. */
const VISION_CONTEXT_TOKENS = { ocr: 12_288, caption: 8192 } as const;

/** What a model is opened for. */
export type ModelUse = 'llm' | 'ocr' | 'caption';

/** A model, and the address of its server for messages. */
export interface OpenOllamaModel {
  readonly model: OllamaLanguageModel;
  readonly endpoint: string;
}

/**
 * Opens the model that is configured for a use. Its server is asked what it knows of it, so that a prompt is packed for the
 * window that the model really has; when the server does not run, what it reported before must do, and the first call says what
 * is wrong: whoever is refused before a model is needed shall not need one. Throws `config_invalid` for a model that is known
 * not to do what it is opened for.
 */
export async function openOllamaModel(
  { config, cache }: Pick<PluginContext<LlmOllamaConfig>, 'config' | 'cache'>,
  use: ModelUse,
): Promise<OpenOllamaModel> {
  const own = use === 'llm' ? config : { ...config[use], contextTokens: VISION_CONTEXT_TOKENS[use] };
  const server = new OllamaServer({
    endpoint: own.endpoint || config.endpoint,
    model: own.model || config.model,
    limits: workLimits(own.timeoutMs),
    keys: { endpoint: keyOf(use, 'endpoint', own.endpoint), model: keyOf(use, 'model', own.model) },
  });
  const facts = await factsIfAny(server, cache);
  if (use === 'llm') requireChat(server.model, facts);
  else requireEyes(server.model, facts, `${use}.model`);
  const { contextTokens } = own;
  const model = new OllamaLanguageModel(server, facts, { contextTokens, keepAlive: config.keepAlive });
  return { model, endpoint: server.endpoint };
}

async function factsIfAny(server: OllamaServer, cache: DerivationCache): Promise<ModelFacts | null> {
  try {
    return await rememberedFacts(server, cache);
  } catch (error) {
    if (isKebabError(error)) return null;
    throw error;
  }
}

/** The key that names what is used: a use that names nothing of its own takes what answers questions. */
function keyOf(use: ModelUse, member: 'endpoint' | 'model', named: string): string {
  return use === 'llm' || named === '' ? `models.llm.${member}` : `${use}.${member}`;
}

function requireChat(model: string, facts: ModelFacts | null): void {
  const capabilities = facts?.capabilities ?? null;
  if (capabilities === null || capabilities.includes('completion')) return;
  const cause = `${model} cannot write answers; its capabilities are: ${capabilities.join(', ') || 'none'}`;
  throw new KebabError('config_invalid', `models.llm.model: ${cause}`, {
    details: { path: null, key: 'models.llm.model', cause, suggestion: null },
    hint:
      'name a chat model in models.llm.model or with --model; `ollama list` shows what the server has, ' +
      'and `ollama show NAME` whether a model has the capability completion',
  });
}

function requireEyes(model: string, facts: ModelFacts | null, key: string): void {
  if (facts?.capabilities?.includes('vision') !== false) return;
  const cause = `${model} cannot look at images`;
  throw new KebabError('config_invalid', `${key}: ${cause}`, {
    details: { path: null, key, cause, suggestion: null },
    hint: `name a vision model in ${key}; \`ollama list\` shows what the server has`,
  });
}
