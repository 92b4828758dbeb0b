// The files that a recording ingests: a bounded sample of the real corpora in ../shared, and odd, broken, ignored and oversized files. They
// are identical, including times, in every recording.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { codeSamples } from './code-samples.mjs';

/** The folder with real documents and a model; null if it is not beside this checkout. */
export function findShared(checkout) {
  const shared = path.resolve(checkout, '..', 'shared');
  const needed = ['data/md5k/md5k.tar.gz', 'data/pdf', 'data/ocr', 'models/potion-base-4M-int8', 'notes/tools'];
  return needed.every((name) => existsSync(path.join(shared, name))) ? shared : null;
}

/** Writes the sources `notes` and `code` into a folder. Returns a digest of what was written. */
export function writeCorpus(folder, shared) {
  const notes = new Tree(path.join(folder, 'notes'));
  const data = (...names) => path.join(shared, 'data', ...names);
  addManual(notes, data('md5k', 'md5k.tar.gz'), path.join(folder, 'unpacked'));
  addCommonMark(notes, data('commonmark'));
  addFrontMatter(notes, data('frontmatter'));
  addParagraphs(notes, data);
  addPapersAndPictures(notes, data);
  addOddFiles(notes);
  addLeftOut(notes);
  const code = new Tree(path.join(folder, 'code'));
  addCode(code, shared);
  addRepository(code);
  return digestOf([notes, code]);
}

/** Writes the small source that scenes with many ingests modify. */
export function writeGarden(folder, shared) {
  const garden = new Tree(folder);
  garden.add('tea.md', TEA);
  garden.add('roses.md', '---\ntags: [garden, roses]\n---\n# Roses\n\nRoses are pruned in late winter.\n');
  garden.add('compost.txt', 'Compost needs air and water.\n\nTurn it every three weeks.\n');
  garden.add('beds.toml', '[bed]\nname = "north"\nlength_cm = 240\n');
  for (const name of ['crates/store/src/lib.rs', 'kebab_eval/long.py', 'web/src/search.ts'])
    garden.add(path.basename(name), codeSamples[name]);
  for (const name of ['jo.pdf', 'pdflatex-outline.pdf', 'libreoffice-writer-password.pdf'])
    garden.add(name, readFileSync(path.join(shared, 'data', 'pdf', name)));
  garden.add('line.jpg', readFileSync(path.join(shared, 'data', 'ocr', 'ko-line-basic-1.jpg')));
}

const TEA =
  '# Tea\n\nGreen tea is steeped at 80 degrees for 3 minutes.\n\nBlack tea takes boiling water and 4 minutes.\n\n' +
  '## Storage\n\nKeep it dry, dark and away from spices.\n\n## Origin\n\nTea came from China to Japan in the 9th century.\n';

const FIRST_TIME = Date.UTC(2024, 2, 1);
const MINUTE_MS = 60_000;

/** A folder whose files have fixed times, one minute after the other. */
export class Tree {
  #count = 0;
  #hash = createHash('sha256');

  constructor(root, firstTime = FIRST_TIME) {
    this.root = root;
    this.firstTime = firstTime;
    mkdirSync(root, { recursive: true });
  }

  /** Writes a file; the next one is a minute younger. */
  add(name, content) {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    this.#settle(name, content);
  }

  link(name, target) {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(target, file);
    this.#settle(name, target);
  }

  digest() {
    return this.#hash.copy().digest('hex');
  }

  #settle(name, content) {
    const seconds = (this.firstTime + this.#count++ * MINUTE_MS) / 1000;
    lutimesSync(path.join(this.root, name), seconds, seconds);
    this.#hash.update(name).update('\0').update(content).update('\0');
  }
}

function digestOf(trees) {
  const hash = createHash('sha256');
  for (const tree of trees) hash.update(tree.digest());
  return hash.digest('hex').slice(0, 16);
}

const byCodePoint = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Every n-th item of a list, so that a sample is spread over all of it. */
function sample(list, count) {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === 0).slice(0, count);
}

function addManual(notes, archive, unpacked) {
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', unpacked]);
  const names = readdirSync(unpacked, { recursive: true }).map(String);
  const fitting = names.filter((name) => {
    if (!name.endsWith('.md')) return false;
    const { size } = statSync(path.join(unpacked, name));
    return size >= 500 && size <= 7000;
  });
  for (const name of sample(fitting.toSorted(byCodePoint), 120))
    notes.add(`manual/${name.replace(/^corpus-md5k\//, '')}`, readFileSync(path.join(unpacked, name)));
  rmSync(unpacked, { recursive: true });
}

