import { describe, it } from 'vitest';
import type { Hook } from '../../../core/src/contracts/hook.ts';
import type { Interception, Interceptor } from '../../../core/src/contracts/interceptor.ts';
import { hookSuite, interceptorSuite } from '../../src/interceptor-suite.ts';
import { expectAllCaught } from './mutants.ts';

let calls = 0;

describe('interceptorSuite', () => {
  it('detects every mutation', async () => {
    const deciding = (
      decide: (submit: Parameters<NonNullable<Interceptor['onPromptSubmit']>>[0]) => unknown,
    ): Interceptor => ({ onPromptSubmit: async (submit) => decide(submit) as Interception });
    await expectAllCaught<Interceptor>(
      (mutant) => interceptorSuite({ make: () => mutant ?? {} }),
      {
        'makes a decision that is not allowed': deciding(() => ({ action: 'stop' })),
        'cancels without a reason': deciding(() => ({ action: 'cancel', reason: '' })),
        'adds items without a role': deciding(() => ({ action: 'continueWith', items: [{ role: 'tool', text: 'x' }] })),
        'adds items without text': deciding(() => ({ action: 'continueWith', items: [{ role: 'system' }] })),
        'modifies its input': deciding((submit) => {
          (submit.segments as unknown[]).push({ kind: 'text', text: 'more' });
          return { action: 'continue' };
        }),
        'differs from call to call': deciding(() => ({
          action: 'continueWith',
          items: [{ role: 'system', text: `${calls++}` }],
        })),
        'fails on an empty question': deciding(({ userItem }) => {
          if (userItem.text === '') throw new RangeError('empty');
          return { action: 'continue' };
        }),
      },
      null,
    );
  });
});

describe('hookSuite', () => {
  it('detects every mutation', async () => {
    const deciding = (decision: object): Hook => ({
      onPromptSubmit: async () => decision as { readonly action: 'continue' },
    });
    await expectAllCaught<Hook>(
      (mutant) => hookSuite({ make: () => mutant ?? {} }),
      {
        'adds items': deciding({ action: 'continueWith', items: [] }),
        'adds to a continue': deciding({ action: 'continue', items: [] }),
        'cancels without a reason': deciding({ action: 'cancel', reason: ' ' }),
        'modifies a response': {
          onRetrieved: (response) => void (response as { hits: unknown[] }).hits.push(1),
        },
        'modifies an answer': { onAnswer: (answer) => void ((answer as { answer: string }).answer = 'no') },
        'expects an answer to have citations': {
          onAnswer: (answer) => void (answer as { citations: [{ marker: string }] }).citations[0].marker.length,
        },
        'expects every hit to be a page': {
          onRetrieved: (response) => {
            for (const { citation } of (response as { hits: { citation: { page: number } }[] }).hits)
              citation.page.toFixed();
          },
        },
        'fails on a report': {
          onIngested: () => {
            throw new Error('no luck');
          },
        },
      },
      null,
    );
  });
});
