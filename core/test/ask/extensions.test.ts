import { describe, expect, it } from 'vitest';
import type { Hook } from '../../src/contracts/hook.ts';
import type { Interceptor } from '../../src/contracts/interceptor.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { teaWorld } from './ask-world.ts';

const open = openForTests();
const QUESTION = 'At how many degrees is green tea steeped?';
const GOOD = 'Green tea is steeped at "80 degrees" [#1].';

describe('interceptors of plugins', () => {
  it('add items after the files of the question, and the session keeps them', async () => {
    const seen: unknown[] = [];
    const adds = (text: string): Interceptor => ({
      onPromptSubmit: async (submit) => {
        seen.push(submit);
        return { action: 'continueWith', items: [{ role: 'system', text }] };
      },
    });
    const world = await teaWorld(open, GOOD, { contributions: { interceptor: { a: adds('one'), b: adds('two') } } });
    await world.ask(`${QUESTION} @garden.md`, { session: 's' });
    const roles = (await world.sessions.listTurns('s'))[0]?.items.map(({ role, text }) => [role, text.split('\n')[0]]);
    expect(roles).toEqual([
      ['user', `${QUESTION} @garden.md`],
      ['system', '[File: garden.md]'],
      ['system', 'one'],
      ['system', 'two'],
      ['assistant', 'Green tea is steeped at "80 degrees" [2].'],
    ]);
    expect(world.model.requests[0]?.messages.at(-1)?.text).toMatch(/>>>\n\none\n\ntwo\n\nAnswer the question: /);
    expect(seen[0]).toMatchObject({
      sessionId: 's',
      segments: [{ kind: 'text' }, { kind: 'file_ref', path: 'garden.md' }],
    });
  });

  it('fail the question when they throw', async () => {
    const broken: Interceptor = { onPromptSubmit: () => Promise.reject(new Error('broken')) };
    const world = await teaWorld(open, GOOD, { contributions: { interceptor: { broken } } });
    await expect(world.ask(QUESTION)).rejects.toMatchObject({ code: 'plugin_failed' });
    expect(world.model.requests).toEqual([]);
  });
});

describe('hooks of plugins', () => {
  it('stop a question: nothing is persisted, no model is called', async () => {
    const hook: Hook = { onPromptSubmit: async () => ({ action: 'cancel', reason: 'not on Sundays' }) };
    const world = await teaWorld(open, GOOD, { contributions: { hook: { hook } } });
    await expect(world.ask(QUESTION, { session: 's' })).rejects.toMatchObject({
      code: 'cancelled',
      details: { operation: 'ask', reason: 'not on Sundays' },
    });
    expect([
      world.model.requests,
      world.events,
      await world.kb.store.answers.latest(1),
      await world.sessions.listSessions(),
    ]).toEqual([[], [], [], []]);
  });

  it('see frozen copies of what was retrieved and answered, and their failures are ignored', async () => {
    const seen: unknown[] = [];
    const hook: Hook = {
      onRetrieved: (response) => void seen.push(response),
      onAnswer: (answer) => {
        seen.push(answer);
        throw new Error('broken');
      },
    };
    const world = await teaWorld(open, GOOD, { contributions: { hook: { hook } } });
    const answer = await world.ask(QUESTION);
    expect(seen).toMatchObject([{ schema_version: 'search_response.v1' }, { schema_version: 'answer.v1' }]);
    expect(seen[1]).toEqual(answer);
    expect(seen[1]).not.toBe(answer);
    expect([Object.isFrozen(seen[1]), Object.isFrozen(answer)]).toEqual([true, false]);
    expect(world.events.at(-1)?.kind).toBe('final');
  });
});
