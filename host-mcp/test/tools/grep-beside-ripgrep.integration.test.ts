import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, GrepResult } from '@kebab/core/app';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { newHome, type TestHome } from '../fakes/test-home.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const WORDS =
  'KebabError scopeOf withinBudget useCase throwIfCancelled isKebabError decodeCursor formatSourcePath parseUri blake3Short workspacePath chunkId docId ordinal headingPath freshness snippet_chars nearest_only min_relevance per_doc compilePathGlob IgnoreStack RulesHere Pipelines findSkipped whyAbsent LiveApp serveTool oneLine invalidInput clipped nearestName strictObject exactOptional tsyringe reflect-metadata better-sqlite3 web-tree-sitter satteri kysely mcpServers XDG_STATE_HOME KEBAB_MCP_TOKEN Authorization'.split(
    ' ',
  );
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
  ...WORDS.flatMap((pattern, at): JsonObject[] =>
    at < 21 ? [{ pattern }, { pattern, word: true, case: false }] : [{ pattern }],
  ),
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

  it('compares at least a hundred patterns', () => {
    expect(PATTERNS.length).toBeGreaterThanOrEqual(100);
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

describe('grep beside ripgrep over patterns that the sources themselves contain', () => {
  const folder = path.join(REPOSITORY, 'core/src/search');
  const words = drawn(['-e', String.raw`\b[A-Za-z_]\w{3,}`], 260);
  const texts = drawn(['-e', String.raw`['"][^'"\n]{3,40}['"]`], 80);
  const heads = drawn(['-e', String.raw`^(export )?(async )?function \w+`], 60);
  const patterns: readonly JsonObject[] = [
    ...words.map((pattern, at) => ({ pattern, word: at % 2 === 0, case: at % 3 !== 0 })),
    ...texts.map((pattern) => ({ pattern })),
    ...heads.map((head) => ({
      pattern: String.raw`^(export )?(async )?function ${head.split(' ').at(-1)}\b`,
      regex: true,
    })),
  ];
  let app: App;
  let own: TestHome;
  beforeAll(async () => {
    own = newHome({ env: { KEBAB_WORKSPACE_ROOT: folder } });
    app = await own.openApp();
  });
  afterAll(async () => {
    await app.close();
    await own.close();
  });

  /** As many different matches as wanted, evenly over the sorted ones. */
  function drawn(args: readonly string[], count: number): readonly string[] {
    const printed = execFileSync(rgPath, ['--no-config', '-oIN', '--sort=path', ...args, '.'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const all = [...new Set(printed.split('\n').filter(Boolean))].toSorted((a, b) => (a < b ? -1 : 1));
    return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '');
  }

  it('compares four hundred more', () => {
    expect(patterns.length + PATTERNS.length).toBeGreaterThanOrEqual(500);
  });

  it.each(Array.from({ length: 8 }, (_, part) => part))(
    'has every line that ripgrep prints, part %i of eight',
    async (part) => {
      for (const args of patterns.filter((_, at) => at % 8 === part)) {
        const { pattern, regex, word, case: isExact } = args as unknown as Asked;
        const switches = [...(regex ? [] : ['-F']), ...(word ? ['-w'] : []), ...(isExact === false ? ['-i'] : [])];
        const expected = linesOfRipgrep([...switches, '-e', pattern], folder);
        expect([pattern, (await linesOfKebab(app, args)).toSorted()]).toEqual([pattern, expected.toSorted()]);
      }
    },
    300_000,
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
function linesOfRipgrep(args: readonly string[], cwd = REPOSITORY): readonly string[] {
  const form = ['--no-config', '--null', '-n', '--with-filename', '--no-heading', '--color=never'];
  let printed = '';
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = {
      cwd,
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
