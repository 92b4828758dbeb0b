// Measures how the cost of operations grows with the knowledge base: the command line and the MCP server with 1,000 to 100,000 documents
// generated from the judged sets. Prints wall time, CPU, memory and bytes of each operation with its growth exponent, and fails if one
// grows faster than its work or if the memory of an ingest grows.
//   npm run bench:scale -- [--sizes 1000,5000,20000] [--max-vectors 100000] [--model <folder of a static model>] [--keep FOLDER] [--write FILE]
// No vectors are computed for more documents than `--max-vectors`. `--write docs/performance.md` writes a page with the results, only as
// ratios.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CostTable, MAX_EXPONENT, MAX_GROWTH_MB, NODE, type Row, type Sample } from './lib/growth.ts';
import { measureSize, type Bytes } from './lib/scale-run.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,5000,20000,100000' },
    'max-vectors': { type: 'string', default: '100000' },
    model: { type: 'string' },
    keep: { type: 'string' },
    write: { type: 'string' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const root = fileURLToPath(new URL('..', import.meta.url));
const work = values.keep ?? mkdtempSync(path.join(tmpdir(), 'kebab-scale-'));
const table = new CostTable();
const bytes = new Map<number, Bytes>();

try {
  for (const size of sizes) {
    const measured = await measureSize(
      {
        cli: path.join(root, 'host-cli', 'bin', 'kebab.cjs'),
        work,
        model: values.model ?? path.join(root, '..', 'shared', 'models', 'potion-base-4M-int8'),
        table,
        maxVectors: Number(values['max-vectors']),
        isKept: values.keep !== undefined,
        onCost: (line) => void process.stderr.write(`${line}\n`),
      },
      size,
    );
    if (measured === null) process.exitCode = 1;
    else bytes.set(size, measured);
  }
  print();
  if (values.write !== undefined && bytes.size > 0) writeFileSync(values.write, page());
} finally {
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
}

function print(): void {
  console.log(
    `\nNode ${process.version}; wall / CPU in ms, peak in MB; the exponent is that of CPU above a start of the command`,
  );
  console.log(`${'operation'.padEnd(48)}${sizes.map((size) => String(size).padStart(22)).join('')}   exponent`);
  for (const { name, growth, samples, exponent, isOver } of table.rows()) {
    if (isOver) process.exitCode = 1;
    const cells = samples.map(({ wallMs, cpuMs, peakMb }) =>
      `${tidy(wallMs)} / ${tidy(cpuMs)} / ${peakMb.toFixed(0)}`.padStart(22),
    );
    const over = isOver ? `  over ${MAX_EXPONENT[growth]}` : '';
    console.log(`${name.padEnd(48)}${cells.join('')}   ${exponent.toFixed(2)}${over}`);
  }
  for (const [size, { text, database, vectors }] of bytes)
    console.log(
      `${size}: text ${mb(text)}, database ${mb(database)} (${(database / text).toFixed(2)})${vectors === null ? '' : `, of half with vectors ${mb(vectors)}`}`,
    );
  const grown = table.memoryGrowth();
  if (grown === null) return;
  console.log(
    `memory of an ingest, ${grown.from} to ${grown.to}: ${grown.mb.toFixed(0)} MB more (at most ${MAX_GROWTH_MB})`,
  );
  if (grown.mb > MAX_GROWTH_MB) process.exitCode = 1;
}

/** The results as a page: CPU time and memory as multiples of an empty Node process, exponents, and bytes per byte of text. */
function page(): string {
  const node = new Map(table.samples(NODE).map((sample) => [sample.size, sample]));
  const nodeMb = Math.max(...table.samples(NODE).map(({ peakMb }) => peakMb));
  const rows = table.rows().filter(({ name }) => name !== NODE);
  const times = ({ name, samples, exponent, isOver }: Row): string =>
    tableRow([
      name,
      ...at(samples, ({ size, cpuMs }) => ratio(cpuMs / (node.get(size)?.cpuMs ?? Number.NaN))),
      `${exponent.toFixed(2)}${isOver ? ' (over)' : ''}`,
    ]);
  const memory = ({ name, samples }: Row): string =>
    tableRow([name, ...at(samples, ({ peakMb }) => ratio(peakMb / nodeMb))]);
  const grown = table.memoryGrowth();
  return `# Performance

What commands cost, and how the cost grows with the number of documents. This page is written by \`npm run bench:scale -- --write
docs/performance.md\`, over Markdown documents assembled from the judged sets, with Node ${process.versions.node.split('.')[0]}. A test enforces the exponents at smaller sizes.

## Processor time

A command with all its processes, in units of \`node -e 0\` on the same machine in the same run: 2.0 is twice an empty Node process.
MCP rows are calls of a server that is already running. The exponent says how the cost beyond that of starting grows: 1 is linear in the
number of documents, 0 is constant; at most ${MAX_EXPONENT.linear} is allowed for work on all documents, ${MAX_EXPONENT.flat} for everything else.
A cold search first checks files for changes, [some at a time](search.md#files-that-have-changed) if there are many.

${header('exponent')}
${rows.map(times).join('\n')}

## Memory

The peak memory of any one process of a command, in units of \`node -e 0\`; for MCP, the server after these searches.

${header()}
${rows.map(memory).join('\n')}

${grown === null ? '' : `The memory of an ingest grows by ${Math.max(0, Math.round(grown.mb))} MB from ${grown.from.toLocaleString('en')} to ${grown.to.toLocaleString('en')} documents (at most ${MAX_GROWTH_MB} are allowed).\n`}
## Bytes

These documents are short: some 800 bytes each, in one or two passages. Every document has rows and index entries of some 1,800 bytes
regardless of its length, so the ratio is lower for long documents.

${[...bytes]
  .map(
    ([size, { text, database, vectors }]) =>
      `- ${size.toLocaleString('en')} documents: the database takes ${(database / text).toFixed(2)} times their text${vectors === null ? '' : `; half of them with static vectors, ${(vectors / (text / 2)).toFixed(2)} times`}.`,
  )
  .join('\n')}
`;
}

/** One cell for each size; empty if nothing was measured. */
function at(samples: readonly Sample[], cell: (sample: Sample) => string): readonly string[] {
  return sizes.map((size) => {
    const sample = samples.find((one) => one.size === size);
    return sample === undefined ? '' : cell(sample);
  });
}

function header(...more: readonly string[]): string {
  const names = tableRow(['operation', ...sizes.map((size) => `${size.toLocaleString('en')} documents`), ...more]);
  return `${names}\n${tableRow(['---', ...sizes.map(() => '---:'), ...more.map(() => '---:')])}`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function ratio(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

function tidy(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : ms.toFixed(0);
}

function mb(size: number): string {
  return `${(size / 1e6).toFixed(1)} MB`;
}
