// Builds dist/contracts/<contract>.md from the doc comments and types of core/src/contracts, and an index: the contracts of plugins, for
// reading in a browser or an editor. The pages are not committed; the doc comments are their source.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'rolldown/utils';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = path.join(root, 'core/src/contracts');
const target = path.join(root, 'dist/contracts');

/** Contracts a plugin can contribute, by the kind in its manifest; the rest are parts of these. */
const KINDS = {
  'source-connector': 'source',
  extractor: 'extractor',
  chunker: 'chunker',
  embedder: 'embedder',
  retriever: 'retriever',
  reranker: 'reranker',
  'language-model': 'llm',
  'ocr-engine': 'ocr',
  captioner: 'captioner',
  'groundedness-checker': 'groundedness',
  'document-store': 'document_store',
  'lexical-index': 'lexical_index',
  'vector-store': 'vector_store',
  'session-repo': 'session_repo',
  'model-catalog': 'model_catalog',
  interceptor: 'interceptor',
  hook: 'hook',
};

/** Every page by its file name. */
export function contractPages() {
  const names = readdirSync(sources)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
  const pages = names.map((name) => [
    `${name}.md`,
    pageOf(name, readFileSync(path.join(sources, `${name}.ts`), 'utf8')),
  ]);
  return new Map([['README.md', indexOf(names)], ...pages]);
}

function indexOf(names) {
  const row = (name) => `| ${KINDS[name] === undefined ? '' : `\`${KINDS[name]}\``} | [${titleOf(name)}](${name}.md) |`;
  const contributed = Object.keys(KINDS).filter((name) => names.includes(name));
  const rest = names.filter((name) => KINDS[name] === undefined);
  return `# Contracts

What a plugin can contribute, and what it promises by that. These pages are made from the doc comments of
\`core/src/contracts\` (\`node scripts/contract-docs.mjs\`); the suites of \`@kebab/core/testing\` check the promises, for built-in
plugins as for others. [How to write one](../../docs/writing-a-plugin.md).

| kind | contract |
|---|---|
${[...contributed, ...rest].map(row).join('\n')}
`;
}

function pageOf(name, text) {
  const kind = KINDS[name];
  const said = kind === undefined ? '' : `\nA plugin contributes it under \`${kind}\`.\n`;
  const parts = declarationsOf(`${name}.ts`, text).map(({ declared, comment, source }) => {
    const prose = comment.replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
    return `## ${declared}\n\n${prose}\n\n\`\`\`ts\n${source}\n\`\`\`\n`;
  });
  return `<!-- made by scripts/contract-docs.mjs from core/src/contracts/${name}.ts -->\n\n# ${titleOf(name)}\n${said}\n${parts.join('\n')}`;
}

/** Every exported declaration with its doc comment as text. Throws for one without. */
function declarationsOf(file, text) {
  const { program, comments } = parseSync(file, text);
  return program.body
    .filter(({ type, declaration }) => type === 'ExportNamedDeclaration' && declaration !== null)
    .map(({ start, end, declaration }) => {
      const declared = declaration.id?.name ?? declaration.declarations?.[0].id.name;
      const comment = comments.findLast((one) => one.end <= start && text.slice(one.end, start).trim() === '');
      if (comment === undefined) throw new Error(`${file}: ${declared} has no doc comment`);
      return { declared, comment: proseOf(comment.value), source: text.slice(start, end) };
    });
}

function proseOf(comment) {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

function titleOf(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, text] of contractPages()) writeFileSync(path.join(target, name), text);
  console.log(target);
}
