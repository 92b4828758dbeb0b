import { describe, expect, it } from 'vitest';
import { resolveId } from '../../src/documents/resolve-id.ts';

const IDS = [
  'abcdef00000000000000000000000001',
  'abcdef00000000000000000000000002',
  'fedcba98765432100123456789abcdef',
];
const store = {
  findIds: async (_: string, prefix: string, limit: number): Promise<readonly string[]> =>
    IDS.filter((id) => id.startsWith(prefix)).slice(0, limit),
};

describe('resolveId', () => {
  it.each([
    ['fedcba', IDS[2]],
    [' FEDCBA98 ', IDS[2]],
    [IDS[0] ?? '', IDS[0]],
  ])('completes %j', async (text, id) => {
    expect(await resolveId(store, 'chunk', text)).toBe(id);
  });

  it('names those that begin alike', async () => {
    await expect(resolveId(store, 'document', 'abcdef')).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: { field: 'doc_id', value: 'abcdef', allowed: IDS.slice(0, 2), suggestion: null },
      }),
    );
  });

  it('tells which kind of id is unknown', async () => {
    await expect(resolveId(store, 'chunk', '123456')).rejects.toThrow(
      expect.objectContaining({ code: 'chunk_not_found', details: { chunk_id: '123456' } }),
    );
    await expect(resolveId(store, 'document', '123456')).rejects.toThrow(
      expect.objectContaining({ code: 'doc_not_found', details: { doc_id: '123456', path: null } }),
    );
  });

  it.each(['abcde', '', 'notes/a.md', 'abcdeg', '%', 'a'.repeat(33)])('refuses %j', async (text) => {
    await expect(resolveId(store, 'chunk', text)).rejects.toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
