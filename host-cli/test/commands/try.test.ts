import { describe, expect, it } from 'vitest';
import { lexicalHit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab try', () => {
  it('searches a folder without opening the App of the user', async () => {
    const asked: unknown[] = [];
    const outcome = await runCommand(['try', 'notes', 'two', 'words', '-k', '3', '--mode', 'lexical', '--json'], {
      tryFolder: async ({ folder, question, k, mode }) => {
        asked.push({ folder, question, k, mode });
        return responseOf([lexicalHit]);
      },
    });
    expect([outcome.code, outcome.opened.length, outcome.stdout.json.length]).toEqual([0, 0, 1]);
    expect(asked).toEqual([{ folder: '/work-folder/notes', question: 'two words', k: 3, mode: 'lexical' }]);
  });

  it('shows hits like a search', async () => {
    const found = await runCommand(['try', 'notes', 'x'], { tryFolder: async () => responseOf([lexicalHit]) });
    expect(found.stdout.text).toMatch(/^1\. 12\.40 {2}notes[\s\S]*1 hit {2}lexical {2}index v1\.0 {2}bm25\n$/);
    const nothing = await runCommand(['try', 'notes', 'x'], { tryFolder: async () => responseOf([]) });
    expect([nothing.code, nothing.stdout.text]).toEqual([1, expect.stringMatching(/^no hits\n0 hits {2}lexical/)]);
  });

  it('names a flag of its own for more hits, since it has no pages', async () => {
    const response = responseOf([lexicalHit, lexicalHit], { next_cursor: 'c' });
    const tryFolder = async () => response;
    const { stdout } = await runCommand(['try', 'notes', 'x'], { tryFolder, columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text.trimEnd().split('\n').at(-1)).toBe('more: -k 4');
    expect((await runCommand(['try', 'notes', 'x', '-k', '4'], { tryFolder })).code).toBe(0);
  });
});
