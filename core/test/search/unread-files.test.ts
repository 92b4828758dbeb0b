import { describe, expect, it } from 'vitest';
import type { SeenPlace } from '../../src/contracts/seen-places.ts';
import type { QuarantinedFile } from '../../src/contracts/document-store.ts';
import { findUnread, type UnreadPorts } from '../../src/search/unread-files.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const open = openForTests();

function failed(workspacePath: string, reason: string): QuarantinedFile {
  const rest = { code: 'plugin_failed', agent: 'pdf@1', attempts: 1, lastFailedAt: new Date(0) } as const;
  return { sourceId: 'default', workspacePath, reason, ...rest };
}

function seen(path: string, kind: SeenPlace['kind']): SeenPlace {
  return { path, kind, size: 1, mtimeMs: 0 };
}

/** A knowledge base with one document, a failed file, and files that nothing reads. */
async function searching(more: Partial<UnreadPorts['store']> = {}) {
  const { config } = await open();
  const store: UnreadPorts['store'] = {
    quarantined: async () => [failed('salt/contract.pdf', 'it is encrypted')],
    indexedRoots: async () => new Map([['default', '/kb']]),
    findDocument: async (_, path) => (path === 'ferry.md' ? ({ workspacePath: path } as never) : null),
    seenPlaces: async () => [
      seen('', 'directory'),
      seen('ferry.md', 'file'),
      seen('ferry-plan.docx', 'other'),
      seen('가마보고서.hwp', 'other'),
      seen('Größe.bin.md', 'file'),
    ],
    ...more,
  };
  const ports: UnreadPorts = { store, config, explain: async ({ path }) => ({ why: `not ${path}`, remedy: 'do' }) };
  return async (text: string, isEmpty: boolean, source?: readonly string[]) =>
    (await findUnread(ports, { text, isEmpty, source })).map(({ doc_path }) => doc_path);
}

describe('findUnread', () => {
  it.each([
    ['the contract for salt', false, ['salt/contract.pdf']],
    ['Contr*', false, ['salt/contract.pdf']],
    ['contract', true, ['salt/contract.pdf']],
    ['heron', false, []],
    ['heron', true, ['salt/contract.pdf']],
    ['ferry', false, []],
    ['ferry', true, ['ferry-plan.docx', 'salt/contract.pdf']],
    ['plan of the ferries', true, ['ferry-plan.docx', 'salt/contract.pdf']],
    ['보고서', true, ['가마보고서.hwp', 'salt/contract.pdf']],
    ['groesse größe', true, ['Größe.bin.md', 'salt/contract.pdf']],
    ['for the pla', true, ['salt/contract.pdf']],
  ])('names for %j (without hits: %j) %j', async (text, isEmpty, expected) => {
    expect(await (await searching())(text, isEmpty)).toEqual(expected);
  });

  it('names no file of a source that is not searched, or no longer configured', async () => {
    expect(await (await searching())('contract', true, ['work'])).toEqual([]);
    const gone = { ...failed('contract.pdf', 'x'), sourceId: 'gone' };
    expect(await (await searching({ quarantined: async () => [gone] }))('contract', false)).toEqual([]);
  });

  it('names five files at most, and does not look at the files of a folder when something was found', async () => {
    const many = Array.from({ length: 9 }, (_, i) => failed(`contract-${i}.pdf`, 'x'));
    const seenPlaces = () => Promise.reject(new Error('not needed'));
    expect(await (await searching({ quarantined: async () => many, seenPlaces }))('contract', false)).toHaveLength(5);
  });
});
