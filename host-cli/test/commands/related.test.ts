import type { App, Related } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { runCommand } from '../fakes/run-command.ts';

const ID = '0123456789abcdef0123456789abcdef';
const NOTHING: Related = {
  schema_version: 'related.v1',
  uri: 'a.md',
  doc_id: ID,
  title: 'A',
  links_out: [],
  links_in: [],
  unresolved: [],
  nearest: [],
  near_copies: [],
  counts: { links_out: 0, links_in: 0, unresolved: 0, near_copies: 0 },
  mode: 'lexical',
};

function answering(around: Partial<Related>) {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    related: async (query, options) => {
      asked.push([query, options?.limit]);
      return { ...NOTHING, ...around };
    },
  };
  return { asked, app };
}

describe('kebab related', () => {
  it('prints a section for each kind of relation that there is', async () => {
    const { app, asked } = answering({
      links_in: [{ uri: 'b.md#L3', doc_id: ID, title: 'Boats', line: 3 }],
      unresolved: [{ target: 'lost', line: 7 }],
      counts: { ...NOTHING.counts, links_in: 4, unresolved: 1 },
    });
    const { code, stdout } = await runCommand(['related', 'a.md', '--limit', '1'], { app });
    expect(code).toBe(0);
    expect(stdout.text).toBe(
      'linked from\n  b.md#L3  Boats\n  … 3 more: --limit 4\n\nlinks to nothing\n  lost  line 7\n',
    );
    expect(asked).toEqual([[{ kind: 'uri', uri: 'a.md', source: undefined }, 1]]);
  });

  it('exits with 1 when nothing is related', async () => {
    const { code, stdout } = await runCommand(['related', 'a.md'], answering({}));
    expect([code, stdout.text]).toEqual([1, 'nothing is related to a.md\n']);
  });

  it('prints related.v1 with --json', async () => {
    const { stdout } = await runCommand(['related', 'a.md', '--json'], answering({}));
    expect(parseWire('related', stdout.json[0])).toMatchObject({ uri: 'a.md', nearest: [] });
  });
});
