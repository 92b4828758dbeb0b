import { chunkerSuite, declareSuite, extractDocument, extractorSuite, hostileTexts } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createHeadingChunker } from '../src/chunk/md-heading-chunker.ts';
import { createMarkdownExtractor } from '../src/md-extractor.ts';

const FRONT_MATTER = '---\ntitle: A note\ntags: [one, two]\n---\n';
const NOTE = `${FRONT_MATTER}
# First

Some words. And some more, *marked*.

- one
- two
  with a second line

## Second

\`\`\`rust
fn main() {}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted

![alone](picture.png)

Underlined
----------

    indented

<div>html</div>

[ref]: /url
[^1]: a footnote

***

### Last, without content
`;
const LONG = `# Long

${'A sentence of the long paragraph. 문장 하나. '.repeat(150)}

${'- an item of a long list, with words\n'.repeat(300)}

\`\`\`
${'code line;\n'.repeat(900)}\`\`\`

| h |
|---|
${'| cell |\n'.repeat(1500)}

${'word'.repeat(4000)}

> ${'Quoted words. '.repeat(200)}
`;

declareSuite(
  extractorSuite({
    make: createMarkdownExtractor,
    fixtures: [
      { path: 'note.md', content: NOTE, bodyStart: FRONT_MATTER.length },
      { path: 'note.mdx', content: 'import A from "a";\n\n# MDX\n\n<A b={1} />\n' },
      { path: 'long.markdown', content: LONG },
      { path: 'toml.md', content: '+++\r\ntitle = "x"\r\n+++\r\n# H\r\n', bodyStart: 20 },
    ],
  }),
  { describe, it },
);

declareSuite(
  chunkerSuite({
    make: createHeadingChunker,
    documents: () =>
      Promise.all(
        [
          ['note.md', NOTE] as const,
          ['long.md', LONG] as const,
          ['headings.md', '# a\n\n## b\n\n## c\n'] as const,
          ['empty.md', ''] as const,
          ['front.md', FRONT_MATTER] as const,
          ...hostileTexts()
            .filter(({ bytes }) => bytes.length < 100_000)
            .map(({ name, bytes }) => [`${name}.md`, bytes] as const),
        ].map(([path, content]) => extractDocument(createMarkdownExtractor(), path, content)),
      ),
  }),
  { describe, it },
);
