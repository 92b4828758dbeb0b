import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import { definePlugin } from '@kebab/core';
import type { BuiltinPlugin } from '@kebab/core/app';
import { ScriptedModel, type Script } from '@kebab/testing';
import { UserHome } from './user-home.ts';

const QUESTION = 'At how many degrees is green tea steeped?';
const GOOD = 'Green tea is steeped at "80 degrees" [#1].';
/** The home of a user with notes, in which several processes open kebab. */
function newHome() {
  const home = new UserHome();
  onTestFinished(() => home.remove());
  home.put({
    'tea.md': '# Tea\n\nGreen tea is steeped at 80 degrees for 3 minutes.\n\n# Storage\n\nKeep it dry.\n',
    'garden.md': '# Garden\n\nRoses are pruned in late winter.\n',
  });
  return {
    database: home.at('.local/share/kebab/kebab.sqlite'),
    open: (script: Script, { readonly = false } = {}) =>
      home.open(
        { KEBAB_MODELS_LLM_PROVIDER: 'scripted' },
        { builtins: [...builtins, scripted(script)], flags: { readonly } },
      ),
  };
}

function scripted(script: Script): BuiltinPlugin {
  const common = {
    name: 'scripted',
    version: '1.0.0',
    apiVersion: 1,
    permissions: { fs: 'none', net: [], spawn: [] },
  } as const;
  const plugin = definePlugin({
    ...common,
    kebab: '*',
    contributes: { llm: { scripted: () => new ScriptedModel(script) } },
  });
  return { manifest: { ...common, contributes: { llm: ['scripted'] } }, load: async () => ({ default: plugin }) };
}

function rowsOf(database: string, table: string): readonly Readonly<Record<string, unknown>>[] {
  const db = new Sqlite(database, { readonly: true });
  try {
    return db.prepare(`SELECT * FROM ${table}`).all() as Readonly<Record<string, unknown>>[];
  } finally {
    db.close();
  }
}

describe('asking on disk', () => {
  it('refuses without a database, and creates none', async () => {
    const home = newHome();
    const app = await home.open(GOOD);
    expect(await app.ask({ question: QUESTION, session: 's' })).toMatchObject({ refusal_reason: 'no_index' });
    expect(await app.listSessions()).toEqual([]);
    await expect(app.search({ text: 'x' })).rejects.toMatchObject({ code: 'not_indexed' });
  });

  it('continues a conversation in another process', async () => {
    const home = newHome();
    const first = await home.open(GOOD);
    await first.ingest();
    await first.ask({ question: QUESTION, session: 'tea' });
    await first.close();
    const second = await home.open(GOOD);
    expect(await second.ask({ question: 'How long is green tea steeped?', session: 'tea' })).toMatchObject({
      turn_index: 1,
    });
    expect(await second.listSessions()).toMatchObject([{ conversation_id: 'tea', title: QUESTION, turn_count: 2 }]);
    expect((await second.showSession('tea')).turns.map(({ question }) => question)).toEqual([
      QUESTION,
      'How long is green tea steeped?',
    ]);
    expect(await second.deleteSession('tea')).toMatchObject({ conversation_id: 'tea' });
    expect([rowsOf(home.database, 'chat_sessions'), rowsOf(home.database, 'chat_turns')]).toEqual([[], []]);
  });

  it('answers in read-only mode, records nothing, and refuses a session', async () => {
    const home = newHome();
    const writer = await home.open(GOOD);
    await writer.ingest();
    const app = await home.open(GOOD, { readonly: true });
    expect(await app.ask({ question: QUESTION })).toMatchObject({ grounded: true });
    await expect(app.ask({ question: QUESTION, session: 's' })).rejects.toMatchObject({
      code: 'readonly_mode',
      details: { command: 'ask --session' },
    });
    await expect(app.deleteSession('s')).rejects.toMatchObject({ code: 'readonly_mode' });
    expect([rowsOf(home.database, 'answers'), rowsOf(home.database, 'chat_sessions')]).toEqual([[], []]);
  });

  it('records while another process writes documents', async () => {
    const home = newHome();
    const app = await home.open(GOOD);
    await app.ingest();
    const answers = Promise.all([1, 2, 3].map(() => app.ask({ question: QUESTION })));
    const other = await home.open(GOOD);
    await Promise.all([other.ingest({ forceReingest: true }), answers]);
    expect(rowsOf(home.database, 'answers')).toHaveLength(3);
  });
});
