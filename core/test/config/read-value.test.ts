import { describe, expect, it } from 'vitest';
import {
  bool,
  component,
  int,
  number,
  oneOf,
  path,
  paths,
  secret,
  text,
  texts,
  url,
  type Field,
} from '../../src/schema/field.ts';
import { CORE_KEYS } from '../../src/config/keys.ts';
import { readValue, readTable } from '../../src/config/read-value.ts';
import { configInvalid } from './config-world.ts';
import { wholeFile } from './bundled-keys.ts';

const at = { origin: { origin: 'file', path: '/k.toml' }, key: 'a.b' } as const;
const sources = CORE_KEYS.workspace.members.sources;

describe('readValue', () => {
  it.each<[string, Field, unknown]>([
    ['a boolean', bool(false, ''), true],
    ['a whole number', int(1, {}, ''), 0],
    ['a number', number(1, { max: 1 }, ''), 0.5],
    ['a text', text('', ''), 'any'],
    ['a value of a closed list', oneOf('a', ['a', 'b'], ''), 'b'],
    ['the id of a plugin', component('none', ['none'], ''), 'my-plugin'],
    ['an address', url('http://127.0.0.1', ''), 'https://example.org:1/x'],
    ['a path', path('', ''), 'a b'],
    ['a list', texts([], ''), ['a', '']],
    ['paths', paths(''), ['/a']],
  ])('accepts %s', (_name, key, value) => {
    expect(readValue(key, value, at)).toEqual(value);
  });

  it.each<[Field, unknown, string]>([
    [bool(false, ''), 'yes', 'must be true or false, not "yes"'],
    [int(1, { min: 1, max: 10 }, ''), 0, 'must be a whole number from 1 to 10, not 0'],
    [int(1, {}, ''), 1.5, 'must be a whole number from 0, not 1.5'],
    [int(1, {}, ''), '5', 'must be a whole number from 0, not "5"'],
    [number(1, { max: 1 }, ''), Number.NaN, 'must be a number from 0 to 1, not NaN'],
    [number(1, {}, ''), Number.POSITIVE_INFINITY, 'must be a number from 0, not Infinity'],
    [text('', ''), 3, 'must be a text, not 3'],
    [text('', '', /\S/), '', 'must be a text that is not empty'],
    [text('', '', /^[a-z]+$/), 'A', 'must be a text that matches ^[a-z]+$, not "A"'],
    [component('none', ['none'], ''), 'two words', 'must be a name without spaces, not "two words"'],
    [oneOf('auto', ['auto', 'off'], ''), 'aut', 'must be one of auto, off, not "aut"'],
    [
      url('', ''),
      'localhost:11434',
      'must be an http or https URL, such as http://localhost:11434, not "localhost:11434"',
    ],
    [url('', ''), 'http://', 'must be an http or https URL, not "http://"'],
    [path('', ''), ' ', 'must be a path, not " "'],
    [texts([], ''), ['a', 1], 'must be a list of texts, not a list'],
    [texts([], ''), { a: 1 }, 'must be a list of texts, not a table'],
    [paths(''), [''], 'must be a list of paths, not a list'],
    [bool(false, ''), null, 'must be true or false, not null'],
    [text('', ''), new Date(0), 'must be a text, not a date'],
  ])('describes the problem: %o', async (key, value, cause) => {
    const error = await configInvalid(() => readValue(key, value, at));
    expect(error.details).toMatchObject({ path: '/k.toml', key: 'a.b', cause });
    expect(error.message).toContain('/k.toml: a.b: ');
  });

  it('suggests the nearest value of a closed list', async () => {
    const error = await configInvalid(() => readValue(oneOf('auto', ['auto', 'off'], ''), 'aut', at));
    expect(error.details.suggestion).toBe('auto');
  });

  it('shows neither a secret nor the credentials in a URL', async () => {
    const secretError = await configInvalid(() => readValue(secret('', ''), 123_456, at));
    expect(JSON.stringify(secretError.details) + secretError.message).not.toContain('123456');
    const urlError = await configInvalid(() => readValue(url('', ''), 'ftp://user:hunter2@host', at));
    expect(JSON.stringify(urlError.details) + urlError.message).not.toContain('hunter2');
  });

  it('fills in the fields of a table in a list', () => {
    expect(readValue(sources, [{ id: 'a', root: '/a' }], at)).toEqual([
      {
        id: 'a',
        root: '/a',
        git: '',
        connector: 'fs',
        include: null,
        exclude: null,
        trust_level: null,
        source_type: null,
      },
    ]);
    expect(readValue(CORE_KEYS.plugins, ['x', { name: 'y', enabled: false }], at)).toEqual([
      { name: 'x', config: {}, enabled: true },
      { name: 'y', config: {}, enabled: false },
    ]);
  });

  it.each([
    [[{ root: '/a' }], 'a.b[0].id', 'is missing'],
    [
      [
        { id: 'a', root: '/a' },
        { id: 'b', rot: '/b' },
      ],
      'a.b[1].rot',
      'unknown key',
    ],
    [
      [{ id: 'a/b', root: '/a' }],
      'a.b[0].id',
      'must be 1 to 64 letters, digits, dots, dashes or underscores, not "a/b"',
    ],
    [['a'], 'a.b[0]', 'must be a table, not "a"'],
    [{}, 'a.b', 'must be a list, not a table'],
  ])('names the invalid field: %j', async (value, key, cause) => {
    const error = await configInvalid(() => readValue(sources, value, at));
    expect(error.details).toMatchObject({ key, cause });
  });
});

