import type { IngestItem, IngestReport } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/command/command-context.ts';
import { ingestReport, lexicalHit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab try', () => {
  it("searches a folder without opening the user's App", async () => {
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
    expect(found.stdout.text).toMatch(/^1\. 12\.40 {2}notes[\s\S]*1 hit {2}lexical {2}index v1\.2 {2}bm25\n$/);
    const nothing = await runCommand(['try', 'notes', 'x'], { tryFolder: async () => responseOf([]) });
    expect([nothing.code, nothing.stdout.text]).toEqual([1, expect.stringMatching(/^no hits\n0 hits {2}lexical/)]);
  });

  it('prints no notice about vectors if the environment switches them off', async () => {
    const degraded = [{ stage: 'vector', reason: 'provider_none', hint: 'name one' }] as const;
    const tryFolder = async () => responseOf([lexicalHit], { degraded });
    const off = await runCommand(['try', 'notes', 'x'], {
      tryFolder,
      env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' },
    });
    expect(off.stderr.text).toBe('');
    const unset = await runCommand(['try', 'notes', 'x', '--readonly'], { tryFolder });
    expect(unset.stderr.text).toContain('notice: vector search off (provider_none)');
  });

  it('names -k for more hits, since it has no pages', async () => {
    const response = responseOf([lexicalHit, lexicalHit], { next_cursor: 'c' });
    const tryFolder = async () => response;
    const { stdout } = await runCommand(['try', 'notes', 'x'], { tryFolder, columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text.trimEnd().split('\n').at(-1)).toBe('more: -k 4');
    expect((await runCommand(['try', 'notes', 'x', '-k', '4'], { tryFolder })).code).toBe(0);
  });

  it('reports files that could not be read, and a folder without documents', async () => {
    const tried = async (report: Partial<IngestReport>, ...flags: readonly string[]) => {
      const tryFolder = async ({ onIngested }: Parameters<Engine['tryFolder']>[0]) => {
        onIngested?.({
          ...ingestReport,
          errors: 0,
          new: 0,
          updated: 0,
          unchanged: 0,
          skipped: 0,
          items: [],
          ...report,
        });
        return responseOf([]);
      };
      return (await runCommand(['try', 'notes', 'x', ...flags], { tryFolder })).stderr.text;
    };
    const item = { ...ingestReport.items?.[0], kind: 'error', error: 'permission denied' } as IngestItem;
    const items = Array.from({ length: 7 }, (_, i) => ({ ...item, doc_path: `a${i}.md` }));
    const lines = items.slice(0, 5).map((one) => `notice: ${one.doc_path} could not be read: permission denied\n`);
    const more = 'notice: 2 more files could not be read\n';
    expect(await tried({ errors: 7, items })).toBe(`${lines.join('')}${more}notice: nothing in notes could be read\n`);
    expect(await tried({ new: 1, errors: 1, items: items.slice(0, 1) })).toBe(lines[0]);
    expect(await tried({ skipped: 2 })).toBe('notice: there are no documents in notes; 2 files skipped\n');
    expect(await tried({ errors: 7, items }, '--quiet')).toBe('');
  });
});
