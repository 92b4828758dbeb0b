import type { AskOptions } from '../ask/run/ask-sources.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { Answer } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';
import type { IndexRefresher, RefreshOptions } from './index-refresher.ts';

/** The ports of asking. */
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
  'mayRead',
] as const;

/** Opens asking, with search as the source of evidence. */
export async function openAsk(
  ports: Pick<AppPorts, (typeof ASKING)[number]>,
): Promise<(request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer>> {
  const { askQuestion } = await import('../ask/ask-question.ts');
  const { retrieve } = await ports.searcher();
  return (request, options) => askQuestion({ ...ports, retrieve }, request, options);
}

/** Wraps asking so that the index is brought up to date first; what is left is reported in the answer. */
export function askRefreshed(
  ask: (request: AskRequest, options?: AskOptions) => Promise<Answer>,
  refresher: IndexRefresher,
): (request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer> {
  return async (request, options = {}) => {
    const index = await refresher.refresh(options);
    if (index === null) return ask(request, options);
    const { onEvent } = options;
    const answer = await ask(request, {
      ...options,
      onEvent: (event) => onEvent?.(event.kind === 'final' ? { ...event, answer: { ...event.answer, index } } : event),
    });
    return { ...answer, index };
  };
}
