import { KebabError, isKebabError, type DerivationCache, type PluginContext } from '@kebab/core';
import { OllamaServer, rememberedFacts, type ModelFacts } from '@kebab/ollama-kit';
import type { LlmOllamaConfig } from './llm-ollama-config.ts';
import { OllamaLanguageModel } from './ollama-language-model.ts';

/** Windows for calls with one image: the image, a page of text, and a reserve. */
const VISION_CONTEXT_TOKENS = { ocr: 12_288, caption: 8192 } as const;

/** The purpose for which a model is opened. */
export type ModelUse = 'llm' | 'ocr' | 'caption';

/** A model, and the address of its server for messages. */
export interface OpenOllamaModel {
  readonly model: OllamaLanguageModel;
  readonly endpoint: string;
}

/**
 * Opens the model configured for a use. Its properties are read from the server, so that a prompt is packed for the model's actual window;
 * if the server does not run, cached properties are used, and the first call reports the problem, so that a refusal that needs no model
 * does not need a server. Throws `config_invalid` for a model that is known not to support the use.
 */
export async function openOllamaModel(
  { config, cache, proxies }: Pick<PluginContext<LlmOllamaConfig>, 'config' | 'cache' | 'proxies'>,
  use: ModelUse,
): Promise<OpenOllamaModel> {
  const own = use === 'llm' ? config : { ...config[use], contextTokens: VISION_CONTEXT_TOKENS[use] };
  const server = new OllamaServer({
    endpoint: own.endpoint || config.endpoint,
    model: own.model || config.model,
    timeoutMs: own.timeoutMs,
    apiKey: own.apiKey,
    proxies,
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

/** The configuration key in effect: a use without its own setting falls back to that of the language model. */
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
