import { describe, expect, it } from 'vitest';
import type { SeenPlace } from '../../src/contracts/seen-places.ts';
import type { PartlyRead, QuarantinedFile } from '../../src/contracts/document-store.ts';
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

function partly(path: string, unread: readonly string[]): PartlyRead {
  return { sourceId: 'default', workspacePath: path, docId: path as never, unread };
}

/** A knowledge base with one document, a failed file, and files that nothing reads. */
async function searching(more: Partial<UnreadPorts['store']> = {}) {
  const { config } = await open();
  const store: UnreadPorts['store'] = {
    quarantined: async () => [failed('salt/contract.pdf', 'it is encrypted')],
    indexedRoots: async () => new Map([['default', '/kb']]),
    knownDocuments: async (_, paths = []) =>
      new Map(paths.flatMap((path) => (path.endsWith('.md') ? [[path, { docId: path } as never]] : []))),
    partlyRead: async (ids = []) =>
      ids.flatMap((id) =>
        id === 'harbour-book.md' ? [partly(id, ['sheet 2 is encrypted', 'no text on page 3'])] : [],
      ),
    seenPlaces: async () => [
      seen('', 'directory'),
      seen('ferry.md', 'file'),
      seen('ferry-plan.docx', 'other'),
      seen('harbour-book.md', 'file'),
      seen('가마보고서.hwp', 'other'),
      seen('Größe.bin', 'file'),
    ],
    ...more,
  };
  const ports: UnreadPorts = { store, config, explain: async ({ path }) => ({ why: `not ${path}`, remedy: 'do' }) };
  return async (text: string, isUnanswered: boolean, source?: readonly string[]) =>
    (await findUnread(ports, { text, isUnanswered, source, partlyRead: [] })).map(({ doc_path }) => doc_path);
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
    ['groesse größe', true, ['Größe.bin', 'salt/contract.pdf']],
    ['for the pla', true, ['salt/contract.pdf']],
    ['a book of the harbour', true, ['harbour-book.md', 'salt/contract.pdf']],
    ['a book of the harbour', false, []],
  ])('names for %j (without hits: %j) %j', async (text, isUnanswered, expected) => {
    expect(await (await searching())(text, isUnanswered)).toEqual(expected);
  });

  it('says what was not read of documents among the hits', async () => {
    const { config } = await open();
    const store = { quarantined: async () => [], indexedRoots: async () => new Map() } as never;
    const partlyRead = [
      partly('a.xlsx', ['sheet 2 is encrypted']),
      partly('b.pdf', ['no text on page 3', 'page 4: x']),
    ];
    const search = { text: 'tide', isUnanswered: false, partlyRead };
    expect(await findUnread({ store, config, explain: async () => null }, search)).toEqual([
      {
        source_id: 'default',
        doc_path: 'a.xlsx',
        why: 'read in part: sheet 2 is encrypted',
        remedy: 'see `kebab doctor`',
      },
      expect.objectContaining({ doc_path: 'b.pdf', why: 'read in part: no text on page 3 and 1 more' }),
    ]);
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
