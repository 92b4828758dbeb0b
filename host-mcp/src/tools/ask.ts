import { ASK_TOOL, parseAskRequest, type AskOptions, type Fields } from '@kebab/core/app';
import type { CallContext } from '../protocol/surface.ts';
import type { KebabTool } from './tool.ts';

const { query: QUERY, ...OTHERS } = ASK_TOOL;
const INPUT = {
  question: { ...QUERY, synonyms: ['query', 'q', 'prompt', 'text'] },
  ...OTHERS,
} as const satisfies Fields;

/** `ask`: an answer with checked citations, or a refusal. */
export const ask: KebabTool<typeof INPUT> = {
  name: 'ask',
  operation: 'ask',
  title: 'Ask the knowledge base',
  description:
    'Answers a question with the user’s own language model, citing and checked. grounded false is a refusal, or an answer that failed its checks (checks.findings). search and fetch are faster.',
  input: INPUT,
  outputs: ['answer'],
  records: true,
  run({ question: query, ...args }, { app, signal, progress }) {
    return app.ask(parseAskRequest({ ...args, query }), { signal, ...askProgress(progress) });
  },
};

/** Reports the passages once they are found, the model being waited for, then each piece of the answer. */
function askProgress(report: CallContext['progress']): Required<Pick<AskOptions, 'onEvent' | 'onStage'>> {
  let done = 0;
  const next = (message: string): void => report({ done: ++done, message });
  return {
    onEvent: (event) => {
      if (event.kind === 'retrieval_done') next(`${event.hits.length} passages found`);
      if (event.kind === 'token') next('writing');
    },
    onStage: (stage) => {
      if (stage.kind === 'waiting') next(`waiting for ${stage.model}`);
    },
  };
}
