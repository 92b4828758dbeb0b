import { parseAskRequest, type AnswerEvent } from '@kebab/core/app';
import type { CallContext } from '../protocol/surface.ts';
import type { KebabTool } from './kebab-tool.ts';
import { FILTER_PARAMETERS, LONGEST_QUERY } from './parameter.ts';

/** `ask`: an answer with checked citations, or a refusal. */
export const ask: KebabTool = {
  name: 'ask',
  title: 'Ask the knowledge base',
  description:
    'Lets the user’s own language model answer a question from the knowledge base, with checked citations. grounded false is a refusal: refusal_reason says why, citations name what came closest. search and fetch are faster; use ask when the user wants this answer.',
  parameters: [
    {
      name: 'query',
      type: 'string',
      required: true,
      maximum: LONGEST_QUERY,
      description: 'The question, in any language. @path or @"path with spaces" adds a file of the knowledge base.',
    },
    {
      name: 'mode',
      type: 'string',
      allowed: ['lexical', 'vector', 'hybrid'],
      description: 'How to look: by words, by meaning, or both. Default hybrid; what cannot run is named in degraded.',
    },
    { name: 'k', type: 'integer', minimum: 1, maximum: 100, description: 'Passages to retrieve, 1 to 100.' },
    {
      name: 'multi_hop',
      type: 'boolean',
      description: 'Takes the question apart into several searches. Slower; for questions that join several facts.',
    },
    {
      name: 'session',
      type: 'string',
      description: 'Name of a conversation to begin or go on with: letters, digits, dots, dashes, underscores.',
    },
    {
      name: 'explain',
      type: 'boolean',
      description: 'Adds what backs each sentence, and how the passages were found.',
    },
    ...FILTER_PARAMETERS,
  ],
  output: 'answer',
  writes: false,
  run(args, { app, signal, progress }) {
    return app.ask(parseAskRequest(args), { signal, onEvent: askProgress(progress) });
  },
};

/** Tells when the passages are found, and then how many pieces the model has written. */
function askProgress(report: CallContext['progress']): (event: AnswerEvent) => void {
  let done = 0;
  return (event) => {
    if (event.kind === 'final') return;
    done++;
    const message = event.kind === 'token' ? 'writing' : `${event.hits.length} passages found`;
    report({ done, message });
  };
}
