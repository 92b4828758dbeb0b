import assert from 'node:assert/strict';
import type { Interception, Interceptor } from '../contracts/interceptor.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { silentCallContext } from './call-context.ts';
import type { ContractSuite } from './contract-suite.ts';
import { sampleSubmit } from './sample-submit.ts';

/** What {@link interceptorSuite} needs. */
export interface InterceptorSuiteOptions {
  readonly make: () => Interceptor | Promise<Interceptor>;
}

const QUESTIONS = ['What does @notes/a.md say?', 'plain words', '', '한국어 질문', 'x '.repeat(20_000)];

/** The promises of an interceptor: a decision it may make, on frozen questions, the same every time. */
export function interceptorSuite({ make }: InterceptorSuiteOptions): ContractSuite {
  const decide = async (text: string, signal?: AbortSignal): Promise<Interception> =>
    (await (await make()).onPromptSubmit?.(sampleSubmit(text), silentCallContext(signal))) ?? { action: 'continue' };
  return {
    contract: 'Interceptor',
    cases: [
      {
        name: 'decides to continue, to cancel with a reason, or to continue with items in chat roles',
        run: async () => {
          for (const text of QUESTIONS) assertDecision(await decide(text));
        },
      },
      {
        name: 'decides the same every time',
        run: async () => {
          for (const text of QUESTIONS) assert.deepEqual(await decide(text), await decide(text));
        },
      },
      {
        name: 'settles when the signal has fired',
        run: async () => {
          await decide('plain words', AbortSignal.abort()).then(assertDecision, (error: unknown) => {
            if (!isAbort(error) && !isKebabError(error)) throw error;
          });
        },
      },
    ],
  };
}

function assertDecision(decision: Interception): void {
  switch (decision.action) {
    case 'continue':
      return;
    case 'cancel':
      return assert.match(decision.reason, /\S/, 'a cancelled question says why');
    case 'continueWith':
      for (const { role, text } of decision.items) {
        assert.ok(['user', 'system', 'assistant'].includes(role), `${role} is a role`);
        assert.equal(typeof text, 'string');
      }
      return;
    default:
      assert.fail(`it decided ${JSON.stringify(decision satisfies never)}`);
  }
}
