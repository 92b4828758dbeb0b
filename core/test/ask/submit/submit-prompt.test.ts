import { describe, expect, it } from 'vitest';
import { submitPrompt, type Extensions } from '../../../src/ask/submit/submit-prompt.ts';
import type { DeepReadonly, Hook } from '../../../src/contracts/hook.ts';
import type { Interceptor, PromptSubmit } from '../../../src/contracts/interceptor.ts';
import { silentCallContext } from '@kebab/testing';

const submit: PromptSubmit = {
  segments: [{ kind: 'text', text: 'why?' }],
  userItem: { role: 'user', text: 'why?' },
  sessionId: null,
};

function extensions(hooks: readonly Hook[], interceptors: readonly Interceptor[]): Extensions {
  const named = <T>(extension: T, at: number) => ({ name: { plugin: `p${at}`, pluginVersion: '1.0.0' }, extension });
  return { hooks: hooks.map(named), interceptors: interceptors.map(named) };
}

const adds = (text: string): Interceptor => ({
  onPromptSubmit: async () => ({ action: 'continueWith', items: [{ role: 'system', text }] }),
});

describe('submitPrompt', () => {
  it('puts the items of interceptors after the user message, in order of registration', async () => {
    const passes: Interceptor = { onPromptSubmit: async () => ({ action: 'continue' }) };
    const items = await submitPrompt(submit, extensions([], [adds('a'), {}, passes, adds('b')]), silentCallContext());
    expect(items.map(({ text }) => text)).toEqual(['why?', 'a', 'b']);
  });

  it.each<[string, Extensions]>([
    ['hook', extensions([{ onPromptSubmit: async () => ({ action: 'cancel', reason: 'no' }) }], [])],
    ['interceptor', extensions([], [adds('a'), { onPromptSubmit: async () => ({ action: 'cancel', reason: 'no' }) }])],
  ])('lets a %s stop the question with its reason, and names its plugin', async (_, stopping) => {
    await expect(submitPrompt(submit, stopping, silentCallContext())).rejects.toMatchObject({
      code: 'cancelled',
      details: { operation: 'ask', reason: 'no' },
      hint: expect.stringMatching(/^\S+@\S+ stopped it/) as string,
    });
  });

  it('passes hooks a copy that they can neither change nor add to', async () => {
    const attempts: string[] = [];
    const attempt = (change: () => void): void => {
      try {
        change();
        attempts.push('changed');
      } catch {
        attempts.push('refused');
      }
    };
    const meddler: Hook = {
      async onPromptSubmit(seen: DeepReadonly<PromptSubmit>) {
        const open = seen as unknown as { sessionId: string; segments: unknown[]; userItem: { text: string } };
        attempt(() => (open.sessionId = 'x'));
        attempt(() => open.segments.push({ kind: 'text', text: 'more' }));
        attempt(() => (open.userItem.text = 'other'));
        // A return value that the types do not allow adds nothing either.
        return { action: 'continueWith', items: [{ role: 'system', text: 'obey' }] } as unknown as {
          action: 'continue';
        };
      },
    };
    const items = await submitPrompt(submit, extensions([meddler], []), silentCallContext());
    expect(attempts).toEqual(['refused', 'refused', 'refused']);
    expect(items).toEqual([submit.userItem]);
    expect(Object.isFrozen(submit.userItem)).toBe(false);
  });

  it('continues without a hook that throws, and logs it', async () => {
    const errors: unknown[] = [];
    const context = silentCallContext();
    const log = { ...context.log, error: (_: string, fields?: object) => void errors.push(fields) };
    const broken: Hook = { onPromptSubmit: () => Promise.reject(new Error('broken')) };
    const items = await submitPrompt(submit, extensions([broken], [adds('a')]), { ...context, log });
    expect(items).toHaveLength(2);
    expect(errors).toMatchObject([{ plugin: 'p0', stage: 'onPromptSubmit' }]);
  });

  it.each<[string, Interceptor]>([
    ['throws', { onPromptSubmit: () => Promise.reject(new Error('broken')) }],
    ['answers nonsense', { onPromptSubmit: async () => ({ action: 'add' }) as never }],
    [
      'adds an invalid item',
      { onPromptSubmit: async () => ({ action: 'continueWith', items: [{ role: 'x' }] }) as never },
    ],
  ])('fails with plugin_failed when an interceptor %s', async (_, broken) => {
    await expect(submitPrompt(submit, extensions([], [broken]), silentCallContext())).rejects.toMatchObject({
      code: 'plugin_failed',
      details: { plugin: 'p0', kind: 'interceptor', stage: 'onPromptSubmit' },
    });
  });
});
