import * as fc from 'fast-check';
import { createMarkdownExtractor } from '../../../plugins/md/src/md-extractor.ts';
import { createHeadingChunker } from '../../../plugins/md/src/chunk/md-heading-chunker.ts';
import { findFrontMatter, parseFrontMatter } from '../../../plugins/md/src/front-matter/parse-front-matter.ts';
import { readMetadata } from '../../../plugins/md/src/front-matter/read-metadata.ts';
import { compilePathGlob } from '../../../core/src/domain/path-glob.ts';
import { analyseQuery } from '../../../core/src/analysis/analyse-query.ts';
import { loadConfigFile } from '../../../core/src/config/load-config.ts';
import { settingsOf } from '../../../core/src/config/read-config-files.ts';
import { formatUri, parseUri } from '../../../core/src/domain/uri.ts';
import { isKebabError } from '../../../core/src/errors/kebab-error.ts';
import { RulesHere } from '../../../core/src/ingest/scan/ignore-rules.ts';
import { decodeCursor, encodeCursor } from '../../../core/src/paging/cursor.ts';
import { parseFilters } from '../../../core/src/requests/filters.ts';
import { parseSearchRequest } from '../../../core/src/requests/search.ts';
import { readOperators } from '../../../core/src/search/read-operators.ts';
import { extractDocument } from '@kebab/testing';
import { bundledKeys } from '../../../core/test/config/bundled-keys.ts';
import { serveStdio } from '../../../host-mcp/src/transport/serve-stdio.ts';
import { fakeSurface } from '../../../host-mcp/test/fakes/fake-surface.ts';

/** A property that holds for every input of a kind. */
export interface Fuzzed {
  readonly name: string;
  /** The cost of one input relative to the cheapest property. */
  readonly weight: number;
  readonly property: fc.IRawProperty<unknown>;
}

/** Texts of a few tokens in random order; most of them are almost valid. */
const soup = (signs: readonly string[], maxLength = 40): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...signs) }, fc.string({ unit: 'binary', maxLength: 3 })), {
      maxLength,
    })
    .map((parts) => parts.join(''));

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 200 }));
const FRONT_MATTER = soup(['title: ', 'tags: ', 'date: ', 'lang: ', 'a', '- ', '  ', '[', ']', '{', '}', ', ', ': ', '"', "'", '|', '>', '&a ', '*a', '!!x ', '#', '\n', '\n', '~', '2024-01-02', '1e9', 'yes', '= ', '[[', '\t', '\r\n', '---', '...', '? ']); // prettier-ignore
const MARKDOWN = soup(['# ', '## ', 'word ', 'ß ', '한글 ', '*', '**', '_', '`', '```', '~~~', '[', ']', '(', ')', '<', '>', '!', '|', '|-|', '\n', '\n', '\n\n', '- ', '1. ', '    ', '\t', '> ', '&amp;', '&#0;', '\\', 'http://a.b', '[^1]', '[^1]: ', '---', '===', '<!--', '-->', '<b>', '#tag', '\r\n', '\u2028', '😀', '\ud800'], 60); // prettier-ignore
const GLOB = soup(
  ['*', '**', '/', '?', '[', ']', '!', '-', '{', '}', ',', '\\', 'a', 'b', '.md', '^', '한', '+(', ')', '|', '..'],
  25,
);
const RULE = soup(['*', '**', '/', '?', '[', ']', '!', '-', '\\', 'a', 'b', '.md', '#', ' ', '{', '}', '\r'], 20);
const QUERY = soup(['wombat ', '"', '-', '+', 'tag:', 'path:', 'since:', 'NOT ', 'OR ', '(', ')', ':', '*', ' ', '한글', 'a.b_c', '#', '@', '\\', '\0', '\u001b', '😀', '2024-01', '*.md', 'media:pdf '], 30); // prettier-ignore
const TOML = soup(['[', ']', '[[', '=', ' = ', '"', "'", '"""', '\n', '\n', 'search', 'default_k', '.', '1', '1e9', 'true', '2024-01-02', '{', '}', ',', '#', 'plugins', 'workspace', '\\', '\\u0000', '__proto__', '\t', '-', '0x', 'inf'], 40); // prettier-ignore
const KEYS = [
  'schema_version',
  'plugins',
  'workspace',
  'search',
  'storage',
  'models',
  'indexing',
  'mcp',
  'root',
  'sources',
  'default_k',
  'sqlite',
  'llm',
  'embedding',
  'endpoint',
  'provider',
  '__proto__',
  'constructor',
  'x',
];
const TREE = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ maxLength: 8 }),
    fc.date(),
    fc.bigInt(),
    fc.constant(undefined),
  ),
  tree: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 5 }),
  ),
})).tree;
const PATH = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'a.md', '.x', '한.md', ' ', '#a', '!b'), { minLength: 1, maxLength: 5 })
  .map((names) => names.join('/'));

/** Runs something that may throw; true unless the error has none of these codes. */
function refusesOnly(codes: readonly string[], run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (isKebabError(error) && codes.includes(error.code)) return true;
    throw error;
  }
}

const POLICY = {
  targetTokens: 20,
  overlapTokens: 0,
  maxChunkTokens: 40,
  respectMarkdownHeadings: true,
  maxUnitLines: 200,
  windowLines: 80,
  windowOverlapLines: 20,
} as const;
const REVISION = { corpusRevision: 7, queryHash: '0123456789abcdef' };