const origin = { origin: 'file', path: '/k.toml' } as const;

function read(table: unknown): ReadonlyMap<string, unknown> {
  return new Map(readTable(table, wholeFile, origin));
}

describe('readTable', () => {
  it('yields the keys that are set, by dotted name', () => {
    const values = read({ schema_version: 1, search: { default_k: 3 }, models: { llm: { seed: 4 } } });
    expect([...values]).toEqual([
      ['schema_version', 1],
      ['search.default_k', 3],
      ['models.llm.seed', 4],
    ]);
  });

  it.each([
    [{ serach: { default_k: 1 } }, 'serach', 'search'],
    [{ search: { default_kk: 1 } }, 'search.default_kk', 'search.default_k'],
    [{ models: { embeding: {} } }, 'models.embeding', 'models.embedding'],
    [{ score_gate: 0.5 }, 'score_gate', 'rag.score_gate'],
    [{ search: { completely_different: 1 } }, 'search.completely_different', null],
    [{ constructor: {} }, 'constructor', null],
    [JSON.parse('{"__proto__": {"search": {}}}') as object, '__proto__', null],
  ])('names an unknown key and the nearest valid one: %j', async (table, key, suggestion) => {
    const error = await configInvalid(() => read(table));
    expect(error.details).toEqual({ path: '/k.toml', key, cause: 'unknown key', suggestion });
    expect(error.hint).toMatch(/^rename the key where it is set, or take it out/);
    expect(error.message).toBe(
      `/k.toml: ${key}: unknown key${suggestion === null ? '' : `; did you mean ${suggestion}?`}`,
    );
  });

  it.each([
    [[], '(root)'],
    ['text', '(root)'],
    [{ search: 5 }, 'search'],
    [{ models: { llm: [] } }, 'models.llm'],
  ])('requires tables where tables belong: %j', async (table, key) => {
    const error = await configInvalid(() => read(table));
    expect(error.details).toMatchObject({ key, cause: 'must be a table' });
  });

  it('accepts no other format version', async () => {
    const error = await configInvalid(() => read({ schema_version: 2 }));
    expect(error.details).toMatchObject({ key: 'schema_version', cause: 'must be a whole number equal to 1, not 2' });
  });
});
