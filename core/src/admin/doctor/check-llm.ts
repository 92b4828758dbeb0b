import type { LanguageModel } from '../../contracts/language-model.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { DoctorContext } from './doctor-context.ts';
import { checkOf, fine, unavailable } from './outcome.ts';

/** Whether what answers questions can be used. */
export const checkLlm = checkOf(
  (context) => (isOllama(context) ? 'ollama_reachable' : 'llm_reachable'),
  async (context) => {
    const { provider, endpoint } = context.resolution.config.models.llm;
    if (!isProvided(context)) return unavailable(context, 'models.llm.provider', provider);
    await probed(context).catch((error: unknown) => {
      if (!isKebabError(error, 'model_not_pulled')) throw error; // something answered: what it lacks is told below
    });
    return fine(endpoint);
  },
);

/** Which model answers questions. */
export const checkLlmModel = checkOf(
  (context) => (isOllama(context) ? 'ollama_model_pulled' : 'llm_model'),
  async (context) => {
    const { provider } = context.resolution.config.models.llm;
    if (!isProvided(context)) return unavailable(context, 'models.llm.provider', provider);
    return fine((await probed(context)).model.id);
  },
);

async function probed({ resolution, ports }: DoctorContext): Promise<LanguageModel> {
  const model = await ports.languageModels.get(resolution.config.models.llm.provider);
  await model.probe?.();
  return model;
}

function isOllama({ resolution }: DoctorContext): boolean {
  return resolution.config.models.llm.provider === 'ollama';
}

function isProvided({ resolution, ports }: DoctorContext): boolean {
  return ports.languageModels.names().some(({ id }) => id === resolution.config.models.llm.provider);
}
