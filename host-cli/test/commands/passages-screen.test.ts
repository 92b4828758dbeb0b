import type { App, PassageLine, SearchHit, ShownPassage } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { hit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const plain = (text: string) => ({ text, matches: [] });

/** Lines of a file, starting at a line number; text between `«` and `»` is a match. */
function lines(first: number, ...written: readonly string[]): readonly PassageLine[] {
  return written.map((line, at) => {
    const start = line.indexOf('«');
    const text = line.replaceAll(/[«»]/g, '');
    const of = line.slice(start + 1, line.indexOf('»'));
    return {
      text,
      number: first + at,
      isInside: true,
      matches: start === -1 ? [] : [{ start, end: start + of.length, of }],
    };
  });
}

interface Case {
  readonly hit?: Partial<SearchHit>;
  readonly passage?: Partial<ShownPassage>;
  readonly flags?: readonly string[];
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function screen({
  hit: more,
  passage,
  flags = [],
  columns = 80,
  env = { NO_COLOR: '1' },
}: Case): Promise<string> {
  const shown: ShownPassage = {
    chunkId: hit.chunk_id,
    title: plain('Architecture'),
    label: plain(hit.section_label ?? ''),
    file: '/kb/notes/a.md',
    lines: [],
    ...passage,
  };
  const app: Partial<App> = {
    search: async () => responseOf([{ ...hit, ...more }]),
    showPassages: async () => [shown],
  };
  const { stdout } = await runCommand(['search', 'x', ...flags], { app, columns, env });
  return stdout.text.split('\n\n')[0] ?? '';
}

const CODE = lines(
  10,
  'export function retry() {',
  '    const wait = «backoff»(attempt);',
  '    log(wait);',
  '',
  '    return «sleep»(wait);',
  '}',
);

describe('a hit on a terminal', () => {
  it('has its name, its location with the score, and the matching lines with their numbers and indentation', async () => {
    expect(await screen({ passage: { lines: CODE } })).toBe(
      [
        '1. §14 Chunking policy',
        '   notes/kebab-architecture.md#L661-L672  0.82',
        '     11      const wait = backoff(attempt);',
        '     14      return sleep(wait);',
      ].join('\n'),
    );
  });

  it('has matches in bold red, and everything except names and lines dim', async () => {
    const shown = await screen({ passage: { lines: CODE }, env: {} });
    expect(shown).toContain('= \u001b[1m\u001b[31mbackoff\u001b[39m\u001b[22m(attempt)');
    expect(shown).toContain('\u001b[2mnotes/kebab-architecture.md#L661-L672\u001b[22m  \u001b[2m0.82\u001b[22m');
    expect(shown).toContain('\u001b[1m§14 Chunking policy\u001b[22m');
  });

  it('does not repeat its heading, and shows more lines if one says little', async () => {
    const passage = {
      lines: lines(1, '## §14 Chunking «policy»', '', 'Heading boundaries come first.', 'Then sizes.'),
    };
    expect((await screen({ passage })).split('\n').slice(2)).toEqual([
      '      3  Heading boundaries come first.',
      '      4  Then sizes.',
    ]);
  });

  it('shows with --context every matching line with its surrounding lines, and marks gaps', async () => {
    const passage = { lines: [...CODE, ...lines(16, 'a', 'b', 'c', 'call «backoff»', 'd')] };
    expect((await screen({ passage, flags: ['-C', '1'] })).split('\n').slice(2)).toEqual([
      '     10  export function retry() {',
      '     11      const wait = backoff(attempt);',
      '     12      log(wait);',
      '     13  ',
      '     14      return sleep(wait);',
      '     15  }',
      '      ⋮',
      '     18  c',
      '     19  call backoff',
      '     20  d',
    ]);
  });

  it('names a symbol without the path that is shown below it', async () => {
    const symbol = 'src/io/printer.Printer.print';
    const code = { doc_path: 'src/io/printer.ts', section_label: symbol };
    const shown = await screen({ hit: code, passage: { label: plain(symbol), lines: CODE } });
    expect(shown.split('\n')[0]).toBe('1. Printer.print');
  });

  it('has the title of its document as a name if it has no section, and only its location if the title is the path', async () => {
    const page = { section_label: null, doc_path: 'a/b.pdf', citation: { ...hit.citation, uri: 'a/b.pdf#p=3' } };
    const passage = { label: null, lines: [{ ...plain('Words of a page.'), number: null, isInside: true }] };
    expect(await screen({ hit: page, passage: { ...passage, title: plain('On Traces') } })).toBe(
      '1. On Traces\n   a/b.pdf#p=3  0.82\n   Words of a page.',
    );
    expect(await screen({ hit: page, passage: { ...passage, title: plain('b') } })).toBe(
      '1. a/b.pdf#p=3  0.82\n   Words of a page.',
    );
  });

  it('has its score on the next line if its location leaves no room for it', async () => {
    const citation = { ...hit.citation, uri: 'work:projects/sourdough.md#L1-L3' };
    const more = { citation, freshness: 'changed' } as const;
    expect((await screen({ columns: 50, hit: more })).split('\n').slice(1, 3)).toEqual([
      '   work:projects/sourdough.md#L1-L3',
      '   0.82  [changed]',
    ]);
    expect(await screen({ columns: 60, hit: more })).toContain('#L1-L3  0.82  [changed]\n');
  });

  it('does not report a passage as empty if it consists only of its name', async () => {
    const shown = await screen({
      hit: { section_label: null },
      passage: { label: null, title: plain('one line'), lines: lines(1, 'one line') },
    });
    expect(shown.split('\n')).toHaveLength(2);
  });

  it('reports that a picture has no text', async () => {
    expect((await screen({ passage: { lines: [] } })).split('\n').at(-1)).toBe('   (no text)');
  });

  it.each([40, 80, 140])('fits into %i columns, whatever its text', async (columns) => {
    const text = `${'word '.repeat(90)}«needle» ${'넓은 글자 '.repeat(60)}`;
    const uri = `${'folder/'.repeat(20)}a.md#L1-L2`;
    const shown = await screen({
      columns,
      hit: { citation: { ...hit.citation, uri } },
      passage: { lines: lines(1, text) },
    });
    for (const row of shown.split('\n')) {
      const width = Array.from(row, (char) => (/\p{Script=Hangul}/u.test(char) ? 2 : 1)).reduce((a, b) => a + b, 0);
      expect(width).toBeLessThanOrEqual(columns);
    }
    expect(shown).toContain('needle');
    expect(shown.replaceAll(/\n\s+/g, '')).toContain(uri);
  });

  it('is a link to the matching line if links are requested', async () => {
    const flags = ['--hyperlink-format', 'vscode'];
    const shown = await screen({ passage: { lines: CODE }, flags });
    expect(shown).toContain(
      '\u001b]8;;vscode://file/kb/notes/a.md:11:1\u001b\\notes/kebab-architecture.md#L661-L672\u001b]8;;\u001b\\',
    );
    expect(await screen({ passage: { lines: CODE } })).not.toContain('\u001b');
  });

  it('shows snippets instead if their length is given', async () => {
    const shown = await screen({ passage: { lines: CODE }, flags: ['--snippet-chars', '90'] });
    expect(shown).toContain('Heading boundaries come first.');
  });

  it('shows its snippet if its passage no longer exists', async () => {
    const shown = await screen({ passage: { chunkId: 'another' } });
    expect(shown).toContain('Heading boundaries come first.');
  });
});
