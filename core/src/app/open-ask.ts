import type { AskOptions } from '../ask/run/ask-sources.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { Answer } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';
import type { LivingIndex, RefreshOptions } from './living-index.ts';

/** The ports that asking is given. */
export const ASKING = [
  'searcher',
  'documents',
  'lexicalIndex',
  'sessions',
  'embedders',
  'languageModels',
  'groundednessCheckers',
  'interceptors',
  'hooks',
  'config',
  'clock',
  'log',
  'cwd',
  'randomBytes',
] as const;

/** Asking, with searching as its way to evidence; evidence from files that have changed is found again once these are taken in. */
export async function openAsk(
  ports: Pick<AppPorts, (typeof ASKING)[number]>,
  living?: LivingIndex,
): Promise<(request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer>> {
  const { askQuestion } = await import('../ask/ask-question.ts');
  const { retrieve } = await ports.searcher();
  return (request, options) =>
    askQuestion(
      {
        ...ports,
        retrieve: async (query, how) => {
          const found = await retrieve(query, how);
          const taken = (await living?.takeInShown(found.response.hits, options)) ?? null;
          return taken === null ? found : retrieve(query, how);
        },
      },
      request,
      options,
    );
}

/** Asking of an index that is brought up to date before; what is left is in the answer. */
export function askLiving(
  ask: (request: AskRequest, options?: AskOptions) => Promise<Answer>,
  living: LivingIndex,
): (request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer> {
  return async (request, options = {}) => {
    const index = await living.refresh(options);
    if (index === null) return ask(request, options);
    const { onEvent } = options;
    const answer = await ask(request, {
      ...options,
      onEvent: (event) => onEvent?.(event.kind === 'final' ? { ...event, answer: { ...event.answer, index } } : event),
    });
    return { ...answer, index };
  };
}
