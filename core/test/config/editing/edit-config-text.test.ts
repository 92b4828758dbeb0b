import { describe, expect, it } from 'vitest';
import type { ConfigEdit } from '../../../src/config/editing/config-edit.ts';
import { editConfigText } from '../../../src/config/editing/edit-config-text.ts';
import { configInvalid } from '../config-world.ts';

const edit = (name: string, text: string, change: ConfigEdit): Promise<string> =>
  editConfigText({ path: `/p/${name}`, text }, change);
const SET: ConfigEdit = { kind: 'set', path: ['search', 'default_k'], value: 20 };
const UNSET: ConfigEdit = { kind: 'unset', path: ['search', 'rrf_k'] };
const APPEND: ConfigEdit = { kind: 'append', path: ['workspace', 'sources'], table: { id: 'b', root: '~/b' } };
const REMOVE: ConfigEdit = { kind: 'remove', path: ['workspace', 'sources'], index: 0 };

describe('editConfigText', () => {
  it('keeps the order and indentation of JSON', async () => {
    const text = '{\n\t"search": {\n\t\t"rrf_k": 1,\n\t\t"default_k": 5\n\t}\n}\n';
    expect(await edit('kebab.json', text, SET)).toBe(text.replace('5', '20'));
    expect(await edit('kebab.json', text, UNSET)).toBe('{\n\t"search": {\n\t\t"default_k": 5\n\t}\n}\n');
    expect(await edit('kebab.json', '{"a": 1}', SET)).toBe('{"a":1,"search":{"default_k":20}}');
    expect(await edit('kebab.json', '', APPEND)).toBe(
      '{\n  "workspace": {\n    "sources": [\n      {\n        "id": "b",\n        "root": "~/b"\n      }\n    ]\n  }\n}\n',
    );
  });

  it('keeps the comments of YAML', async () => {
    const text = '# mine\nsearch:\n  rrf_k: 1 # low\n  # as many\n  default_k: 5 # five\n';
    expect(await edit('kebab.yaml', text, SET)).toBe(text.replace('5 #', '20 #'));
    expect(await edit('kebab.yml', text, UNSET)).toBe(text.replace('  rrf_k: 1 # low\n', ''));
    const sources = '# mine\nworkspace:\n  sources:\n    # work\n    - id: a\n      root: ~/a\n';
    const two = await edit('kebab.yaml', sources, APPEND);
    expect(two).toBe(`${sources}    - id: b\n      root: ~/b\n`);
    expect(await edit('kebab.yaml', two, REMOVE)).toContain('- id: b\n      root: ~/b\n');
    expect(await edit('kebab.yaml', '', SET)).toBe('search:\n  default_k: 20\n');
  });

  it('reports where a file is malformed, without quoting it', async () => {
    for (const [name, text] of [
      ['kebab.toml', 'api_key = "hush\n'],
      ['kebab.json', '{"api_key": "hush'],
      ['kebab.yaml', 'api_key: "hush\n'],
    ] as const) {
      const failure = await configInvalid(() => edit(name, text, SET));
      expect(failure.message).toContain(name);
      expect(failure.message).not.toContain('hush');
    }
    const failure = await configInvalid(() => edit('config.ini', '', SET));
    expect(failure.message).toContain('ends in .toml, .json, .yaml or .yml');
  });
});
