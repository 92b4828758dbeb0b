import { isKebabError } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { checkLibrary } from '../../src/database/check-library.ts';

describe('checkLibrary', () => {
  it.each([
    ['12.11.1', 9, '20.20.2'],
    ['13.2.0', 10, '22.14.0'],
    ['14.0.0', 11, '26.0.0'],
  ])('lets better-sqlite3 %s run with Node-API %i', (library, nodeApi, node) => {
    expect(() => checkLibrary({ library, nodeApi, node })).not.toThrow();
  });

  it('says what does not fit instead of letting the process crash', () => {
    const check = (): void => checkLibrary({ library: '13.2.0', nodeApi: 9, node: '20.20.2' });
    const said = 'better-sqlite3 13.2.0 needs Node 22.14 or newer, this is Node 20.20.2';
    expect(check).toThrow(said);
    expect(check).toThrow(expect.toSatisfy((error: unknown) => isKebabError(error, 'plugin_incompatible')));
  });
});
