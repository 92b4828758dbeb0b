import type { LanguageModel } from '../../contracts/language-model.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { AskPorts } from './ask-sources.ts';

/**
 * The model that writes an answer: the configured one, or the one that the question names. Throws `invalid_input` for a name that
 * cannot be used, besides what opening a model throws.
 */
export async function chooseModel(
  { languageModels, config }: Pick<AskPorts, 'languageModels' | 'config'>,
  { model: name }: Pick<CheckedAsk, 'model'>,
): Promise<LanguageModel> {
  const { provider, model: configured } = config.models.llm;
  if (name === null || name === configured) return languageModels.get(provider);
  const model = await languageModels.named(provider, name).catch((error: unknown) => {
    if (!isKebabError(error, 'config_invalid') || error.details.key !== 'models.llm.model') throw error;
    throw invalidInput(error.details.cause, { field: 'model', value: name, hint: error.hint });
  });
  if (model.model.id === name) return model;
  throw invalidInput(`the provider ${provider} has a model of its own, ${model.model.id}, and cannot use ${name}`, {
    field: 'model',
    value: name,
    hint: 'ask without naming a model, or set models.llm.provider to one that can choose',
  });
}
