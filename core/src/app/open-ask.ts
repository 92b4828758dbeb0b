import type { AskOptions } from '../ask/ask-options.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { Answer } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

/** The ports that asking is given. */
export const ASKING = ['searcher', 'components', 'config', 'clock', 'log', 'cwd', 'randomBytes'] as const;

/** Asking, with searching as its way to evidence. */
export async function openAsk(
  ports: Pick<AppPorts, (typeof ASKING)[number]>,
): Promise<(request: AskRequest, options?: AskOptions) => Promise<Answer>> {
  const { searcher, components, config, clock, log, cwd, randomBytes } = ports;
  const { AskQuestion } = await import('../ask/ask-question.ts');
  const search = await searcher();
  const retrieve = search.retrieve.bind(search);
  const asking = new AskQuestion(retrieve, components, config, { clock, log, cwd, randomBytes });
  return (request, options) => asking.ask(request, options);
}