/** The examples of the specification by section, and the specification itself as plain text. */
function addCommonMark(notes, folder) {
  const bySection = new Map();
  for (const { section, markdown } of JSON.parse(readFileSync(path.join(folder, 'spec.json'), 'utf8'))) {
    const examples = bySection.get(section) ?? [];
    bySection.set(section, [...examples, markdown]);
  }
  for (const [section, examples] of bySection)
    notes.add(`commonmark/${section.toLowerCase().replaceAll(/\W+/g, '-')}.md`, examples.join('\n\n'));
  notes.add('commonmark/spec.txt', readFileSync(path.join(folder, 'spec.txt')));
}

function addFrontMatter(notes, folder) {
  for (const name of readdirSync(folder, { recursive: true }).map(String).toSorted(byCodePoint)) {
    if (!/\.(?:md|txt)$/.test(name) || name === 'README.md') continue;
    notes.add(`frontmatter/${name.replace(/\.txt$/, '.md')}`, readFileSync(path.join(folder, name)));
  }
  notes.add(
    'frontmatter/known-keys.md',
    '---\ntitle: Known keys\naliases: [recognised, keys]\ntags:\n  - rust\n  - search engine\nlang: en\ncreated_at: 2020-05-17\n' +
      'updated_at: 2021-06-18T10:20:30+09:00\nsource_type: paper\ntrust_level: generated\nid: note-17\nproject: kebab\nrating: 4.5\n' +
      'nested: { depth: 2 }\n---\n# A heading\n\nAll keys of this note are well formed.\n',
  );
  notes.add(
    'frontmatter/wrong-types.md',
    '---\ntitle: 2024\ntags: rust\naliases: 7\nlang: [en]\ncreated_at: yesterday\nsource_type: novel\ntrust_level: 3\n---\nEvery key is odd.\n',
  );
  notes.add('frontmatter/broken.md', '---\ntitle: "unclosed\n  bad: [1,\n---\n# Broken\n\nThe body counts.\n');
  notes.add('frontmatter/unclosed.md', '---\ntitle: never closed\n\nThis is all body.\n');
  notes.add(
    'frontmatter/dates.md',
    '+++\ntitle = "Dates"\ncreated_at = 2019-01-02\ntags = ["dates"]\n+++\n\nTOML dates.\n',
  );
}

const jsonLines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

function addParagraphs(notes, data) {
  for (const { _id: id, title, text } of sample(jsonLines(data('cranfield', 'corpus.jsonl')), 40))
    notes.add(`aerodynamics/${id}.md`, `# ${title}\n\n${text}\n`);
  for (const { _id: id, title, text } of sample(jsonLines(data('cacm', 'corpus.jsonl')), 40))
    notes.add(`computing/${id}.txt`, `${title}\n\n${text}\n`);
  for (const { _id: id, title, text } of sample(jsonLines(data('squad2', 'corpus.jsonl')), 50))
    notes.add(`encyclopedia/${id}.md`, `# ${title}\n\n${text}\n`);
  for (const [i, { _id: id, title, text }] of sample(jsonLines(data('ko-autorag', 'corpus.jsonl')), 36).entries())
    notes.add(`korean/${id}.${i % 6 === 5 ? 'txt' : 'md'}`, `# ${title}\n\n${text}\n`);
}

const PAPERS = [
  'jo.pdf',
  'empty_protected.pdf',
  'libreoffice-writer-password.pdf',
  'pdflatex-outline.pdf',
  'multicolumn.pdf',
  'ko-page-hclt-p5-worn-scan.pdf',
  'poppler-85140-0.pdf',
];

