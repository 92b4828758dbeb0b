// Generated from templates/ by scripts/embed-templates.mjs; run it again after each change.
import type { TemplateFiles } from './template-files.ts';

/** The version of this package, and of the kebab that plugins are begun for. */
export const RELEASE = '0.1.0';

/** What every project begins with. */
export const COMMON_FILES: TemplateFiles = {
  '.github/workflows/ci.yml': `name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 22, 24]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm install
      - run: npm test
`,
  gitignore: `node_modules/
dist/
`,
  'package.template.json': `{
  "name": "{{name}}",
  "version": "0.1.0",
  "description": "{{summary}}",
  "keywords": ["kebab-plugin"],
  "license": "MIT",
  "files": ["dist"],
  "type": "module",
  "sideEffects": false,
  "exports": {
    ".": {
      "types": "./dist/src/index.d.ts",
      "default": "./dist/src/index.js"
    },
    "./package.json": "./package.json"
  },
  "scripts": {
    "build": "tsc",
    "test": "tsc && node --test dist/test/contract.test.js dist/test/readme.test.js",
    "readme": "tsc && node dist/test/write-readme.js"
  },
  "dependencies": {
    "zod": "^4.2.0"
  },
  "peerDependencies": {
    "@kebab/core": "^{{version}}"
  },
  "devDependencies": {
    "@kebab/core": "^{{version}}",
    "@types/node": "^20.19.0",
    "typescript": "^5.9.0 || ^7.0.0"
  },
  "engines": {
    "node": "^20.19 || >=22.14"
  },
  "kebab": {
    "apiVersion": 1,
    "contributes": {
      "{{kind}}": ["{{id}}"]
    },
    "permissions": "{{permissions}}",
    "fixtures": "./dist/test/fixtures.js"
  }
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "rewriteRelativeImportExtensions": true,
    "declaration": true,
    "skipLibCheck": true,
    "rootDir": ".",
    "outDir": "dist"
  },
  "include": ["src", "test"]
}
`,
  'test/contract.test.ts': `import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { declareSuite, manifestFrom, pluginSuites } from '@kebab/core/testing';
import plugin from '../src/index.ts';
import { fixtures } from './fixtures.ts';

const packageJson = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

for (const suite of pluginSuites({ plugin, fixtures, manifest: manifestFrom(packageJson) }))
  declareSuite(suite, { describe, it });
`,
  'test/readme.test.ts': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { withSettings } from '@kebab/core/testing';
import plugin from '../src/index.ts';

void describe('README.md', () => {
  void it('tells every setting (npm run readme writes it)', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    assert.equal(readme, withSettings(readme, plugin));
  });
});
`,
  'test/write-readme.ts': `import { readFileSync, writeFileSync } from 'node:fs';
import { withSettings } from '@kebab/core/testing';
import plugin from '../src/index.ts';

const file = new URL('../../README.md', import.meta.url);
writeFileSync(file, withSettings(readFileSync(file, 'utf8'), plugin));
`,
};

/** What a project of each kind begins with besides. */
export const KIND_FILES: Readonly<Record<string, TemplateFiles>> = {
  captioner: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`largeFrom\` | \`1000000\` | integer | a picture of as many pixels is called large |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/captioner.ts': `import { invalidInput, throwIfCancelled, type Captioner } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly largeFrom: number;
}

