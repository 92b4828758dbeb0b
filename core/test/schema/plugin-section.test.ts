import { describe, expect, it } from 'vitest';
import { pluginSectionOf } from '../../src/schema/plugin-section.ts';

const doc = 'What it is.';

describe('the section that a package.json declares', () => {
  it('supports every kind of key, and fills in defaults', () => {
    const section = pluginSectionOf({
      name: 'storage.tape',
      doc,
      after: 'logging',
      keys: {
        loud: { kind: 'bool', default: true, doc },
        depth: { kind: 'int', default: 3, max: 9, doc },
        share: { kind: 'number', min: 0.5, doc },
        token: { kind: 'text', secret: true, doc },
        label: { kind: 'text', default: 'a', pattern: '^a', known: ['a'], doc },
        speed: { kind: 'enum', default: 'slow', values: ['slow', 'fast'], doc },
        server: { kind: 'url', default: 'http://127.0.0.1:1', doc },
        folder: { kind: 'path', default: '~/tapes', doc },
        names: { kind: 'texts', default: ['x'], doc },
        folders: { kind: 'paths', doc },
      },
    });
    expect(section).toEqual({
      name: 'storage.tape',
      doc,
      after: 'logging',
      keys: {
        loud: { kind: 'bool', default: true, doc },
        depth: { kind: 'int', default: 3, min: 0, max: 9, doc },
        share: { kind: 'number', default: null, min: 0.5, doc },
        token: { kind: 'text', default: '', secret: true, doc },
        label: { kind: 'text', default: 'a', known: ['a'], pattern: /^a/, doc },
        speed: { kind: 'enum', default: 'slow', values: ['slow', 'fast'], doc },
        server: { kind: 'url', default: 'http://127.0.0.1:1', doc },
        folder: { kind: 'path', default: '~/tapes', doc },
        names: { kind: 'texts', default: ['x'], doc },
        folders: { kind: 'paths', default: [], doc },
      },
    });
  });

  it.each<[string, unknown, string]>([
    ['no table', 'journal', 'its section of the configuration must be a table'],
    ['no name', { doc, keys: {} }, 'its section has no name like "journal"'],
    ['a name with a capital', { name: 'Journal', doc, keys: {} }, 'its section has no name like "journal"'],
    ['a name that every object has', { name: 'constructor', doc, keys: {} }, 'uses constructor'],
    [
      'a key that every object has',
      { name: 'j', doc, keys: { has_own_property: { kind: 'bool', doc } } },
      'uses has_own',
    ],
    ['no doc', { name: 'j', keys: {} }, 'its section j: doc must be a text'],
    ['no keys', { name: 'j', doc }, 'its section j.keys must be a table'],
    ['a key without a kind', { name: 'j', doc, keys: { a: { doc } } }, 'its section j: a: kind must be one of bool'],
    ['a key with a dash', { name: 'j', doc, keys: { 'a-b': { kind: 'bool', doc } } }, 'names are like max_depth'],
    [
      'an enum without values',
      { name: 'j', doc, keys: { a: { kind: 'enum', doc } } },
      'values must be a list of texts',
    ],
    [
      'a bound that is a string',
      { name: 'j', doc, keys: { a: { kind: 'int', min: '1', doc } } },
      'min must be a number',
    ],
  ])('is rejected with %s', (_what, written, message) => {
    expect(() => pluginSectionOf(written)).toThrow(message);
  });
});
