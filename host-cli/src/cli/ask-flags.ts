import { ASK, flagsOf } from '@kebab/core/app';
import type { FlagSpec } from './command-spec.ts';

/** The flags that are keys of a question, as the tool for agents takes them too. */
export const ASK_FLAGS = flagsOf(ASK);

/** Prints events instead of a screen. */
export const STREAM: FlagSpec = {
  name: 'stream',
  kind: 'boolean',
  summary: 'print answer_event.v1, a JSON object a line',
};