function addPapersAndPictures(notes, data) {
  for (const name of PAPERS) notes.add(`papers/${name}`, readFileSync(data('pdf', name)));
  notes.add('papers/no-pdf-at-all.pdf', 'This file only says that it is a PDF.\n');
  notes.add('pictures/line.jpg', readFileSync(data('ocr', 'ko-line-basic-1.jpg')));
  notes.add('pictures/phototest.tif', readFileSync(data('ocr', 'phototest.tif')));
  notes.add('pictures/damaged.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
}

function addOddFiles(notes) {
  notes.add('README.md', '# Notes\n\nA file of this name stands in both sources.\n');
  notes.add('odd/100% sure #1.md', peculiar('one hundred percent'));
  notes.add('odd/with spaces and (brackets) [1].md', peculiar('spaces'));
  notes.add('odd/emoji 🌯 kebab.md', '# Emoji 🌯\n\nAstral 🌯 characters 𝒜𝒷𝒸 stay whole. 👩‍👩‍👧‍👦\n');
  notes.add(
    `odd/${'한글 파일.md'.normalize('NFD')}`,
    `# ${'분해된 이름'.normalize('NFD')}\n\n이 파일의 이름은 NFD 입니다.\n`,
  );
  notes.add('odd/quote\'s "and" more.md', peculiar('quotes'));
  notes.add('odd/-leading-dash.md', peculiar('a leading dash'));
  notes.add('odd/crlf.md', '# CRLF\r\n\r\nFirst line\r\nsecond line\r\n\r\n## Next\r\n\r\n- one\r\n- two\r\n');
  notes.add('odd/cr.txt', 'old line one\rold line two\r\rold paragraph two\r');
  notes.add('odd/bom.md', '\ufeff# With a mark\n\nA byte order mark stands before the heading.\n');
  notes.add('odd/bom-frontmatter.md', '\ufeff---\ntags: [marked]\n---\n\nFront matter behind a mark.\n');
  notes.add(
    'odd/utf16.txt',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Sixteen bits a unit, 한국어.\n', 'utf16le')]),
  );
  notes.add('odd/latin1.txt', Buffer.from('Gr\xfc\xdfe aus K\xf6ln, 8 \xb0C.\n', 'latin1'));
  notes.add('odd/empty.md', '');
  notes.add('odd/blank.txt', ' \n\n\t\n');
  notes.add('odd/no-newline.txt', 'the last line has no newline');
  notes.add('odd/right-to-left.md', '# שלום\n\nمرحبا بالعالم. Mixed שלום text.\n');
  notes.add('odd/japanese.md', '# 検索エンジン\n\n東京都の図書館で文書を検索する。カタカナもひらがなもある。\n');
  notes.add('odd/chinese.markdown', '# 知识库\n\n这是一个本地知识库,支持全文检索。\n');
  notes.add('odd/control.md', '# Control\u0007\n\nbell \u0007 escape \u001b[31mred\u001b[0m null-free\n');
  notes.add('odd/accents.md', '# Café\n\nCrème brûlée, naïve façade, Ångström, smörgåsbord.\n');
  notes.add('odd/table.csv', 'name,amount\nleek,3\nbeet,5\n');
  notes.add('odd/log.log', '2024-01-02T03:04:05Z start\n2024-01-02T03:04:06Z stop\n');
  notes.add(`odd/deep/${'level/'.repeat(12)}leaf.md`, peculiar('a leaf'));
  notes.add(`odd/${'long-name-'.repeat(18)}.md`, peculiar('a long name'));
  notes.add('odd/twin-a.md', '# Twin\n\nTwo files have these bytes.\n');
  notes.add('odd/twin-b.md', '# Twin\n\nTwo files have these bytes.\n');
  notes.add(
    'odd/images.md',
    '# Pictures\n\n![a tea pot](../pictures/line.jpg)\n\n![](missing.png "title")\n\nInline ![x](y.png) image.\n',
  );
  notes.add('odd/structures.md', STRUCTURES);
  notes.add('odd/identifiers.md', IDENTIFIERS);
  addLongFiles(notes);
  notes.link('links/alias.md', '../odd/accents.md');
  notes.link('links/loop', '../links');
  notes.link('links/dangling.md', 'nowhere.md');
}

function peculiar(name) {
  return `# ${name}\n\nThis peculiar file is called ${name}.\n`;
}

/** A list, a line, a table and a code block that are each longer than a chunk should be. */
function addLongFiles(notes) {
  const items = linesOf(420, (n) => `- item ${n} of a list that is longer than any chunk may be`);
  notes.add('big/long-list.md', `# A long list\n\n${items}\n`);
  notes.add('big/one-line.txt', linesOf(2600, (n) => `word${n}`).replaceAll('\n', ' '));
  const rows = linesOf(300, (n) => `| ${n} | value ${n * 3} | ${'x'.repeat(n % 9)} |`);
  notes.add('big/table.md', `# Table\n\n| a | b | c |\n|---|---|---|\n${rows}\n`);
  const code = linesOf(700, (n) => `line_${n} = compute(${n}) + ${n % 7}`);
  notes.add('big/fence.md', `# Fence\n\n\`\`\`python\n${code}\n\`\`\`\n\nAfter it.\n`);
}

function linesOf(count, lineOf) {
  return Array.from({ length: count }, (_, n) => lineOf(n)).join('\n');
}

const STRUCTURES = `Setext title
============

Paragraph with *emphasis*, **strong**, \`code\`, [a link](https://example.org) and a footnote[^1].

> A quote.
> # A heading inside it
>
> - and a list

1. one
2. two
   - nested
     continued

- [x] done
- [ ] open

| head | amount |
|:-----|-------:|
| a    | 1      |
| broken | row | too long |

\`\`\`rust
fn main() {}
\`\`\`

    indented code

<div>raw html</div>

***

#### Level four first

## §3 Numbered section

~~gone~~ and a hard\\
break.

###### Deepest
[^1]: The footnote.

# Empty heading follows

##

Text under an empty heading.
`;

const IDENTIFIERS = `# Identifiers

The function parseHTTPUrl calls max_retry_count times the method Store::get_note, in file retry-policy.v2.ts.
IPv6 addresses like fe80::1, versions such as 3.14.15, and e-mail me@example.com are tokens as well.
Error E0308 and ORA-00942 differ; C++17 and C# do too. Snake_case_name, kebab-case-name, camelCaseName.
`;

/** Files that an ingest skips, each for a different reason. */
function addLeftOut(notes) {
  notes.add('.gitignore', '*.tmp\nbuild/\n!keep.tmp\n/anchored.md\n');
  notes.add('.kebabignore', '# comment\nprivate/**\n!private/shown.md\n!target/\n');
  notes.add('scratch.tmp', 'ignored by .gitignore');
  notes.add('keep.tmp', 'negated, yet of no known type');
  notes.add('anchored.md', '# Anchored\n\nIgnored at the top only.\n');
  notes.add('nested/anchored.md', '# Anchored below\n\nNot ignored here.\n');
  notes.add('build/output.md', '# Output\n');
  notes.add('private/diary.md', '# Diary\n\nNobody may find the word quokka.\n');
  notes.add('private/shown.md', '# Shown\n\nShown on purpose.\n');
  notes.add('nested/.kebabignore', 'secret*\n!secret-but-kept.md\n');
  notes.add('nested/secret-plan.md', '# Secret\n');
  notes.add('nested/secret-but-kept.md', '# Kept\n\nKept by negation.\n');
  notes.add('target/included.md', '# Target\n\nBrought back by .kebabignore.\n');
  notes.add('node_modules/pkg/readme.md', '# Package\n');
  notes.add('__pycache__/note.md', '# Cache\n');
  notes.add('.obsidian/workspace.md', '# Workspace\n');
  notes.add('.hidden/note.md', '# Hidden\n\nHidden folders are walked.\n');
  notes.add('._resource.md', '# Resource fork\n');
  notes.add('drafts/idea.md', '# Idea\n\nExcluded by the configuration.\n');
  notes.add('media/song.mp3', Buffer.from('494433040000000000', 'hex'));
  notes.add('media/archive.zip', Buffer.from('504b0506', 'hex'));
  notes.add('media/no-extension', 'plain words without a type');
  notes.add('media/binary.txt', Buffer.from('text with\0a zero byte\n'));
  notes.add('big/huge.json', `{"values":[${Array.from({ length: 60_000 }, (_, n) => n).join(',')}]}`);
  notes.add('big/too-large.txt', 'This line is repeated very often.\n'.repeat(34_000));
  notes.add('big/many-lines.py', 'x = 1\n'.repeat(5100));
}

function addCode(code, shared) {
  for (const [name, text] of Object.entries(codeSamples)) code.add(name, text);
  for (const { _id: id, text } of sample(jsonLines(path.join(shared, 'data', 'cosqa-dev', 'corpus.jsonl')), 50))
    code.add(`snippets/s${id}.py`, `${text}\n`);
  const tools = path.join(shared, 'data', 'tools');
  for (const name of readdirSync(tools).toSorted(byCodePoint))
    code.add(`tools/${name}`, readFileSync(path.join(tools, name)));
}

/** What kebab reads of a git work tree: branch, commit and the name of the remote. */
function addRepository(code) {
  code.add('.git/HEAD', 'ref: refs/heads/main\n');
  code.add('.git/refs/heads/main', '0123456789abcdef0123456789abcdef01234567\n');
  code.add('.git/config', '[remote "origin"]\n\turl = https://example.org/acme/samples.git\n');
}
