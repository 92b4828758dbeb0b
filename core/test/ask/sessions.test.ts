import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/wire/index.ts';
import { parseWire } from '../wire/parse-wire.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { addTea, askWorld, teaWorld } from './ask-world.ts';

const open = openForTests();
const QUESTION = 'At how many degrees is green tea steeped?';
const GOOD = 'Green tea is steeped at "80 degrees" [#1].';

describe('a conversation', () => {
  it('counts its turns, and keeps each completely', async () => {
    const world = await teaWorld(open, GOOD);
    const first = await world.ask(QUESTION, { session: 'tea' });
    const second = await world.ask('And black tea @tea/black.md', { session: 'tea' });
    expect([first.conversation_id, first.turn_index, second.turn_index]).toEqual(['tea', 0, 1]);
    const turns = await world.sessions.listTurns('tea');
    expect(turns.map(({ question, answer }) => [question, answer])).toEqual([
      [QUESTION, first.answer],
      ['And black tea @tea/black.md', second.answer],
    ]);
    expect(turns[1]?.items).toEqual([
      { role: 'user', text: 'And black tea @tea/black.md' },
      {
        role: 'system',
        text: '[File: tea/black.md]\n# Black tea\n\nBlack tea takes boiling water.\nIt steeps for five minutes.\n',
      },
      expect.objectContaining({ role: 'assistant', text: second.answer }),
    ]);
    expect(JSON.parse(turns[0]?.citationsJson ?? '')).toEqual(first.citations);
  });

  it('is named after its first question, with the settings at that time', async () => {
    const world = await teaWorld(open, GOOD);
    await world.ask(`${QUESTION}\n${'really '.repeat(30)}`, { session: 'tea' });
    const session = await world.sessions.getSession('tea');
    expect(session?.title).toHaveLength(80);
    expect(session?.title?.startsWith(QUESTION)).toBe(true);
    expect(JSON.parse(session?.configSnapshotJson ?? '')).toEqual({
      prompt_template_version: 'rag-v3',
      model: { id: 'scripted', provider: 'fake' },
      max_context_tokens: 8000,
    });
  });

  it('passes earlier turns to the model, without the markers of old answers', async () => {
    const world = await teaWorld(open, GOOD);
    await world.ask(QUESTION, { session: 'tea' });
    await world.ask('How long is green tea steeped?', { session: 'tea' });
    const messages = world.model.requests[1]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[2]?.text).toBe('Green tea is steeped at "80 degrees".');
  });

  it('searches for a follow-up with the beginning of the previous answer, treating quotes and minus signs as words', async () => {
    const world = await teaWorld(open, 'Roses -are "pruned in late winter" [#1].', {
      env: { KEBAB_RAG_HISTORY_EXPAND_CHARS: '26' },
    });
    await world.ask('When are roses pruned?', { session: 's' });
    const followUp = await world.ask('And why?', { session: 's', explain: true });
    expect(followUp.explain?.trace.query).toEqual({
      terms: ['and', 'why', 'roses', 'are', 'pruned', 'in', 'late'],
      phrases: [],
      excluded: [],
    });
    expect((await world.ask('And why?')).refusal_reason).toBe('no_chunks');
  });

  it('does not expand with a refusal', async () => {
    const world = await teaWorld(open, '[[NO_EVIDENCE]]');
    const refused = await world.ask(QUESTION, { session: 's' });
    const next = await world.ask('winter roses?', { session: 's', explain: true });
    expect(refused).toMatchObject({ grounded: false, turn_index: 0 });
    expect(next.explain?.trace.query.terms).toEqual(['winter', 'roses']);
    expect(next.turn_index).toBe(1);
  });

  it('keeps the findings of an answer, and does not expand with an answer that failed', async () => {
    const world = await teaWorld(open, 'Green tea costs 99 euros [#1].');
    const answer = await world.ask(QUESTION, { session: 's' });
    expect(answer).toMatchObject({ grounded: false, refusal_reason: 'unverified', citations: [{ marker: '[1]' }] });
    const shown = await world.chats.show('s');
    parseWire('session_turns', shown);
    expect(shown.turns[0]).toMatchObject({
      grounded: false,
      refusal_reason: 'unverified',
      unsupported: answer.unsupported,
      checks: answer.checks,
    });
    const next = await world.ask('winter roses?', { session: 's', explain: true });
    expect(next.explain?.trace.query.terms).toEqual(['winter', 'roses']);
    expect(world.model.requests[1]?.messages.every((message) => Object.keys(message).length === 2)).toBe(true);
  });

  it('keeps that an answer was interrupted after its first citation', async () => {
    const stop = new AbortController();
    const world = await teaWorld(open, `${GOOD} It cools for an hour.`);
    const onEvent = (event: AnswerEvent): void => {
      if (event.kind === 'token' && event.delta.includes(']')) stop.abort();
    };
    const answer = await world.ask(QUESTION, { session: 's' }, { signal: stop.signal, onEvent });
    expect(answer).toMatchObject({ refusal_reason: 'llm_stream_aborted', citations: [{ marker: '[1]' }] });
    const [turn] = (await world.chats.show('s')).turns;
    expect([turn?.grounded, turn?.refusal_reason]).toEqual([false, 'llm_stream_aborted']);
  });

  it('stores an answer behind a turn that another writer has added meanwhile', async () => {
    const mine = {
      sessionId: 's',
      title: null,
      configSnapshotJson: '{}',
      createdAt: new Date(0),
      updatedAt: new Date(0),
    };
    const race = await askWorld(open, async () => {
      await race.sessions.createSession(mine);
      const turn = { question: 'q', answer: 'a', citationsJson: '[]', items: [], createdAt: race.kb.now };
      await race.sessions.appendTurn('s', turn, 0);
      return GOOD;
    });
    await addTea(race.kb);
    expect(await race.ask(QUESTION, { session: 's' })).toMatchObject({ grounded: true, turn_index: 1 });
    expect((await race.sessions.listTurns('s')).map(({ question }) => question)).toEqual(['q', QUESTION]);
  });

  it('is not started by a question without a name', async () => {
    const world = await teaWorld(open, GOOD);
    await world.ask(QUESTION);
    expect(await world.chats.list()).toEqual([]);
  });

  it('can be listed, shown and removed', async () => {
    const world = await teaWorld(open, GOOD);
    await world.ask(QUESTION, { session: 'old' });
    world.kb.now = new Date('2026-01-03T00:00:00Z');
    const answer = await world.ask(QUESTION, { session: 'new' });
    expect((await world.chats.list()).map((each) => [each.conversation_id, each.turn_count])).toEqual([
      ['new', 1],
      ['old', 1],
    ]);
    expect((await world.chats.show('new')).turns).toEqual([
      {
        turn_index: 0,
        question: QUESTION,
        answer: answer.answer,
        grounded: true,
        refusal_reason: null,
        citations: answer.citations,
        unsupported: [],
        checks: answer.checks,
        created_at: '2026-01-03T00:00:00.000Z',
      },
    ]);
    expect(await world.chats.remove('old')).toMatchObject({ conversation_id: 'old', turn_count: 1 });
    for (const act of ['show', 'remove'] as const)
      await expect(world.chats[act]('ne')).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'session', value: 'ne', suggestion: 'new' },
      });
    expect(await world.sessions.getSession('old')).toBeNull();
  });
});
