import { describe, expect, it } from 'vitest';
import type { FileRefResult } from '../../../src/ask/submit/fs-view.ts';
import { parseSegments } from '../../../src/ask/run/submit-question.ts';
import { resolveFileRefs, TOOL_OUTPUT_MAX_BYTES } from '../../../src/ask/submit/resolve-file-refs.ts';

const file = (workspacePath: string, body: string, isCut = false, totalBytes = body.length): FileRefResult => ({
  kind: 'file',
  sourceId: 'default',
  workspacePath,
  body,
  lines: body,
  isCut,
  totalBytes,
});

function resolve(question: string, results: Readonly<Record<string, FileRefResult>>) {
  const asked: [string, number][] = [];
  const view = {
    resolveFileRef: async (path: string, maxBytes: number) => {
      asked.push([path, maxBytes]);
      return results[path] ?? ({ kind: 'NotFound', message: 'there is no such file' } as const);
    },
  };
  return resolveFileRefs(parseSegments(question), view).then((resolved) => ({ ...resolved, asked }));
}

describe('resolveFileRefs', () => {
  it('keeps the question as typed and the files in order of appearance, each once', async () => {
    const results = { 'b.md': file('b.md', 'B'), 'a.md': file('a.md', 'A'), './a.md': file('a.md', 'A') };
    const question = 'compare @b.md, @a.md, @./a.md and @"b.md"';
    const { userText, files, alerts, asked } = await resolve(question, results);
    expect(userText).toBe(question);
    expect(files.map(({ path, sent }) => [path, sent])).toEqual([
      ['b.md', 'B'],
      ['a.md', 'A'],
    ]);
    expect(alerts).toEqual([]);
    expect(asked).toEqual(['b.md', 'a.md', './a.md'].map((path) => [path, TOOL_OUTPUT_MAX_BYTES]));
  });

  it('ends a truncated file with its size', async () => {
    const { files } = await resolve('@a.md', { 'a.md': file('a.md', 'begin', true, 20_000) });
    expect(files[0]?.sent).toBe('begin\n[...truncated, 20000 bytes total — use read_file for the rest]');
    expect(TOOL_OUTPUT_MAX_BYTES).toBe(16_384);
  });

  it.each([
    ['OutOfScope', 'file_ref_out_of_scope'],
    ['NotFound', 'file_ref_not_found'],
    ['Binary', 'file_ref_binary'],
    ['Io', 'file_ref_io'],
  ] as const)('puts a placeholder and an alert for %s', async (kind, code) => {
    const { userText, files, alerts } = await resolve('what says @"x y" ?', { 'x y': { kind, message: 'because' } });
    expect(userText).toBe('what says [unresolved file ref: x y] ?');
    expect(files).toEqual([]);
    expect(alerts).toEqual([{ level: 'warn', code, path: 'x y', message: 'because' }]);
  });
});
