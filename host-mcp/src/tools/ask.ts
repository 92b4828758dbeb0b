import { ASK_TOOL, parseAskRequest, type AnswerEvent } from '@kebab/core/app';
import type { CallContext } from '../protocol/surface.ts';
import type { KebabTool } from './tool.ts';

/** `ask`: an answer with checked citations, or a refusal. */
export const ask: KebabTool<typeof ASK_TOOL> = {
  name: 'ask',
  title: 'Ask the knowledge base',
  description:
    'Lets the user’s own language model answer a question from the knowledge base, with checked citations. grounded false is a refusal, or an answer that did not pass its checks (refusal_reason unverified): checks.findings says where; a refusal’s citations name what came closest. search and fetch are faster; use ask when the user wants this answer.',
  input: ASK_TOOL,
  output: 'answer',
  writes: false,
  run(args, { app, signal, progress }) {
    return app.ask(parseAskRequest(args), { signal, onEvent: askProgress(progress) });
  },
};

/** Reports the passages once they are found, then each piece that the model writes. */
function askProgress(report: CallContext['progress']): (event: AnswerEvent) => void {
  let done = 0;
  return (event) => {
    if (event.kind === 'final') return;
    done++;
    const message = event.kind === 'token' ? 'writing' : `${event.hits.length} passages found`;
    report({ done, message });
  };
}
