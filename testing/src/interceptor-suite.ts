import assert from 'node:assert/strict';
import { type Interceptor, isAbort, isKebabError, type Hook } from '@kebab/core';
import { type Interception, type PromptSubmit, deepFreeze } from '@kebab/core/suites';
import { casesOn, silentCallContext, type ContractSuite } from './contract-suite.ts';
import { ANSWERS, REPORTS, RESPONSES } from './sample-outputs.ts';

/** Options of {@link interceptorSuite}. */
export interface InterceptorSuiteOptions {
  readonly make: () => Interceptor | Promise<Interceptor>;
}

const QUESTIONS = ['What does @notes/a.md say?', 'plain words', '', '한국어 질문', 'x '.repeat(20_000)];

/** The contract suite of an interceptor: it makes an allowed decision, on frozen questions, deterministically. */
export function interceptorSuite({ make }: InterceptorSuiteOptions): ContractSuite {
  const promise = casesOn(make);
  const decide = async (interceptor: Interceptor, text: string, signal?: AbortSignal): Promise<Interception> =>
    (await interceptor.onPromptSubmit?.(sampleSubmit(text), silentCallContext(signal))) ?? { action: 'continue' };
  return {
    contract: 'Interceptor',
    cases: [
      promise(
        'decides to continue, to cancel with a reason, or to continue with items in chat roles',
        async (interceptor) => {
          for (const text of QUESTIONS) assertDecision(await decide(interceptor, text));
        },
      ),
      promise('decides deterministically', async (interceptor) => {
        const other = await make();
        for (const text of QUESTIONS) assert.deepEqual(await decide(interceptor, text), await decide(other, text));
      }),
      promise('settles when the signal has fired', async (interceptor) => {
        await decide(interceptor, 'plain words', AbortSignal.abort()).then(assertDecision, (error: unknown) => {
          if (!isAbort(error) && !isKebabError(error)) throw error;
        });
      }),
    ],
  };
}

function assertDecision(decision: Interception): void {
  switch (decision.action) {
    case 'continue':
      return;
    case 'cancel':
      return assert.match(decision.reason, /\S/, 'a cancelled question has a reason');
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

/** A question with text and a file reference, deeply frozen, as interceptors and hooks receive it. */
export function sampleSubmit(text = 'What does @notes/a.md say?'): PromptSubmit {
  const at = text.indexOf('@');
  const segments: PromptSubmit['segments'] =
    at === -1
      ? [{ kind: 'text', text }]
      : [
          { kind: 'text', text: text.slice(0, at) },
          { kind: 'file_ref', path: 'notes/a.md', raw: '@notes/a.md' },
          { kind: 'text', text: ' say?' },
        ];
  return deepFreeze({ segments, userItem: { role: 'user', text }, sessionId: null });
}

/** Options of {@link hookSuite}. */
export interface HookSuiteOptions {
  readonly make: () => Hook | Promise<Hook>;
}

const HOOK_QUESTIONS = ['What does @notes/a.md say?', 'plain words', '', '한국어 질문'];

/** The contract suite of a hook: it observes frozen copies, may stop a question with a reason, and adds nothing. */
export function hookSuite({ make }: HookSuiteOptions): ContractSuite {
  const promise = casesOn(make);
  return {
    contract: 'Hook',
    cases: [
      promise('decides to continue or to cancel with a reason, and nothing else', async (hook) => {
        for (const text of HOOK_QUESTIONS) {
          const decision = await hook.onPromptSubmit?.(sampleSubmit(text), silentCallContext());
          if (decision === undefined) continue;
          assert.ok(['continue', 'cancel'].includes(decision.action), `${decision.action} is a decision of a hook`);
          if (decision.action === 'cancel') assert.match(decision.reason, /\S/, 'a cancelled question has a reason');
          else assert.deepEqual(Object.keys(decision), ['action'], 'it adds nothing');
        }
      }),
      promise('observes frozen responses, answers and reports without an error', (hook) => {
        for (const response of RESPONSES) hook.onRetrieved?.(deepFreeze(response));
        for (const answer of ANSWERS) hook.onAnswer?.(deepFreeze(answer));
        for (const report of REPORTS) hook.onIngested?.(deepFreeze(report));
      }),
    ],
  };
}
