import { describe, expect, it } from 'vitest';
import type { KnownDocument } from '../../src/contracts/document-store.ts';
import { planDeletions } from '../../src/ingest/purge.ts';

const documents = (count: number): readonly KnownDocument[] =>
  Array.from({ length: count }, (_, i) => ({ workspacePath: `${i}.md` }) as KnownDocument);

describe('planDeletions', () => {
  it.each([
    { indexed: 10, vanished: 0, purged: 0, reason: undefined },
    { indexed: 10, vanished: 4, purged: 4, reason: undefined },
    { indexed: 10, vanished: 5, purged: 0, reason: 'mass_delete' },
    { indexed: 11, vanished: 5, purged: 5, reason: undefined },
    { indexed: 10, vanished: 10, purged: 0, reason: 'mass_delete' },
    { indexed: 1, vanished: 1, purged: 0, reason: 'mass_delete' },
    { indexed: 0, vanished: 0, purged: 0, reason: undefined },
  ])('of $indexed documents with $vanished vanished purges $purged', ({ indexed, vanished, purged, reason }) => {
    const input = { rootMissing: false, indexed, vanished: documents(vanished), allowMassDelete: false };
    const plan = planDeletions(input);
    expect(plan.purge).toHaveLength(purged);
    expect(plan.refused?.reason).toBe(reason);
    expect(plan.refused?.vanished).toBe(reason === undefined ? undefined : vanished);
  });

  it('purges any number when that was asked for', () => {
    const input = { rootMissing: false, indexed: 10, vanished: documents(10), allowMassDelete: true };
    expect(planDeletions(input)).toEqual({ purge: input.vanished, refused: null });
  });

  it('purges nothing without a root, whatever was asked for', () => {
    for (const allowMassDelete of [false, true])
      expect(planDeletions({ rootMissing: true, indexed: 3, vanished: [], allowMassDelete })).toEqual({
        purge: [],
        refused: { vanished: 3, reason: 'root_missing' },
      });
    expect(planDeletions({ rootMissing: true, indexed: 0, vanished: [], allowMassDelete: false }).refused).toBe(null);
  });
});
