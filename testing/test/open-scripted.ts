import { setTimeout as sleep } from 'node:timers/promises';
import { KebabError } from '../../core/src/errors/kebab-error.ts';
import { ENDLESS, suiteReply, type OpenLanguageModel } from '../src/language-model-suite.ts';
import { ScriptedModel, type Script } from '../src/fake-models.ts';

/** Answers the prompts of the suite. */
export const SUITE_SCRIPT: Script = ({ messages }) => suiteReply(messages.at(-1)?.text ?? '');

const ERRORS = {
  unreachable: new KebabError('model_unreachable', 'nobody is there', {
    details: { endpoint: 'nowhere', model: 'scripted', cause: 'nobody is there' },
  }),
  missing: new KebabError('model_not_pulled', 'it has no such model', {
    details: { model: 'scripted', provider: 'fake' },
  }),
  impatient: new KebabError('timeout', 'that took too long', { details: { operation: 'generate', after_ms: 1 } }),
} as const;

const failing = (error: Error, after = 0): ScriptedModel =>
  new ScriptedModel([{ text: 'this breaks off', fails: { after, error } }]);

/** A scripted model, or another one, with every condition arranged for the suite of language models. */
export function openScripted(model = new ScriptedModel(SUITE_SCRIPT)): OpenLanguageModel {
  return {
    model,
    unreachable: () => failing(ERRORS.unreachable),
    missing: () => failing(ERRORS.missing),
    impatient: () => failing(ERRORS.impatient),
    breaking: () => failing(new Error('the line went dead'), 1),
    endless: () => {
      const going = new ScriptedModel([{ text: ENDLESS, delayMs: 1 }]);
      return { model: going, stopped: () => stopped(going) };
    },
  };
}

async function stopped(model: ScriptedModel): Promise<void> {
  while (model.running > 0) await sleep(1);
}
