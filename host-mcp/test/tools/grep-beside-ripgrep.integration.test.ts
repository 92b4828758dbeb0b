import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { App, GrepResult } from '@kebab/core/app';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { newHome, type TestHome } from '../fakes/test-home.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const WORDS = ['KebabError', 'throwIfCancelled', 'snippet_chars', 'better-sqlite3', 'XDG_STATE_HOME', 'ordinal'];
const TEXTS = [
  '=> {}',
  '?? []',
  '...(',
  '[[',
  '$(',
  '\\n',
  '**/*',
  'a.b',
  '// ',
  'C++',
  '한국',
  'é',
  '…',
  '\t',
  '#L10',
];
const EXPRESSIONS = [
  '^export (async )?function \\w+',
  '^import type \\{ \\w+ \\}',
  '\\bclass [A-Z]\\w+ implements',
  'interface \\w+ extends',
  '\\d{4}-\\d{2}-\\d{2}T',
  'TODO|FIXME',
  '^\\s*$\\b',
  'throw new \\w+Error\\(',
  '"version": "\\d+\\.',
  '[가-힣]+',
  '\\p{Greek}+',
  '^#{3,} ',
  '^- `[a-z_]+`',
  'await Promise\\.all',
  'satisfies never;$',
  '\\.toSorted\\(\\(a, b\\)',
  'https?://[a-z.]+/',
  '(?i)sqlite\\s+index',
  '^(?:name|title):',
  "from '@kebab/\\w+'",
];
const PATTERNS: readonly JsonObject[] = [
  ...WORDS.flatMap((pattern): JsonObject[] => [{ pattern }, { pattern, word: true, case: false }]),
  ...TEXTS.map((pattern) => ({ pattern })),
  ...EXPRESSIONS.map((pattern) => ({ pattern, regex: true })),
];

describe('grep beside ripgrep over the files of this repository', () => {
  let app: App;
  let own: TestHome;
  beforeAll(async () => {
    own = newHome({ env: { KEBAB_WORKSPACE_ROOT: REPOSITORY } });
    app = await own.openApp();
  });
  afterAll(async () => {
    await app.close();
    await own.close();
  });

  it.each(PATTERNS)(
    'has every line that ripgrep prints for %j',
    async (args) => {
      const { pattern, regex, word, case: isExact } = args as unknown as Asked;
      const switches = [...(regex ? [] : ['-F']), ...(word ? ['-w'] : []), ...(isExact === false ? ['-i'] : [])];
      const expected = linesOfRipgrep([...switches, '-e', pattern]);
      expect((await linesOfKebab(app, args)).toSorted()).toEqual(expected.toSorted());
    },
    120_000,
  );
});

interface Asked {
  readonly pattern: string;
  readonly regex?: true;
  readonly word?: boolean;
  readonly case?: boolean;
}

/** `path:line:text` of every line of every page; without the text of a long one. */
async function linesOfKebab(app: App, args: JsonObject): Promise<readonly string[]> {
  const { pattern, regex, word, case: isExact } = args as unknown as Asked;
  const lines = new Set<string>();
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: GrepResult = await app.grep({
      pattern,
      regex,
      word,
      case: isExact,
      limit: 1000,
      cursor: cursor ?? undefined,
    });
    for (const file of page.files)
      for (const { line, text, column } of file.lines) {
        const key = `${file.path}:${line}:${column === undefined ? text : ''}`;
        if (column === undefined) expect(lines).not.toContain(key);
        lines.add(key);
      }
    cursor = page.next_cursor;
  }
  return [...lines];
}

/** `path:line:text` of each line; without the text of a long one. */
function linesOfRipgrep(args: readonly string[]): readonly string[] {
  const form = ['--no-config', '--null', '-n', '--with-filename', '--no-heading', '--color=never'];
  let printed = '';
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = {
      cwd: REPOSITORY,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    };
    printed = execFileSync(rgPath, [...form, ...args], options);
  } catch (error) {
    if ((error as { readonly status?: number }).status !== 1) throw error;
  }
  const lines = printed.split('\n').filter((line) => line !== '' && !/^[^\0]*: (?:WARNING|binary file)/.test(line));
  return lines.map((line) => {
    const [file = '', rest = ''] = line.split('\0');
    const at = rest.indexOf(':');
    const text = rest.slice(at + 1).replace(/\r$/, '');
    return `${file}:${rest.slice(0, at)}:${text.length > 500 ? '' : text}`;
  });
}
