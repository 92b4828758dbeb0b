import type { DoctorContext } from './doctor-context.ts';
import { checkOf, fine, unavailable } from './outcome.ts';

/** Whether what answers questions can be used. */
export const checkLlm = checkOf(
  (context) => (isOllama(context) ? 'ollama_reachable' : 'llm_reachable'),
  async (context) => {
    const { provider, endpoint } = context.resolution.config.models.llm;
    if (!isProvided(context)) return unavailable(context, 'models.llm.provider', provider);
    await context.components.get('llm', provider);
    return fine(isOllama(context) ? endpoint : provider);
  },
);

/** Which model answers questions. */
export const checkLlmModel = checkOf(
  (context) => (isOllama(context) ? 'ollama_model_pulled' : 'llm_model'),
  async (context) => {
    const { provider } = context.resolution.config.models.llm;
    if (!isProvided(context)) return unavailable(context, 'models.llm.provider', provider);
    const { model } = await context.components.get('llm', provider);
    return fine(model.id);
  },
);

function isOllama({ resolution }: DoctorContext): boolean {
  return resolution.config.models.llm.provider === 'ollama';
}

function isProvided({ resolution, components }: DoctorContext): boolean {
  return components.list('llm').some(({ id }) => id === resolution.config.models.llm.provider);
}
