import type { FlagSpec } from './command-spec.ts';
import { FILTER_FLAGS } from './filter-flags.ts';
import { MODE } from './search-flags.ts';

/** The flags that are keys of a question, as the tool for agents takes them too. */
export const ASK_FLAGS: readonly FlagSpec[] = [
  { name: 'k', short: 'k', kind: 'integer', value: 'N', summary: 'how many passages to retrieve, 1 to 100' },
  MODE,
  ...FILTER_FLAGS,
  { name: 'explain', kind: 'boolean', summary: 'show what backs each sentence, and how it was found' },
  { name: 'temperature', kind: 'number', value: 'X', summary: 'randomness of the model, 0 to 2' },
  { name: 'seed', kind: 'integer', value: 'N', summary: 'seed of that randomness' },
  { name: 'multi-hop', kind: 'boolean', summary: 'take the question apart into several searches' },
  { name: 'session', kind: 'string', value: 'NAME', summary: 'begin or go on with this conversation' },
];

/** Prints events instead of a screen. */
export const STREAM: FlagSpec = {
  name: 'stream',
  kind: 'boolean',
  summary: 'print answer_event.v1, a JSON object a line',
};
