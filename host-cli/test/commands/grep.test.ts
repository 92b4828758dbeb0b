import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../fakes/run-command.ts';
import { putFiles } from '../../../test/put-files.ts';
import { UserHome } from '../../../test/user-home.ts';

const home = new UserHome();
const { folder } = home;
afterAll(() => home.remove());

let app: App;

const grep = (...line: readonly string[]) => runCommand(['grep', ...line], { app, cwd: path.join(folder, 'notes') });

describe('kebab grep', () => {
  beforeAll(async () => {
    const files = {
      'config/kebab/config.toml': `[[workspace.sources]]\nid = "code"\nroot = ${JSON.stringify(path.join(folder, 'code'))}\n`,
      'notes/a.md': 'Pay bill #68\nand 72% of 68\n',
      'notes/deep/b [x].txt': 'use --hidden here\nMAX_ROWS = 5\nmaxRows = 5\n',
      'notes/.secret': '#68 hidden\n',
      'notes/not-indexed.xyz': 'C++ and 한국어 #680\n',
      'code/main.c': 'int max_rows; // #68\r\n',
    };
    putFiles(folder, files);
    app = await home.open(
      { KEBAB_WORKSPACE_ROOT: home.at('notes'), XDG_CONFIG_HOME: home.at('config') },
      { extractionWorkerUrl: new URL('../../src/extraction-worker.ts', import.meta.url) },
    );
  });

  it.each([
    [['#68\\b'], ['code/main.c:1:int max_rows; // #68', 'notes/a.md:1:Pay bill #68']],
    [['-F', 'C++'], ['notes/not-indexed.xyz:1:C++ and 한국어 #680']],
    [['--', '--hidden'], ['notes/deep/b [x].txt:1:use --hidden here']],
    [['-w', 'MAX_ROWS'], ['notes/deep/b [x].txt:2:MAX_ROWS = 5']],
    [
      ['-i', 'max_?rows', '-c'],
      ['code/main.c:1', 'notes/deep/b [x].txt:2'],
    ],
    [
      ['-l', '68'],
      ['code/main.c', 'notes/a.md', 'notes/not-indexed.xyz'],
    ],
    [['-l', '68', '-g', '!*.md', '--source', 'default'], ['notes/not-indexed.xyz']],
    [
      ['68', '--hidden', '-l', '--source', 'default'],
      ['notes/.secret', 'notes/a.md', 'notes/not-indexed.xyz'],
    ],
    [['한국', '-B', '0'], ['notes/not-indexed.xyz:1:C++ and 한국어 #680']],
  ])('prints the lines of all files of the sources for %j', async (line, expected) => {
    const { code, stdout } = await grep(...line);
    const shown = stdout.text.trimEnd().split(/\r?\n/);
    const absolute = (text: string) => (text.startsWith('/') ? text.slice(folder.length + 1) : `notes/${text}`);
    expect([code, shown.map(absolute).toSorted()]).toEqual([0, [...expected].toSorted()]);
  });

  it.each(['-l', '-c'])('refuses %s with --json, of which it prints none', async (flag) => {
    expect((await grep('68', flag, '--json')).code).toBe(2);
  });

  it('prints tabs as they are, and bytes that are not UTF-8 as an ingest reads them', async () => {
    writeFileSync(home.at('notes/Ölfarbe.txt'), Buffer.from('\tcaf\xe9\t100 %\n', 'latin1'));
    expect((await grep('caf[é]', '-l')).stdout.text).toBe('Ölfarbe.txt\n');
    const { stdout } = await grep('caf', '-g', '*.txt', '--source', 'default');
    expect(stdout.text).toBe('Ölfarbe.txt:1:\tcafé\t100 %\n');
  });

  it('finds a letter beyond ASCII in every file that is not UTF-8, and in those that are so in part', async () => {
    const cream = Buffer.from('cr\xe8me fra\xeeche\n', 'latin1');
    for (let n = 0; n < 501; n++) writeFileSync(home.at(`notes/old-${n}.txt`), cream);
    writeFileSync(home.at('notes/both.txt'), Buffer.concat([Buffer.from('une crème\n'), cream]));
    const lines = (await grep('crème', '-g', '*.txt')).stdout.text.trimEnd().split('\n');
    expect([lines.length, lines[0]]).toEqual([503, 'both.txt:1:une crème']);
    expect(lines).toContain('both.txt:2:crème fraîche');
    for (let n = 0; n < 501; n++) rmSync(home.at(`notes/old-${n}.txt`));
  });

  it.each([
    [[], ['both.txt:1:une crème', 'both.txt:2:crème fraîche']],
    [['-c'], ['both.txt:2']],
    [['-l'], ['both.txt']],
  ])('prints what matches in two encodings once, with %j', async (flags, expected) => {
    const { stdout } = await grep('une|fra|crème', '-g', 'both.txt', ...flags);
    expect(stdout.text.trimEnd().split('\n')).toEqual(expected);
  });

  it('prints each line once with --json too', async () => {
    const events = (await grep('une|fra|crème', '-g', 'both.txt', '--json')).stdout.text.match(/"line_number":\d+/g);
    expect(events).toEqual(['"line_number":1', '"line_number":2']);
  });

  it('prints paths below the working directory as relative ones', async () => {
    expect((await grep('bill')).stdout.text).toBe('a.md:1:Pay bill #68\n');
    expect((await grep('int')).stdout.text).toMatch(/^\/.*code\/main\.c:1:int/);
  });

  it('prints the JSON of ripgrep with --json', async () => {
    const lines = (await grep('bill', '--json')).stdout.text.trimEnd().split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { readonly type: string }).type);
    expect(types).toEqual(['begin', 'match', 'end', 'summary']);
  });

  it('makes control characters of files and names visible', async () => {
    writeFileSync(path.join(folder, 'notes', 'esc\u001b[31m.txt'), 'unique \u001b]0;title\u0007 words\n');
    for (const flags of [[], ['--json']]) {
      const { stdout } = await grep('unique', ...flags);
      expect(stdout.text).toContain('unique');
      for (const character of ['\u001b', '\u0007']) expect(stdout.text).not.toContain(character);
    }
  });

  it('takes only a line feed for the end of a line', async () => {
    writeFileSync(path.join(folder, 'notes', 'separators.txt'), 'one\u2028lonely two\nlonely three\r\n');
    expect((await grep('lonely')).stdout.text.split('\n').filter((line) => line !== '')).toHaveLength(2);
  });

  it('exits with 1 where no line matches', async () => {
    expect(await grep('nothing like this')).toMatchObject({ code: 1, stdout: { text: '' } });
  });

  it('rejects an expression that is none, and a source that is none', async () => {
    const open = await grep('a(');
    expect([open.code, open.stderr.text]).toEqual([2, expect.stringContaining('kebab grep -F')]);
    const unknown = await grep('a', '--source', 'mail');
    expect([unknown.code, unknown.stderr.text]).toEqual([2, expect.stringContaining('"mail"')]);
  });

  it('takes time by the size of the files, whatever the expression', async () => {
    const { code } = await grep('(a|a)*(a|aa)+$b');
    expect(code).toBe(1);
  }, 10_000);
});