/** Every property, by subject. */
export const FUZZED: readonly Fuzzed[] = [
  {
    name: 'front matter of any shape gives metadata or is text',
    weight: 4,
    property: fc.asyncProperty(FRONT_MATTER, fc.constantFrom('---', '+++'), async (raw, fence) => {
      const found = findFrontMatter(`${fence}\n${raw}\n${fence}\n# one\n`);
      const parsed = found === undefined ? undefined : await parseFrontMatter(found);
      if (parsed !== undefined) JSON.stringify(readMetadata(parsed));
      return true;
    }),
  },
  {
    name: 'Markdown of any shape becomes chunks that are slices of it',
    weight: 20,
    property: fc.asyncProperty(MARKDOWN, async (source) => {
      const document = await extractDocument(createMarkdownExtractor(), 'a.md', Buffer.from(source));
      const chunks = createHeadingChunker().chunk(document, POLICY);
      return chunks.every(({ start, end }) => start >= 0 && start <= end && end <= document.text.length);
    }),
  },
  {
    name: 'a glob of any shape says yes or no',
    weight: 1,
    property: fc.property(GLOB, PATH, (glob, path) => typeof compilePathGlob(glob)(path) === 'boolean'),
  },
  {
    name: 'rules of any shape have an opinion on every entry, or none',
    weight: 1,
    property: fc.property(fc.array(RULE, { maxLength: 4 }), PATH, fc.boolean(), (rules, path, isDirectory) => {
      const names = path.split('/');
      const here = names.slice(0, -1).reduce((above, name) => above.inside(name), RulesHere.of(rules));
      return ['ignore', 'keep', null].includes(here.opinion(names.at(-1) ?? '', isDirectory));
    }),
  },
  {
    name: 'a query of any shape is analysed, and its operators are read',
    weight: 4,
    property: fc.property(fc.oneof(QUERY, anyText), (text) => {
      analyseQuery(text);
      return refusesOnly(['invalid_input'], () => readOperators(text, analyseQuery));
    }),
  },
  {
    name: 'a search request of any shape is read or refused',
    weight: 2,
    property: fc.property(
      fc.dictionary(
        fc.constantFrom('query', 'k', 'mode', 'tag', 'since', 'path_glob', 'cursor', 'page', 'x'),
        fc.jsonValue(),
      ),
      (request) => refusesOnly(['invalid_input'], () => parseSearchRequest(request)),
    ),
  },
  {
    name: 'filters of any shape are read or refused',
    weight: 2,
    property: fc.property(
      fc.dictionary(
        fc.constantFrom('tag', 'since', 'until', 'media', 'lang', 'trust_min', 'doc_id', 'source', '__proto__'),
        fc.oneof(QUERY, fc.jsonValue()),
      ),
      (request) => refusesOnly(['invalid_input'], () => parseFilters(request)),
    ),
  },
  {
    name: 'a cursor of any text is refused, and one that was written is read back',
    weight: 1,
    property: fc.property(
      fc.oneof(
        anyText,
        fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      ),
      fc.nat(),
      (text, offset) => {
        const state = { ...REVISION, offset, stages: ['lexical'] } as const;
        const read = decodeCursor(encodeCursor(state), REVISION);
        return (
          read.offset === offset && refusesOnly(['invalid_input', 'stale_cursor'], () => decodeCursor(text, REVISION))
        );
      },
    ),
  },
  {
    name: 'a URI of any text is read or refused, and what was read is written as it was',
    weight: 1,
    property: fc.property(
      fc.oneof(
        anyText,
        soup([
          'a',
          '.md',
          '#',
          'L',
          '1',
          '-',
          'p=',
          'xywh=',
          ',',
          't=',
          '%23',
          '%25',
          '%',
          ':',
          'work:',
          '/',
          '..',
          '&',
          'caption',
          '\0',
        ]),
      ),
      (text) =>
        refusesOnly(['invalid_input'], () => {
          const read = parseUri(text);
          const again = parseUri(formatUri(read));
          if (JSON.stringify(again.fragment) !== JSON.stringify(read.fragment) || again.path !== read.path)
            throw new Error(`${JSON.stringify(read)} is read back as ${JSON.stringify(again)}`);
        }),
    ),
  },
  {
    name: 'bytes of any kind on a pipe do not keep the next request from its answer',
    weight: 8,
    property: fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      ),
      async (bytes) => {
        const lines: string[] = [];
        const ping = '{"jsonrpc":"2.0","id":"the next one","method":"ping"}\n';
        async function* input(): AsyncGenerator<Uint8Array> {
          yield bytes;
          yield Buffer.from(`\n${ping}`);
        }
        await serveStdio({
          input: input(),
          write: (line) => lines.push(line),
          surface: fakeSurface(),
        });
        return lines.some((line) => line.includes('"the next one"')) && !lines.some((line) => line.includes('-32603'));
      },
    ),
  },
  {
    name: 'a configuration of any text is parsed or refused with its place',
    weight: 4,
    property: fc.asyncProperty(TOML, fc.constantFrom('/x/a.toml', '/x/a.json', '/x/a.yaml'), async (text, file) => {
      try {
        settingsOf(bundledKeys, file, await loadConfigFile(file, text));
        return true;
      } catch (error) {
        return refusesOnly(['config_invalid'], () => {
          throw error;
        });
      }
    }),
  },
  {
    name: 'a configuration of any values is accepted or refused',
    weight: 2,
    property: fc.property(TREE, (table) =>
      refusesOnly(['config_invalid'], () => settingsOf(bundledKeys, '/x/a.toml', { table, text: '' })),
    ),
  },
];
