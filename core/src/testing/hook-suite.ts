import assert from 'node:assert/strict';
import type { Hook } from '../contracts/hook.ts';
import { silentCallContext } from './call-context.ts';
import type { ContractSuite } from './contract-suite.ts';
import { sampleSubmit } from './sample-submit.ts';

/** What {@link hookSuite} needs. */
export interface HookSuiteOptions {
  readonly make: () => Hook | Promise<Hook>;
}

const QUESTIONS = ['What does @notes/a.md say?', 'plain words', '', '한국어 질문'];

/** The promises of a hook: it watches frozen copies, may stop a question with a reason, and adds nothing. */
export function hookSuite({ make }: HookSuiteOptions): ContractSuite {
  return {
    contract: 'Hook',
    cases: [
      {
        name: 'decides to continue or to cancel with a reason, and nothing else',
        run: async () => {
          const hook = await make();
          for (const text of QUESTIONS) {
            const decision = (await hook.onPromptSubmit?.(sampleSubmit(text), silentCallContext())) ?? {
              action: 'continue',
            };
            assert.ok(['continue', 'cancel'].includes(decision.action), `${decision.action} is a decision of a hook`);
            if (decision.action === 'cancel') assert.match(decision.reason, /\S/, 'a cancelled question says why');
            else assert.deepEqual(Object.keys(decision), ['action'], 'it adds nothing');
          }
        },
      },
      {
        name: 'watches frozen responses, answers and reports without an error',
        run: async () => {
          const hook = await make();
          hook.onRetrieved?.(Object.freeze({ schema_version: 'search_response.v1', hits: Object.freeze([]) }));
          hook.onAnswer?.(Object.freeze({ schema_version: 'answer.v1', answer: '', citations: Object.freeze([]) }));
          hook.onIngested?.(Object.freeze({ schema_version: 'ingest_report.v1', items: Object.freeze([]) }));
        },
      },
    ],
  };
}