/** What can be said of a picture. */
interface Seen {
  readonly width: number;
  readonly height: number;
  readonly isLarge: boolean;
  readonly hasColours: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEAD_BYTES = 33;
/** Colour types of a PNG that know nothing but grey. */
const GREY: ReadonlySet<number> = new Set([0, 4]);

/** One sentence by language, on one line; kebab asks in the language of the document or of the user. */
const SENTENCES: Readonly<Record<string, (seen: Seen) => string>> = {
  en: ({ width, height, isLarge, hasColours }) =>
    \`A \${isLarge ? 'large' : 'small'} picture \${hasColours ? 'in colour' : 'in shades of grey'}, \${width} by \${height} pixels.\`,
  ko: ({ width, height, isLarge, hasColours }) =>
    \`가로 \${width}, 세로 \${height} 픽셀의 \${isLarge ? '큰' : '작은'} \${hasColours ? '컬러' : '흑백'} 그림.\`,
};

/**
 * Makes the captioner: it says what the head of a PNG tells. Put your model in place of \`look\`, and give it the signal; what
 * it says must be one short line in the asked language.
 */
export function createCaptioner({ largeFrom }: Settings): Captioner {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => \`{{id}}@1+\${largeFrom}\`,
    caption: async ({ png, lang }, { signal }) => {
      throwIfCancelled(signal, 'caption');
      const say = SENTENCES[lang] ?? SENTENCES['en'];
      const text = say?.(look(png, largeFrom)) ?? '';
      return { text, model: '{{id}}', modelVersion: '1' };
    },
  };
}

/** What the head of a PNG tells. Throws \`invalid_input\` for bytes that are no PNG. */
function look(png: Uint8Array, largeFrom: number): Seen {
  const head = Buffer.from(png.buffer, png.byteOffset, Math.min(png.byteLength, HEAD_BYTES));
  if (head.length < HEAD_BYTES || !head.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw invalidInput('the picture is not a PNG', { field: 'png' });
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  return { width, height, isLarge: width * height >= largeFrom, hasColours: !GREY.has(head.readUInt8(25)) };
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Says in one more way what pictures show. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    largeFrom: z.int().min(1).default(1_000_000).describe('a picture of as many pixels is called large'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    captioner: {
      '{{id}}': async ({ config }) => (await import('./captioner.ts')).createCaptioner(config),
    },
  },
});
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the captioner, and a picture in which there is something to see. */
export const fixtures: PluginFixtures = {
  captioner: {
    '{{id}}': (make) => ({ open: async () => ({ captioner: await make() }), png: png(640, 480) }),
  },
};

/** The parts of a PNG that the captioner looks at: signature, and a head that says size and colours. */
function png(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(25);
  head.writeUInt32BE(13);
  head.write('IHDR', 4, 'latin1');
  head.writeUInt32BE(width, 8);
  head.writeUInt32BE(height, 12);
  head.set([8, 2], 16);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(Buffer.concat([signature, head]));
}
`,
  },
  chunker: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

There is nothing to set.

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/chunker.ts': `import { TextSizer, cutAtLines, hashPolicy, type Chunker, type TextRange } from '@kebab/core';

/** The settings this chunker reads, and no others: its policy hash is made of exactly these. */
const READS = ['targetTokens', 'maxChunkTokens'] as const;

/** Makes the chunker: whole sections where they fit, blocks joined up to the target where they do not, no overlap. */
export function createChunker(): Chunker {
  return {
    id: '{{id}}',
    version: '1',
    needs: { spans: ['line'] },
    chunkerVersion: '{{id}}-v1',
    fingerprint: () => '{{id}}@1',
    policyHash: (policy) => hashPolicy(policy, READS),
    chunk: ({ text, blocks }, { targetTokens, maxChunkTokens }) => {
      const sized = { text, sizer: new TextSizer(text) };
      const pieces: TextRange[] = [];
      for (const { kind, start, end } of blocks) {
        const open = pieces.at(-1);
        const joins = open !== undefined && kind !== 'heading' && sized.sizer.tokens(open.start, end) <= targetTokens;
        if (joins) pieces[pieces.length - 1] = { start: open.start, end };
        else pieces.push({ start, end });
      }
      return pieces.flatMap((piece) =>
        sized.sizer.tokens(piece.start, piece.end) <= maxChunkTokens
          ? [piece]
          : cutAtLines(sized, piece, maxChunkTokens),
      );
    },
  };
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';

/** Cuts documents in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    chunker: {
      '{{id}}': async () => (await import('./chunker.ts')).createChunker(),
    },
  },
});
`,
    'test/fixtures.ts': `import { sampleWrite, type PluginFixtures } from '@kebab/core/testing';

const NOTE = '# One\\n\\nA paragraph.\\n\\nAnother, 한국어.\\n\\n# Two\\n\\nThe last.\\n';
const LONG = \`# Long\\n\\n\${'A sentence of some words. '.repeat(400)}\\n\\n\${'one line\\n'.repeat(300)}\\n\`;

/** What the suite is given: documents of the kind the chunker cuts. */
export const fixtures: PluginFixtures = {
  chunker: {
    '{{id}}': (make) => ({
      make,
      documents: ['', ' \\n', NOTE, LONG, '가나다라'.repeat(3000)].map(
        (text, at) => sampleWrite(\`\${at}.md\`, text).document,
      ),
      reads: ['targetTokens', 'maxChunkTokens'],
      overlap: 'none',
    }),
  },
};
`,
  },
  embedder: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`dimensions\` | \`256\` | integer | numbers in a vector |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/embedder.ts': `import { throwIfCancelled, type Embedder } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly dimensions: number;
}

/** Makes the embedder: words and their beginnings, hashed into the numbers of a vector. It needs no model and no network. */
export function createEmbedder({ dimensions }: Settings): Embedder {
  return {
    id: '{{id}}',
    version: '1',
    modelId: '{{id}}',
    modelVersion: 'v1',
    dimensions,
    maxInputTokens: 1_000_000,
    languages: null,
    relevance: { floor: 0.1, ceil: 0.8 },
    fingerprint: () => \`{{id}}@1+\${dimensions}\`,
    embed: async (inputs, { signal } = {}) => {
      throwIfCancelled(signal, 'embed');
      return inputs.map(({ text }) => vectorOf(text, dimensions));
    },
  };
}

/** A unit vector, or null for a text without words. */
function vectorOf(text: string, dimensions: number): Float32Array | null {
  const sums = new Float64Array(dimensions);
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\\p{L}\\p{N}]+/gu))
    for (const [feature, weight] of [
      [word, 1],
      [\`\${word.slice(0, 4)}…\`, 0.5],
    ] as const) {
      const hash = hashOf(feature);
      const at = (hash >>> 1) % dimensions;
      sums[at] = (sums[at] ?? 0) + (hash % 2 === 0 ? weight : -weight);
    }
  const length = Math.hypot(...sums);
  return length === 0 ? null : Float32Array.from(sums, (sum) => sum / length);
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Turns texts into vectors in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    dimensions: z.int().min(16).max(4096).default(256).describe('numbers in a vector'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    embedder: {
      '{{id}}': async ({ config }) => (await import('./embedder.ts')).createEmbedder(config),
    },
  },
});
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the embedder, in the English the suite brings. */
export const fixtures: PluginFixtures = {
  embedder: { '{{id}}': (make) => ({ create: make }) },
};
`,
  },
  extractor: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`headings\` | \`true\` | boolean | take heading lines for headings; without it everything is a paragraph |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/extractor.ts': `import { decodeText, paragraphsOf, type BlockDraft, type Extractor } from '@kebab/core';

/** File names that end in one of these are read; lower case, without the dot. */
const EXTENSIONS: readonly string[] = ['{{id}}'];
/** The line that begins a section, with its heading as the first group. */
const HEADING = /^== +(\\S.*?) +==$/;

/** What a user can set. */
export interface Settings {
  readonly headings: boolean;
}

/** Makes the extractor: text between blank lines as paragraphs, under the headings that stand on lines of their own. */
export function createExtractor({ headings }: Settings): Extractor {
  return {
    id: '{{id}}',
    version: '1',
    match: { extensions: EXTENSIONS },
    isolation: 'worker',
    fingerprint: () => \`{{id}}@1+headings=\${headings}\`,
    supports: (media) => media.kind === 'other' && EXTENSIONS.includes(media.ext),
    parserVersion: () => '{{id}}-v1',
    chunkerId: () => 'md-heading-v1',
    extract: async ({ bytes }) => {
      const { text, warnings } = decodeText(bytes);
      return { text, warnings, blocks: blocksOf(text, headings ? HEADING : null) };
    },
  };
}

/** Blocks in order, disjoint, and covering everything but white space: what the contract asks for. */
function blocksOf(text: string, pattern: RegExp | null): readonly BlockDraft[] {
  let headingPath: readonly string[] = [];
  return paragraphsOf(text).flatMap(({ start, end, firstLine, lastLine }): readonly BlockDraft[] => {
    const newline = text.indexOf('\\n', start);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    const heading = pattern?.exec(text.slice(start, lineEnd))?.[1];
    if (heading === undefined)
      return [
        { kind: 'paragraph', start, end, headingPath, sourceSpan: { kind: 'line', start: firstLine, end: lastLine } },
      ];
    const span = { kind: 'line', start: firstLine, end: firstLine } as const;
    const block: BlockDraft = {
      kind: 'heading',
      level: 1,
      text: heading,
      start,
      end: lineEnd,
      headingPath: [],
      sourceSpan: span,
    };
    headingPath = [heading];
    if (lineEnd === end) return [block];
    const rest = { kind: 'line', start: firstLine + 1, end: lastLine } as const;
    return [block, { kind: 'paragraph', start: lineEnd + 1, end, headingPath, sourceSpan: rest }];
  });
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Reads files of one more format. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    headings: z
      .boolean()
      .default(true)
      .describe('take heading lines for headings; without it everything is a paragraph'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    extractor: {
      '{{id}}': async ({ config }) => (await import('./extractor.ts')).createExtractor(config),
    },
  },
});
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

const SAMPLE = \`
== First section ==
One line. 한국어 한 줄. 😀

Two lines
in one paragraph.

== Second section ==

The last paragraph.
\`;

/** What the suite is given: at least one file of the format. Add what has been awkward. */
export const fixtures: PluginFixtures = {
  extractor: {
    '{{id}}': (make) => ({
      make,
      fixtures: [
        { path: 'sample.{{id}}', content: SAMPLE },
        { path: 'windows.{{id}}', content: SAMPLE.replaceAll('\\n', '\\r\\n') },
      ],
    }),
  },
};
`,
  },
  groundedness: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`minWordChars\` | \`3\` | integer | shorter words say nothing about a claim |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/checker.ts': `import { throwIfCancelled, type Entailment, type GroundednessChecker } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly minWordChars: number;
}

/** Makes the checker: a claim is supported as far as its words stand in a passage. It contradicts nothing. */
export function createChecker({ minWordChars }: Settings): GroundednessChecker {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => \`{{id}}@1+\${minWordChars}\`,
    check: async (claims, passages, { signal } = {}) => {
      throwIfCancelled(signal, 'check');
      const held = passages.map((passage) => new Set(wordsOf(passage, minWordChars)));
      return claims.map((claim) => {
        const words = wordsOf(claim, minWordChars);
        return held.map((passage) => judge(words, passage));
      });
    },
  };
}

function judge(words: readonly string[], passage: ReadonlySet<string>): Entailment {
  const entailment = words.length === 0 ? 0 : words.filter((word) => passage.has(word)).length / words.length;
  return { entailment, neutral: 1 - entailment, contradiction: 0 };
}

function wordsOf(text: string, minChars: number): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\\p{L}\\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= minChars);
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Judges in one more way whether passages support claims. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    minWordChars: z.int().min(1).max(10).default(3).describe('shorter words say nothing about a claim'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    groundedness: {
      '{{id}}': async ({ config }) => (await import('./checker.ts')).createChecker(config),
    },
  },
});
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the checker, and that it can tell a repeated claim from one about something else. */
export const fixtures: PluginFixtures = {
  groundedness: { '{{id}}': (make) => ({ make, judges: true }) },
};
`,
  },
  hook: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`forbidden\` | \`[]\` | array | a question with one of these words is stopped |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/hook.ts': `import type { Hook, Logger } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly forbidden: readonly string[];
}

/**
 * Makes the hook: questions with a forbidden word are stopped, and what was found, answered and taken in is counted in the
 * log. It sees frozen copies; to add something to a question is the business of an interceptor.
 */
export function createHook({ forbidden }: Settings, log: Logger): Hook {
  const words = new Set(forbidden.flatMap(wordsOf));
  return {
    onPromptSubmit: async ({ userItem }) => {
      const found = wordsOf(userItem.text).find((word) => words.has(word));
      return found === undefined
        ? { action: 'continue' }
        : { action: 'cancel', reason: \`questions about "\${found}" are not asked here\` };
    },
    onRetrieved: (response) => log.info('found', { hits: countOf(response, 'hits') }),
    onAnswer: (answer) => log.info('answered', { citations: countOf(answer, 'citations') }),
    onIngested: (report) => log.info('taken in', { files: countOf(report, 'items') }),
  };
}

/** How many entries a list of a wire object has. Counts are logged, and no text: logs are read by others than the asker. */
function countOf(object: unknown, list: string): number {
  const entries = (object as Readonly<Record<string, unknown>>)[list];
  return Array.isArray(entries) ? entries.length : 0;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\\p{L}\\p{N}]+/gu) ?? []
  );
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Watches in one more way what is asked and answered. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    forbidden: z.array(z.string().min(1)).default([]).describe('a question with one of these words is stopped'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    hook: {
      '{{id}}': async ({ config, log }) => (await import('./hook.ts')).createHook(config, log),
    },
  },
});
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the hook, with a word that stands in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  hook: { '{{id}}': (make) => ({ make: () => make({ config: { forbidden: ['words'] } }) }) },
};
`,
  },
  interceptor: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`terms\` | \`{"KB":"knowledge base, the documents that kebab searches"}\` | object | what terms mean; the model is told of those that stand in a question |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Adds to questions in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    terms: z
      .record(z.string().min(1), z.string().min(1))
      .default({ KB: 'knowledge base, the documents that kebab searches' })
      .describe('what terms mean; the model is told of those that stand in a question'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    interceptor: {
      '{{id}}': async ({ config }) => (await import('./interceptor.ts')).createInterceptor(config),
    },
  },
});
`,
    'src/interceptor.ts': `import type { Interceptor } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly terms: Readonly<Record<string, string>>;
}

/**
 * Makes the interceptor: behind a question that has terms of the glossary goes a message that says what they mean. It may
 * also stop a question: \`{ action: 'cancel', reason }\`.
 */
export function createInterceptor({ terms }: Settings): Interceptor {
  return {
    onPromptSubmit: async ({ userItem }) => {
      const words = new Set(userItem.text.match(/[\\p{L}\\p{N}]+/gu));
      const meant = Object.entries(terms).filter(([term]) => words.has(term));
      if (meant.length === 0) return { action: 'continue' };
      const lines = meant.map(([term, meaning]) => \`\${term}: \${meaning}\`);
      return { action: 'continueWith', items: [{ role: 'system', text: \`What terms mean:\\n\${lines.join('\\n')}\` }] };
    },
  };
}
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the interceptor, with a term that stands in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  interceptor: {
    '{{id}}': (make) => ({ make: () => make({ config: { terms: { words: 'what a text is made of' } } }) }),
  },
};
`,
  },
  llm: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`endpoint\` | \`"http://127.0.0.1:8080"\` | string | address of the server |
| \`model\` | \`"default"\` | string | name of the model on the server |
| \`contextTokens\` | \`8192\` | integer | tokens that the model takes in |
| \`timeoutS\` | \`60\` | integer | seconds until the first token must have come |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Lets one more model answer questions. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    endpoint: z.url().default('http://127.0.0.1:8080').describe('address of the server'),
    model: z.string().min(1).default('default').describe('name of the model on the server'),
    contextTokens: z.int().min(512).default(8192).describe('tokens that the model takes in'),
    timeoutS: z.int().min(1).default(60).describe('seconds until the first token must have come'),
  }),
  permissions: { fs: 'none', net: ['127.0.0.1', 'localhost'], spawn: [] },
  contributes: {
    llm: {
      '{{id}}': async ({ config, fetch }) => {
        if (fetch === undefined) throw new Error('a model on a server needs the network');
        return (await import('./language-model.ts')).createModel(config, fetch);
      },
    },
  },
});
`,
    'src/language-model.ts': `import { KebabError, type GenerateRequest, type LanguageModel, type TokenChunk } from '@kebab/core';
import { linesOf } from './lines-of.ts';

/** What a user can set. */
export interface Settings {
  readonly endpoint: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly timeoutS: number;
}

/** What the server writes, a JSON object a line: tokens, then how it ended. */
type ServerLine =
  | { readonly token: string }
  | { readonly done: 'stop' | 'length'; readonly prompt_tokens: number; readonly completion_tokens: number };

/** Makes the model: \`POST <endpoint>/generate\`, answered by a stream of JSON lines. */
export function createModel(settings: Settings, fetchFrom: typeof fetch): LanguageModel {
  return {
    id: '{{id}}',
    version: '1',
    model: { id: settings.model, provider: '{{id}}' },
    contextTokens: settings.contextTokens,
    fingerprint: () => \`{{id}}@1+\${settings.model}\`,
    generate: (request, { signal = new AbortController().signal } = {}) =>
      answer(request, { settings, fetchFrom, signal }),
    health: async () => {
      try {
        await fetchFrom(settings.endpoint);
        return null;
      } catch (error) {
        return { problem: \`\${settings.endpoint} does not answer (\${messageOf(error)})\`, remedy: 'start the server' };
      }
    },
  };
}

interface Call {
  readonly settings: Settings;
  readonly fetchFrom: typeof fetch;
  readonly signal: AbortSignal;
}

/** Before the first token failures are thrown; behind it they are the end of the stream. */
async function* answer(request: GenerateRequest, call: Call): AsyncGenerator<TokenChunk> {
  const usage = { promptTokens: 0, completionTokens: 0 };
  const ended = new AbortController(); // ends the request also when nobody reads on
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ended.abort();
  }, call.settings.timeoutS * 1000);
  const onAbort = (): void => ended.abort();
  call.signal.addEventListener('abort', onAbort, { once: true });
  let began = false;
  try {
    if (call.signal.aborted) return yield { kind: 'done', finishReason: 'aborted', usage };
    for await (const line of linesOf(await post(request, call, ended.signal))) {
      const read = JSON.parse(line) as ServerLine;
      clearTimeout(timer);
      if ('done' in read) {
        const counted = { promptTokens: read.prompt_tokens, completionTokens: read.completion_tokens };
        return yield { kind: 'done', finishReason: read.done, usage: counted };
      }
      began = true;
      usage.completionTokens++;
      yield { kind: 'token', token: read.token };
    }
    throw new Error('the stream broke off');
  } catch (error) {
    if (call.signal.aborted) return yield { kind: 'done', finishReason: 'aborted', usage };
    if (began) return yield { kind: 'done', finishReason: 'error', error: messageOf(error), usage };
    throw failureOf(error, call.settings, late);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', onAbort);
    ended.abort();
  }
}

async function post(
  { messages, stop, maxTokens, temperature, seed }: GenerateRequest,
  { settings: { endpoint, model }, fetchFrom }: Call,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetchFrom(new URL('generate', \`\${endpoint}/\`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stop, max_tokens: maxTokens, temperature, seed }),
    signal,
  });
  if (response.status === 404)
    throw new KebabError('model_not_pulled', \`the server at \${endpoint} has no model "\${model}"\`, {
      details: { model, provider: '{{id}}' },
    });
  if (!response.ok || response.body === null) throw new Error(\`the server answered \${response.status}\`);
  return response.body;
}

function failureOf(error: unknown, { endpoint, model, timeoutS }: Settings, late: boolean): Error {
  if (error instanceof KebabError) return error;
  if (late)
    return new KebabError('timeout', \`\${model} wrote nothing within \${timeoutS} s\`, {
      details: { operation: 'generate', after_ms: timeoutS * 1000 },
      cause: error,
    });
  const cause = messageOf(error);
  return new KebabError('model_unreachable', \`\${model} at \${endpoint} cannot be reached: \${cause}\`, {
    details: { endpoint, model, cause },
    cause: error,
  });
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\\n', 1)[0] ?? '';
}
`,
    'src/lines-of.ts': `/** The lines of a stream of bytes, whole: a line or a character may come in several pieces. Blank ones are left out. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = \`\${rest}\${decoder.decode(piece, { stream: true })}\`.split('\\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
`,
    'test/fake-server.ts': `import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly text: string }[];
  readonly stop: readonly string[];
  readonly max_tokens: number;
}

/** A server of models that go wrong in the ways of their names, on a free port of this machine. */
export interface FakeServer {
  readonly url: string;
  /** Resolves when a stream was closed from the other side. */
  readonly stopped: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a server that answers the last message of a request with \`reply\`, word by word. */
export async function startServer(reply: (prompt: string) => string): Promise<FakeServer> {
  let wasStopped = (): void => {};
  const stopped = new Promise<void>((resolve) => (wasStopped = resolve));
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method !== 'POST') return response.end();
      response.on('close', () => response.writableFinished || wasStopped());
      return respond(JSON.parse(body) as Asked, response, reply).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`,
    stopped: () => stopped,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function respond(asked: Asked, response: ServerResponse, answer: (prompt: string) => string): Promise<void> {
    const say = (line: object): boolean => response.write(\`\${JSON.stringify(line)}\\n\`);
    if (asked.model === 'missing') return void response.writeHead(404).end();
    if (asked.model === 'slow') await sleep(60_000, undefined, { signal: closing.signal });
    if (asked.model === 'endless')
      for (; !response.destroyed; await sleep(1, undefined, { signal: closing.signal })) say({ token: 'and so on ' });
    const prompt = asked.messages.at(-1)?.text ?? '';
    const { tokens, done } = bounded(answer(prompt), asked);
    for (const [at, token] of tokens.entries()) {
      say({ token });
      if (asked.model === 'breaking' && at === 1) return void setImmediate(() => response.destroy());
      await sleep(0);
    }
    say({ done, prompt_tokens: prompt.split(/\\s+/).length, completion_tokens: tokens.length });
    response.end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** A text as tokens, ended by a stop text or by the limit, whichever comes first. */
function bounded(
  text: string,
  { stop, max_tokens }: Asked,
): { readonly tokens: readonly string[]; readonly done: 'stop' | 'length' } {
  const ends = stop.map((one) => text.indexOf(one)).filter((at) => at !== -1);
  const tokens = text.slice(0, Math.min(text.length, ...ends)).match(/\\s*\\S+/gu) ?? [];
  return { tokens: tokens.slice(0, max_tokens), done: tokens.length > max_tokens ? 'length' : 'stop' };
}
`,
    'test/fixtures.ts': `import { suiteReply, type PluginFixtures } from '@kebab/core/testing';
import { startServer } from './fake-server.ts';

/** What the suite is given: the model on a server of this process that answers as the suite expects. */
export const fixtures: PluginFixtures = {
  llm: {
    '{{id}}': (make) => ({
      open: async () => {
        const server = await startServer(suiteReply);
        const at = (endpoint: string, model: string, timeoutS = 30) =>
          make({ config: { endpoint, model, contextTokens: 8192, timeoutS } });
        return {
          model: await at(server.url, 'default'),
          unreachable: () => at('http://127.0.0.1:9', 'default'),
          missing: () => at(server.url, 'missing'),
          impatient: () => at(server.url, 'slow', 1),
          breaking: () => at(server.url, 'breaking'),
          endless: async () => ({ model: await at(server.url, 'endless'), stopped: server.stopped }),
          close: server.close,
        };
      },
      arranges: ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'],
    }),
  },
};
`,
  },
  ocr: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`keyword\` | \`"Description"\` | string | the text entries of a PNG that are read |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Reads text in images in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    keyword: z.string().min(1).max(79).default('Description').describe('the text entries of a PNG that are read'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    ocr: {
      '{{id}}': async ({ config }) => (await import('./ocr-engine.ts')).createEngine(config),
    },
  },
});
`,
    'src/ocr-engine.ts': `import { invalidInput, throwIfCancelled, type OcrEngine, type OcrRegion } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly keyword: string;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Makes the engine: it reads what programs write into a PNG beside its pixels, as screenshots and scans often have it. Put
 * your recogniser in place of \`textEntries\`; what it finds goes through the same \`regions\`.
 */
export function createEngine({ keyword }: Settings): OcrEngine {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => \`{{id}}@1+\${keyword}\`,
    recognize: async ({ png, width, height }, { signal }) => {
      throwIfCancelled(signal, 'ocr');
      const lines = textEntries(png, keyword).flatMap((text) => text.split('\\n'));
      const words = lines.map((line) => line.trim()).filter((line) => line !== '');
      const regions = words.map((text, at): OcrRegion => {
        const band = Math.floor(height / words.length);
        return { text, bbox: [0, at * band, width, Math.max(1, band)], confidence: 1 };
      });
      return { regions, joined: words.join('\\n'), engine: '{{id}}', engineVersion: '1' };
    },
  };
}

/** The texts that a PNG holds under a keyword. Throws \`invalid_input\` for bytes that are no PNG. */
function textEntries(png: Uint8Array, keyword: string): readonly string[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw invalidInput('the image is not a PNG', { field: 'png' });
  const found: string[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    const end = body.indexOf(0);
    if (kind === 'tEXt' && end !== -1 && body.toString('latin1', 0, end) === keyword)
      found.push(body.toString('utf8', end + 1));
    at += 12 + length;
  }
  return found;
}
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

const SIZE = { width: 640, height: 480, languages: ['eng', 'kor'] };

/** What the suite is given: a picture with words in it, and one without. */
export const fixtures: PluginFixtures = {
  ocr: {
    '{{id}}': (make) => ({
      make,
      fixtures: [
        { name: 'a labelled picture', png: png('The old lighthouse\\n등대 하나'), ...SIZE, words: ['old', '등대'] },
        { name: 'a bare picture', png: png(''), ...SIZE, words: [] },
      ],
    }),
  },
};

/** The parts of a PNG that the engine looks at: signature, and one entry of text. */
function png(text: string): Uint8Array {
  const entry = Buffer.from(\`Description\\0\${text}\`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(entry.length);
  head.write('tEXt', 4, 'latin1');
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(Buffer.concat([signature, head, entry, Buffer.alloc(4)]));
}
`,
  },
  reranker: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`phraseBonus\` | \`0.3\` | number | what the words of the query in a row are worth |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Orders what was found in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    phraseBonus: z.number().min(0).max(1).default(0.3).describe('what the words of the query in a row are worth'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    reranker: {
      '{{id}}': async ({ config }) => (await import('./reranker.ts')).createReranker(config),
    },
  },
});
`,
    'src/reranker.ts': `import { throwIfCancelled, type Reranker } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly phraseBonus: number;
}

/** Makes the reranker: the share of the query's words that a text holds, and something on top when they stand in a row. */
export function createReranker({ phraseBonus }: Settings): Reranker {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => \`{{id}}@1+\${phraseBonus}\`,
    rerank: async (query, items, { signal } = {}) => {
      throwIfCancelled(signal, 'rerank');
      const wanted = wordsOf(query);
      return items
        .map(({ chunkId, text }) => ({ chunkId, score: scoreOf(wanted, text, phraseBonus) }))
        .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
    },
  };
}

/** A score in [0, 1] that depends on this one text alone, so that the order of the input cannot matter. */
function scoreOf(wanted: readonly string[], text: string, phraseBonus: number): number {
  if (wanted.length === 0) return 0;
  const words = wordsOf(text);
  const held = new Set(words);
  const share = wanted.filter((word) => held.has(word)).length / wanted.length;
  const inRow = \` \${words.join(' ')} \`.includes(\` \${wanted.join(' ')} \`);
  return (share + (inRow ? phraseBonus : 0)) / (1 + phraseBonus);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\\p{L}\\p{N}]+/gu) ?? []
  );
}
`,
    'test/fixtures.ts': `import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the reranker, and a passage that answers a query beside one that does not. */
export const fixtures: PluginFixtures = {
  reranker: {
    '{{id}}': (make) => ({
      open: async () => ({ reranker: await make() }),
      telling: { query: 'old lighthouse', answer: 'The old lighthouse is white.', other: 'Flour, water and salt.' },
    }),
  },
};
`,
  },
  retriever: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`wholeWords\` | \`true\` | boolean | find words as a whole, not inside other words |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Finds chunks in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    wholeWords: z.boolean().default(true).describe('find words as a whole, not inside other words'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    retriever: {
      '{{id}}': async ({ config, documents }) => {
        if (documents === undefined) throw new Error('a retriever needs the documents');
        return (await import('./retriever.ts')).createRetriever(config, documents);
      },
    },
  },
});
`,
    'src/retriever.ts': `import { throwIfCancelled, type AnalysedQuery, type CommittedDocuments, type Retriever } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly wholeWords: boolean;
}

const PAGE = 200;

/** Makes the retriever: it reads every chunk that passes the filters and counts the words of the query in it. */
export function createRetriever({ wholeWords }: Settings, open: () => Promise<CommittedDocuments>): Retriever {
  const version = \`v1+\${wholeWords ? 'words' : 'parts'}\`;
  return {
    id: '{{id}}',
    version: '1',
    scoreKind: 'bm25',
    indexVersion: () => version,
    fingerprint: () => \`{{id}}@1+\${version}\`,
    retrieve: async ({ query, filters, limit }, { signal } = {}) => {
      const store = await open();
      const count = counterOf(query, wholeWords);
      const found: Found[] = [];
      for (let offset = 0, total = 1; offset < total; offset += PAGE) {
        throwIfCancelled(signal, 'search');
        const page = store.listDocuments(filters, { offset, limit: PAGE });
        total = page.total;
        for (const { docId, workspacePath, sourceId } of page.documents)
          for (const { chunkId, ordinal, text } of store.listChunks(docId)) {
            const score = count(text);
            if (score > 0) found.push({ chunkId, score, place: [workspacePath, ordinal, sourceId] });
          }
      }
      const ranking = found.toSorted(byScoreThenPlace).slice(0, limit);
      return ranking.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
    },
  };
}

interface Found {
  readonly chunkId: Parameters<CommittedDocuments['getChunk']>[0];
  readonly score: number;
  readonly place: readonly [path: string, ordinal: number, source: string];
}

/** How often the words of a query stand in a text; 0 where a phrase is missing or something excluded stands. */
function counterOf({ embeddingText, phrases, excluded }: AnalysedQuery, wholeWords: boolean): (text: string) => number {
  const wanted = new Set(wordsOf(embeddingText));
  const required = phrases.map((phrase) => wordsOf(phrase.text).join(' '));
  const forbidden = excluded.map((phrase) => wordsOf(phrase.text).join(' '));
  return (text) => {
    const words = wordsOf(text);
    const row = \` \${words.join(' ')} \`;
    if (
      required.some((phrase) => !row.includes(\` \${phrase} \`)) ||
      forbidden.some((phrase) => row.includes(\` \${phrase} \`))
    )
      return 0;
    const matches = wholeWords
      ? (word: string) => wanted.has(word)
      : (word: string) => [...wanted].some((w) => word.includes(w));
    return words.filter(matches).length;
  };
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\\p{L}\\p{N}_]+/gu) ?? []
  );
}

/** Equal scores stand by path, ordinal and source; the order of UTF-8 bytes is that of code points. */
function byScoreThenPlace(a: Found, b: Found): number {
  const [pathA, ordinalA, sourceA] = a.place;
  const [pathB, ordinalB, sourceB] = b.place;
  return b.score - a.score || compare(pathA, pathB) || ordinalA - ordinalB || compare(sourceA, sourceB);
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
`,
    'test/fixtures.ts': `import { analyseQuery } from '@kebab/core';
import { storeWith, type PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: the retriever over a knowledge base in memory that holds the documents of a case. */
export const fixtures: PluginFixtures = {
  retriever: {
    '{{id}}': (make) => ({
      open: async (documents) => {
        const store = await storeWith(documents);
        return { retriever: await make({ documents: async () => store }), analyse: analyseQuery };
      },
    }),
  },
};
`,
  },
  source: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`encoding\` | \`"utf8"\` | "utf8", "base64" | how \`content\` of a line is written |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/feed-connector.ts': `import { promises } from 'node:fs';
import {
  KebabError,
  mediaTypeOf,
  normalizeWorkspacePath,
  throwIfCancelled,
  type CallContext,
  type FileStat,
  type SourceConnector,
  type SourceEntry,
  type SourceFile,
  type SourceScope,
} from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly encoding: 'utf8' | 'base64';
}

interface Item {
  readonly file: SourceFile;
  readonly bytes: Uint8Array;
}

/**
 * Documents out of a JSON Lines file, the root of the source: \`{"path": "notes/a.md", "content": "…"}\` a line. A line that
 * cannot be read is an error entry, and stops nothing. The patterns of the scope are meant for folders, and not looked at.
 */
export class FeedConnector implements SourceConnector {
  readonly id = '{{id}}';
  readonly version = '1';
  readonly #settings: Settings;
  #items: ReadonlyMap<string, Item> = new Map();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  fingerprint(): string {
    return \`\${this.id}@\${this.version}+\${this.#settings.encoding}\`;
  }

  async *scan({ root }: SourceScope, { signal }: CallContext): AsyncGenerator<SourceEntry> {
    throwIfCancelled(signal, 'scan');
    const { items, errors } = await this.#read(root);
    this.#items = items;
    const entries: readonly SourceEntry[] = [...[...items.values()].map(({ file }) => file), ...errors];
    for (const entry of entries.toSorted(byPath)) {
      throwIfCancelled(signal, 'scan');
      yield entry;
    }
  }

  async read({ workspacePath }: SourceFile): Promise<Uint8Array> {
    const item = this.#items.get(workspacePath);
    if (item !== undefined) return item.bytes;
    throw new KebabError('io_error', \`\${workspacePath} is not in the feed\`, {
      details: { kind: 'ENOENT', path: workspacePath, cause: 'it was not there at the last scan' },
    });
  }

  async stat({ root }: SourceScope, workspacePath: string): Promise<FileStat | null> {
    const found = (await this.#read(root)).items.get(workspacePath)?.file;
    return found === undefined ? null : { size: found.size, mtimeNs: found.mtimeNs };
  }

  async #read(
    root: string,
  ): Promise<{ readonly items: ReadonlyMap<string, Item>; readonly errors: readonly SourceEntry[] }> {
    const { mtimeNs, birthtimeMs } = await promises.stat(root, { bigint: true });
    const items = new Map<string, Item>();
    const errors: SourceEntry[] = [];
    for (const [at, line] of (await promises.readFile(root, 'utf8')).split('\\n').entries()) {
      if (line.trim() === '') continue;
      try {
        const { path, content } = JSON.parse(line) as { readonly path: string; readonly content: string };
        const workspacePath = normalizeWorkspacePath(path);
        if (items.has(workspacePath)) throw new Error(\`\${workspacePath} comes twice\`);
        const bytes = new Uint8Array(Buffer.from(content, this.#settings.encoding));
        const place = { workspacePath, uri: \`feed:\${root}#\${workspacePath}\`, mediaType: mediaTypeOf(workspacePath) };
        const times = { mtimeNs, birthtimeMs: Number(birthtimeMs) };
        items.set(workspacePath, { bytes, file: { kind: 'file', ...place, size: bytes.length, ...times } });
      } catch (error) {
        const message = \`line \${at + 1}: \${error instanceof Error ? error.message : String(error)}\`;
        errors.push({ kind: 'error', workspacePath: \`line-\${at + 1}\`, message, code: 'io_error' });
      }
    }
    return { items, errors };
  }
}

/** The order of UTF-8 bytes is that of code points. */
function byPath(a: SourceEntry, b: SourceEntry): number {
  return Buffer.compare(Buffer.from(a.workspacePath), Buffer.from(b.workspacePath));
}
`,
    'src/index.ts': `import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Brings documents from one more kind of place. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('how \`content\` of a line is written'),
  }),
  permissions: { fs: 'input-only', net: [], spawn: [] },
  contributes: {
    source: {
      '{{id}}': async ({ config }) => new (await import('./feed-connector.ts')).FeedConnector(config),
    },
  },
});
`,
    'test/fixtures.ts': `import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginFixtures } from '@kebab/core/testing';

const FILES: Readonly<Record<string, string>> = {
  'z/last.md': '# Last\\n',
  'a/first.md': '# First\\n\\n한국어\\n',
  'a/empty.txt': '',
  '😀.md': 'an astral name\\n',
};

/** What the suite is given: a place with files, and the scope that finds exactly them. */
export const fixtures: PluginFixtures = {
  source: {
    '{{id}}': (make) => ({
      open: async () => {
        const folder = mkdtempSync(path.join(tmpdir(), '{{id}}-'));
        const root = path.join(folder, 'feed.jsonl');
        const lines = Object.entries(FILES).map(([name, content]) => JSON.stringify({ path: name, content }));
        writeFileSync(root, \`\${lines.join('\\n')}\\nnot a line of JSON\\n\`);
        return {
          connector: await make(),
          scope: { root, include: ['**/*'], exclude: [] },
          files: Object.fromEntries(
            Object.entries(FILES).map(([name, text]) => [name, new TextEncoder().encode(text)]),
          ),
          missing: 'nowhere.md',
          close: () => rmSync(folder, { recursive: true, force: true }),
        };
      },
    }),
  },
};
`,
  },
  vector_store: {
    'README.md': `# {{name}}

{{summary}} A plugin for [kebab](https://www.npmjs.com/package/@kebab/cli).

\`\`\`toml
# kebab.toml or ~/.config/kebab/config.toml
plugins = ["{{name}}"]
\`\`\`

\`\`\`bash
kebab --plugin . plugin doctor    # does it load, and is its configuration sound?
kebab plugin test .               # every promise of its contract
{{use}}
\`\`\`

## Settings

A setting goes into the entry of the plugin: \`plugins = [{ name = "{{name}}", config = { … } }]\`.

<!-- settings: written by npm run readme -->

| setting | default | values | meaning |
|---|---|---|---|
| \`folder\` | \`""\` | string | where the vectors lie; a temporary folder when empty |

<!-- /settings -->

## Working on it

- \`npm test\` builds, runs the contract suite of its kind (\`test/contract.test.ts\`) on what \`test/fixtures.ts\` gives it, and
  checks that this page tells every setting.
- \`src/index.ts\` is what kebab loads, \`src/{{file}}.ts\` does the work.
- Raise \`version\` in package.json and \`src/index.ts\` together, and the \`version\` of the contribution whenever its output
  changes: kebab does anew what was made by another version.
- \`npm publish\` when the tests pass on Node 20, 22 and 24.
`,
    'src/collection-file.ts': `import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { KebabError, writeAtomically, type EmbeddingId, type VectorRecord } from '@kebab/core';

/** A collection as it is held in memory. */
export interface Collection {
  readonly dimensions: number;
  readonly records: ReadonlyMap<EmbeddingId, VectorRecord>;
}

/** A record as it is written: the vector as base64 of its numbers. */
type Written = Omit<VectorRecord, 'vector'> & { readonly vector: string };

/** The files of a folder, one a collection, each replaced as a whole. */
export class CollectionFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The names of the collections there are, sorted. */
  names(): readonly string[] {
    try {
      const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
      return files.map((file) => decodeURIComponent(file.slice(0, -'.json'.length))).toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw unreachable(this.#folder, error);
    }
  }

  /** A collection; null when there is none. Throws \`vector_store_unreachable\` for a file that is damaged. */
  read(name: string): Collection | null {
    let text: string;
    try {
      text = readFileSync(this.#file(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw unreachable(this.#folder, error);
    }
    try {
      const { dimensions, records } = JSON.parse(text) as { dimensions: number; records: readonly Written[] };
      return { dimensions, records: new Map(records.map((record) => [record.embeddingId, revived(record)])) };
    } catch (error) {
      throw unreachable(this.#folder, error);
    }
  }

  /** Replaces a collection: a reader sees the old one or the new one, never half of it. */
  write(name: string, { dimensions, records }: Collection): void {
    const written = [...records.values()].map((record) => ({ ...record, vector: base64Of(record.vector) }));
    writeAtomically(this.#file(name), JSON.stringify({ dimensions, records: written }));
  }

  remove(name: string): void {
    rmSync(this.#file(name), { force: true });
  }

  #file(name: string): string {
    return path.join(this.#folder, \`\${encodeURIComponent(name)}.json\`);
  }
}

/** The error for vectors that cannot be used, with what is wrong. */
export function unreachable(store: string, cause: unknown): KebabError<'vector_store_unreachable'> {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KebabError('vector_store_unreachable', \`the vectors in \${store} cannot be used: \${why}\`, {
    details: { store, endpoint: null, cause: why },
    hint: 'make them again: \`kebab reset --vector-only\`, then \`kebab ingest\`',
  });
}

function base64Of({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function revived({ vector, payload, ...ids }: Written): VectorRecord {
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  const time = payload === undefined ? {} : { payload: { ...payload, committedAt: new Date(payload.committedAt) } };
  return { ...ids, vector: new Float32Array(bytes.buffer), ...time };
}
`,
    'src/index.ts': `import path from 'node:path';
import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Keeps vectors in one more place. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    folder: z.string().default('').describe('where the vectors lie; a temporary folder when empty'),
  }),
  permissions: { fs: 'data-dir', net: [], spawn: [] },
  contributes: {
    vector_store: {
      '{{id}}': async ({ config, tmpDir }) => {
        const { FileVectorStore } = await import('./vector-store.ts');
        return new FileVectorStore(config.folder === '' ? path.join(tmpDir, '{{id}}') : config.folder);
      },
    },
  },
});
`,
    'src/vector-store.ts': `import {
  invalidInput,
  mintIndexId,
  throwIfCancelled,
  type AbortOptions,
  type EmbeddingId,
  type IndexId,
  type VectorHit,
  type VectorRecord,
  type VectorSearch,
  type VectorStore,
} from '@kebab/core';
import { CollectionFiles, unreachable, type Collection } from './collection-file.ts';

/** Vectors in JSON files, compared one by one: exact, and quick enough for some ten thousand of them. */
export class FileVectorStore implements VectorStore {
  readonly id = '{{id}}';
  readonly version = '1';
  readonly #files: CollectionFiles;

  constructor(folder: string) {
    this.#files = new CollectionFiles(folder);
  }

  fingerprint(): string {
    return \`\${this.id}@\${this.version}\`;
  }

  async ensureCollection(name: string, dimensions: number, { signal }: AbortOptions = {}): Promise<IndexId> {
    throwIfCancelled(signal, 'vectors');
    const known = this.#files.read(name);
    if (known === null) this.#files.write(name, { dimensions, records: new Map() });
    else if (known.dimensions !== dimensions)
      throw unreachable(name, \`the collection has \${known.dimensions} dimensions, not \${dimensions}\`);
    const shape = { embeddingModel: name, indexVersion: this.version, indexKind: 'exact', indexParamsHash: '' };
    return mintIndexId({ collection: name, dimensions, ...shape });
  }

  async upsert(name: string, records: readonly VectorRecord[], { signal }: AbortOptions = {}): Promise<void> {
    const collection = this.#collection(name, signal);
    const units = records.map((record) => ({ ...record, vector: unitOf(record.vector, collection) }));
    const merged = new Map([...collection.records, ...units.map((record) => [record.embeddingId, record] as const)]);
    this.#files.write(name, { ...collection, records: merged });
  }

  async delete(name: string, ids: readonly EmbeddingId[], { signal }: AbortOptions = {}): Promise<void> {
    const collection = this.#collection(name, signal);
    const gone = new Set(ids);
    const records = new Map([...collection.records].filter(([id]) => !gone.has(id)));
    if (records.size < collection.records.size) this.#files.write(name, { ...collection, records });
  }

  async search(name: string, query: VectorSearch, { signal }: AbortOptions = {}): Promise<readonly VectorHit[]> {
    const collection = this.#collection(name, signal);
    const vector = unitOf(query.vector, collection);
    return [...collection.records.values()]
      .filter((record) => isAllowed(record, query))
      .map(({ embeddingId, chunkId, vector: other }) => ({ embeddingId, chunkId, score: dot(vector, other) }))
      .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, query.limit);
  }

  async listCollections({ signal }: AbortOptions = {}): Promise<readonly string[]> {
    throwIfCancelled(signal, 'vectors');
    return this.#files.names();
  }

  async count(name: string, { signal }: AbortOptions = {}): Promise<number | null> {
    throwIfCancelled(signal, 'vectors');
    return this.#files.read(name)?.records.size ?? null;
  }

  async *listIds(name: string, { signal }: AbortOptions = {}): AsyncGenerator<EmbeddingId> {
    yield* this.#collection(name, signal).records.keys();
  }

  async *records(name: string, { signal }: AbortOptions = {}): AsyncGenerator<VectorRecord> {
    yield* this.#collection(name, signal).records.values();
  }

  async dropCollection(name: string, { signal }: AbortOptions = {}): Promise<void> {
    throwIfCancelled(signal, 'vectors');
    this.#files.remove(name);
  }

  #collection(name: string, signal: AbortSignal | undefined): Collection {
    throwIfCancelled(signal, 'vectors');
    const collection = this.#files.read(name);
    if (collection === null) throw unreachable(name, 'there is no such collection');
    return collection;
  }
}

/** Filters come before the cut: a record that may not be returned takes no place in the list. */
function isAllowed({ chunkId, docId }: VectorRecord, { allow, except }: VectorSearch): boolean {
  if (except?.has(chunkId) === true) return false;
  switch (allow.kind) {
    case 'all':
      return true;
    case 'only':
      return allow.chunkIds.has(chunkId);
    case 'documents':
      return allow.docIds.has(docId);
    default:
      return allow satisfies never;
  }
}

function unitOf(vector: Float32Array, { dimensions }: Collection): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (vector.length !== dimensions || !(length > 0 && length < Infinity))
    throw invalidInput(\`not a vector of \${dimensions} finite numbers that are not all zero\`, { field: 'vector' });
  return vector.map((x) => x / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
`,
    'test/fixtures.ts': `import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginFixtures } from '@kebab/core/testing';

/** What the suite is given: an empty store, more handles on the same vectors, and a way to damage and to rebuild them. */
export const fixtures: PluginFixtures = {
  vector_store: {
    '{{id}}': (make) => ({
      open: async () => {
        const folder = mkdtempSync(path.join(tmpdir(), '{{id}}-'));
        const open = () => make({ config: { folder } });
        return {
          store: await open(),
          another: open,
          destroy: () => readdirSync(folder).forEach((file) => writeFileSync(path.join(folder, file), 'damaged')),
          reopen: open,
          rebuild: () => {
            rmSync(folder, { recursive: true });
            return open();
          },
          close: () => rmSync(folder, { recursive: true, force: true }),
        };
      },
    }),
  },
};
`,
  },
};
