import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/documents/open-store.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';

describe('a store opened for reading', () => {
  const failing = (found: string) => ({
    read: () => Promise.reject(new KebabError('not_indexed', 'not this', { details: { expected: 'schema 4', found } })),
  });

  it('is null where there is no database', async () => {
    expect(await openStore(failing('no file'))).toBeNull();
    expect(await openStore(failing('no schema'))).toBeNull();
  });

  it('fails for a database of another schema', async () => {
    await expect(openStore(failing('schema 99'))).rejects.toMatchObject({ code: 'not_indexed' });
  });
});
