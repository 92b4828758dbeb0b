import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { annotatedConfig } from '../../../src/config/annotated-config.ts';
import { edited, type ConfigEdit } from '../../../src/config/editing/config-edit.ts';
import { editToml } from '../../../src/config/editing/edit-toml.ts';
import { defaultOf } from '../../../src/schema/field.ts';
import { bundledKeys } from '../bundled-keys.ts';

const annotated = annotatedConfig(bundledKeys);

function set(text: string, key: string, value: unknown, asFloat = false): string {
  return editToml(text, { kind: 'set', path: key.split('.'), value }, asFloat) ?? 'not editable';
}
function unset(text: string, key: string): string {
  return editToml(text, { kind: 'unset', path: key.split('.') }, false) ?? 'not editable';
}
const SOURCES = ['workspace', 'sources'];
function append(text: string, table: Readonly<Record<string, unknown>>): string {
  return editToml(text, { kind: 'append', path: SOURCES, table }, false) ?? 'not editable';
}
function remove(text: string, index: number): string {
  return editToml(text, { kind: 'remove', path: SOURCES, index }, false) ?? 'not editable';
}

const WRITTEN = `# mine
schema_version = 1 # the only one

# Where documents come from.
[workspace]
include = [
  "**/*.md", # notes
  # and code
  "**/*.ts",
]
root = "~/kb" # my root

# things of work
[[workspace.sources]]
id = "work" # w
root = '~/work'

# private
[[workspace.sources]]
id = "home"
root = "~/home"

# Search.
[search]
default_k = 10   # ten
models = { a = 1, b = 2 }
`;

