import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, ShownPassage } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { hit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const code = {
  ...hit,
  rank: 2,
  doc_path: 'src/a.ts',
  source_id: 'work',
  section_label: null,
  chunk_id: 'f'.repeat(32),
  citation: {
    ...hit.citation,
    uri: 'work:src/a.ts#L3',
    kind: 'code',
    line_start: 3,
    line_end: 3,
    symbol: null,
    lang: null,
  },
} as const;

const line = (number: number, text: string, start?: number) => ({
  number,
  text,
  isInside: true,
  matches: start === undefined ? [] : [{ start, end: start + 1, of: 'x' }],
});
const passages: readonly ShownPassage[] = [
  {
    chunkId: hit.chunk_id,
    title: { text: 'Architecture', matches: [] },
    label: null,
    file: '/work-folder/notes/kebab-architecture.md',
    lines: [line(661, 'é finds', 2), line(662, 'nothing'), line(663, 'x\u001b[31m', 0)],
  },
  {
    chunkId: code.chunk_id,
    title: { text: 'a', matches: [] },
    label: null,
    file: '/elsewhere/a.ts',
    lines: [line(3, 'y')],
  },
];

const app: Partial<App> = {
  search: async () => responseOf([hit, code, { ...hit, rank: 3 }]),
  showPassages: async () => passages,
};

const printed = async (...flags: readonly string[]): Promise<string> =>
  (await runCommand(['search', 'x', ...flags], { app })).stdout.text;

describe('hits as lines', () => {
  it('with --files are the files of the documents as a shell knows them, each once', async () => {
    expect(await printed('-l')).toBe('notes/kebab-architecture.md\n/elsewhere/a.ts\n');
    expect(await printed('-l', '-k', '1')).toBe('notes/kebab-architecture.md\n');
  });

  it('come with notices on stderr: words that no passage contains, and what is searched otherwise than typed', async () => {
    const notices = [{ text: '--hiden', hint: 'no passage contains it as it is typed' }];
    const search = async () => ({ ...responseOf([hit]), unknown_terms: ['xylophone'], notices });
    const { stderr } = await runCommand(['search', 'x', '-l'], { app: { ...app, search } });
    expect(stderr.text).toContain('no passage contains "xylophone"\n');
    expect(stderr.text).toContain('notice: "--hiden" is read as words: no passage contains it as it is typed\n');
  });

  it('with --export csv are rows below their names, with quotes where a text needs them', async () => {
    const quoting = { ...hit, snippet: 'he said "no",\nthen left' };
    const search = async () => responseOf([quoting]);
    const { stdout } = await runCommand(['search', 'x', '--export', 'csv'], { app: { ...app, search } });
    const [names, row, end] = stdout.text.split('\n');
    expect(names).toBe('rank,score,path,uri,line,end,page,title,section,date,text');
    expect(row).toMatch(/^1,.*,Architecture,.*"he said ""no"", then left"$/);
    expect(end).toBe('');
  });

  it('with --export csv are texts for a spreadsheet, even if they begin like a formula', async () => {
    const search = async () => responseOf([{ ...hit, snippet: '=HYPERLINK("http://x")' }]);
    const { stdout } = await runCommand(['search', 'x', '--export', 'csv'], { app: { ...app, search } });
    expect(stdout.text).toContain(`,"'=HYPERLINK(""http://x"")"\n`);
  });

  it('with --export bibtex are entries with a key of their own, whose special characters are escaped', async () => {
    const showPassages = async () =>
      passages.map((one) => ({ ...one, title: { text: 'Cost & {effect}', matches: [] } }));
    const { stdout } = await runCommand(['search', 'x', '--export', 'bibtex'], { app: { ...app, showPassages } });
    const keys = Array.from(stdout.text.matchAll(/^@misc\{([^,]+),$/gm), ([, key]) => key);
    expect([keys.length, new Set(keys).size]).toEqual([3, 3]);
    expect(stdout.text).toContain(String.raw`  title = {Cost \& effect},`);
    expect(stdout.text).toContain(String.raw`howpublished = {work:src/a.ts\#L3}`);
  });

  it('with --export md are links with their quotations', async () => {
    expect(await printed('--export', 'md')).toContain(`- [a](<work:src/a.ts#L3`);
    expect((await printed('--export', 'md')).match(/^ {2}> ./gm)).toHaveLength(3);
  });

  it('with an unknown form of --export are rejected with the known ones', async () => {
    const { code: exit, stderr } = await runCommand(['search', 'x', '--export', 'pdf'], { app });
    expect([exit, stderr.text]).toEqual([expect.any(Number), expect.stringContaining('csv, bibtex or md')]);
    expect(exit).not.toBe(0);
  });

  it('with --vimgrep are the matching lines with columns in bytes and paths relative to the working directory', async () => {
    expect((await printed('--vimgrep')).split('\n')).toEqual([
      'notes/kebab-architecture.md:661:4:é finds',
      'notes/kebab-architecture.md:663:1:x␛[31m',
      '', // the passage of the other file was found by its meaning: none of its lines matches
    ]);
  });

  it('with --vimgrep contain each place once, with columns of the whole line even if it is too long to be shown', async () => {
    expect((await printed('--vimgrep')).split('\n')).toHaveLength(3); // the first and the third hit are the same lines
    const long = { ...line(7, 'é x', 2), bytesBefore: 10_000 };
    const showPassages = async () => passages.slice(0, 1).map((passage) => ({ ...passage, lines: [long] }));
    const { stdout } = await runCommand(['search', 'x', '--vimgrep'], { app: { ...app, showPassages } });
    expect(stdout.text.split('\n')[0]).toBe('notes/kebab-architecture.md:7:10004:é x');
  });

  it('with --vimgrep are lines of the file for a passage that is cited by its row', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-vimgrep-'));
    const file = path.join(folder, 'prices.csv');
    writeFileSync(file, 'item,price\nclay,12\nglaze blue,30\n');
    const row = {
      number: null,
      isInside: true,
      text: 'item: glaze blue price: 30',
      matches: [{ start: 6, end: 11, of: 'glaze' }],
    };
    const showPassages = async () => passages.slice(0, 1).map((passage) => ({ ...passage, file, lines: [row] }));
    const { stdout } = await runCommand(['search', 'glaze', '--vimgrep'], { app: { ...app, showPassages } });
    rmSync(folder, { recursive: true });
    expect(stdout.text).toBe(`${file}:3:1:glaze blue,30\n`);
  });

  it.each([
    ['{path}:{line} {score}', 'notes/kebab-architecture.md:661 0.82'],
    [String.raw`{rank}\t{title}\n{{{source}}}`, '1\tArchitecture\n{default}'],
    ['{page}|{section}|{end}', '|§14 Chunking policy|672'],
  ])('are formatted by the template %s', async (template, first) => {
    expect((await printed('--format', template)).startsWith(`${first}\n`)).toBe(true);
  });

  it.each([
    [['--format', '{pth}'], 'did you mean {path}?'],
    [['-l', '--vimgrep'], '--files and --vimgrep print different things'],
    [['-l', '--json'], '--files and --json print different things'],
    [['--format', 'x', '--bulk'], '--format and --bulk print different things'],
  ])('are rejected for %j', async (flags, why) => {
    const { code: exit, stdout, stderr } = await runCommand(['search', 'x', ...flags], { app });
    expect([exit, stdout.text, stderr.text]).toEqual([2, '', expect.stringContaining(why)]);
  });

  it('are empty, with the exit code for no hits, if nothing is found', async () => {
    const { code: exit, stdout } = await runCommand(['search', 'x', '-l'], {
      app: { search: async () => responseOf([]) },
    });
    expect([exit, stdout.text]).toEqual([1, '']);
  });
});

describe('pages of hits', () => {
  const more = { search: async () => responseOf([hit], { next_cursor: 'c' }), showPassages: async () => passages };

  it('show on a terminal how to get the next page', async () => {
    const onTerminal = await runCommand(['search', 'x', '--page', '2'], {
      app: more,
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(onTerminal.stdout.text.trimEnd().split('\n').at(-1)).toBe('more: --page 3');
    expect((await runCommand(['search', 'x'], { app: more })).stdout.text).not.toContain('--page');
  });

  it('after the last one are reported as such', async () => {
    const { stderr } = await runCommand(['search', 'x', '--page', '7'], {
      app: {
        search: async () => responseOf([]),
        listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total: 1, next_cursor: null }),
      },
    });
    expect(stderr.text).toContain('there is no page 7');
  });
});
