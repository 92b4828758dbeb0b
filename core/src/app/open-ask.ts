import type { AskOptions } from '../ask/ask-options.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { Answer } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

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

/** Asking, with searching as its way to evidence. */
export async function openAsk(
  ports: Pick<AppPorts, (typeof ASKING)[number]>,
): Promise<(request: AskRequest, options?: AskOptions) => Promise<Answer>> {
  const { askQuestion } = await import('../ask/ask-question.ts');
  const { retrieve } = await ports.searcher();
  return (request, options) => askQuestion({ ...ports, retrieve }, request, options);
}