describe('editToml', () => {
  it('replaces a value and nothing else', () => {
    expect(set(WRITTEN, 'search.default_k', 5)).toBe(WRITTEN.replace('= 10 ', '= 5 '));
    expect(set(WRITTEN, 'workspace.root', '~/"x"')).toBe(WRITTEN.replace('"~/kb"', String.raw`"~/\"x\""`));
    expect(set(WRITTEN, 'search.models.b', 3)).toBe(WRITTEN.replace('b = 2', 'b = 3'));
  });

  it('inserts a key below the comment that shows its default, and uncomments the enclosing table', () => {
    const text = set(annotated, 'search.default_k', 20);
    expect(text).toBe(
      annotated
        .replace('# [search]\n', '[search]\n')
        .replace('# default_k = 10\n', '# default_k = 10\ndefault_k = 20\n'),
    );
    expect(set(text, 'search.rrf_k', 30)).toBe(text.replace('# rrf_k = 60\n', '# rrf_k = 60\nrrf_k = 30\n'));
    expect(unset(text, 'search.default_k')).toBe(annotated.replace('# [search]\n', '[search]\n'));
  });

  it('inserts a key into its table, or creates the table at the end', () => {
    const text = '[search]\ndefault_k = 5\n\n# how long\n[indexing]\nmax_file_mb = 3';
    expect(set(text, 'search.rrf_k', 30)).toBe(text.replace('default_k = 5\n', 'default_k = 5\nrrf_k = 30\n'));
    expect(set(text, 'models.llm.temperature', 1, true)).toBe(`${text}\n\n[models.llm]\ntemperature = 1.0\n`);
    expect(set('', 'search.rrf_k', 30)).toBe('[search]\nrrf_k = 30\n');
    expect(set('[search]', 'search.rrf_k', 30)).toBe('[search]\nrrf_k = 30\n');
  });

  it('inserts a top-level key before the first table', () => {
    expect(set('# mine\n\n[search]\nrrf_k = 1\n', 'schema_version', 1)).toBe(
      '# mine\n\nschema_version = 1\n[search]\nrrf_k = 1\n',
    );
    expect(set('plugins = []\n[search]\n', 'schema_version', 1)).toBe('plugins = []\nschema_version = 1\n[search]\n');
  });

  it('inserts a key next to dotted keys, or into an inline table', () => {
    expect(set('search.rrf_k = 1\n', 'search.default_k', 2)).toBe('search.rrf_k = 1\nsearch.default_k = 2\n');
    expect(set('search = { rrf_k = 1 }\n', 'search.default_k', 2)).toBe('search = { rrf_k = 1, default_k = 2 }\n');
    expect(set('search = {}\n', 'search.default_k', 2)).toBe('search = { default_k = 2 }\n');
    expect(set('[models]\nllm.model = "a"\n', 'models.llm.seed', 2)).toBe('[models]\nllm.model = "a"\nllm.seed = 2\n');
  });

  it('removes a key with its trailing comment, and keeps all others', () => {
    expect(unset(WRITTEN, 'workspace.root')).toBe(WRITTEN.replace('root = "~/kb" # my root\n', ''));
    expect(unset(WRITTEN, 'workspace.include')).toBe(WRITTEN.replace(/include = \[[^\]]*\]\n/, ''));
    expect(unset(WRITTEN, 'search.models.a')).toBe(WRITTEN.replace('a = 1, ', ''));
    expect(unset(WRITTEN, 'search.models.b')).toBe(WRITTEN.replace(', b = 2', ''));
    expect(unset(WRITTEN, 'search.rrf_k')).toBe(WRITTEN);
  });

  it('adds a table after the last of its kind, else at the end', () => {
    const two = append(WRITTEN, { id: 'x', root: '~/x' });
    expect(two).toBe(
      WRITTEN.replace('root = "~/home"\n', 'root = "~/home"\n\n[[workspace.sources]]\nid = "x"\nroot = "~/x"\n'),
    );
    const block = '[[workspace.sources]]\nid = "x"\nroot = "~/x"\n';
    expect(append(annotated, { id: 'x', root: '~/x' })).toBe(`${annotated}\n${block}`);
    expect(append('', { id: 'x', root: '~/x' })).toBe(block);
    expect(append('[workspace]\nsources = []\nroot = "a"\n', { id: 'x', root: '~/x' })).toBe(
      `[workspace]\nroot = "a"\n\n${block}`,
    );
    expect(append('workspace.sources = [{ id = "a", root = "b" }]\n', { id: 'x', root: '~/x' })).toBe(
      'workspace.sources = [{ id = "a", root = "b" }, { id = "x", root = "~/x" }]\n',
    );
  });

  it('removes a table with the comment above it, and keeps the comments of its neighbours', () => {
    expect(remove(WRITTEN, 0)).toBe(
      WRITTEN.replace(`# things of work\n[[workspace.sources]]\nid = "work" # w\nroot = '~/work'\n\n`, ''),
    );
    expect(remove(WRITTEN, 1)).toBe(
      WRITTEN.replace('# private\n[[workspace.sources]]\nid = "home"\nroot = "~/home"\n\n', ''),
    );
    const added = append(annotated, { id: 'x', root: '~/x' });
    expect(remove(added, 0)).toBe(annotated);
    expect(remove('workspace.sources = [{ id = "a", root = "b" }]\n', 0)).toBe('');
  });

  it('keeps Windows line endings', () => {
    const text = WRITTEN.replaceAll('\n', '\r\n');
    const changed = set(set(text, 'search.default_k', 5), 'search.rrf_k', 1);
    expect(changed).toBe(text.replace('= 10 ', '= 5 ').replace('b = 2 }\r\n', 'b = 2 }\r\nrrf_k = 1\r\n'));
  });

  it('ignores text inside a string that only looks like a commented key', () => {
    const text = 'note = """\n# [search]\n"""\n';
    expect(set(text, 'search.rrf_k', 1)).toBe(`${text}\n[search]\nrrf_k = 1\n`);
  });

  it('keeps every line of a commented file, whatever is set and unset again', () => {
    const keys = bundledKeys.keys.filter(({ key }) => key.kind !== 'tables' && defaultOf(key) !== null);
    const step = fc.record({ key: fc.constantFrom(...keys), isSet: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let text = annotated;
        let says: object = {};
        for (const { key: flat, isSet } of steps) {
          const path = flat.name.split('.');
          const edit: ConfigEdit = isSet ? { kind: 'set', path, value: defaultOf(flat.key) } : { kind: 'unset', path };
          text = editToml(text, edit, flat.key.kind === 'number') ?? 'not editable';
          says = edited(says, edit);
        }
        const lines = new Set(text.split('\n').map((line) => line.replace(/^(\[.*\])$/, '# $1')));
        expect(annotated.split('\n').filter((line) => !lines.has(line))).toEqual([]);
        expect(withoutEmpty(parse(text))).toEqual(withoutEmpty(says));
      }),
      { numRuns: 60 },
    );
  });
});

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => JSON.stringify(member) !== '{}'));
}
