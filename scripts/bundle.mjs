// Bundles the command line and the MCP server as CommonJS, split at dynamic imports: a bundle starts in a third of the time that the same
// code takes as an ES module graph.
//   node scripts/bundle.mjs [folder]
// With a folder it writes only the command line, there, and prints its files with the source files in them as JSON.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { optionalParts, TRANSFORMERS, writeParts } from './optional-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Modules that are read from another file of their package: where the main file hides its dependencies from a bundler, or requires all of
 * them (tsyringe), and where a variant for other platforms leaves out a validator of 300 KB that is never used. `pg` requires parts of itself,
 * whose variants for imports are other values.
 */
const readable = {
  tsyringe: `${root}node_modules/tsyringe/dist/esm2015/index.js`,
  'jsonc-parser': `${root}node_modules/jsonc-parser/lib/esm/main.js`,
  '@modelcontextprotocol/server/_shims': `${root}node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs`,
  'pg-pool': `${root}node_modules/pg-pool/index.js`,
  'pg-protocol': `${root}node_modules/pg-protocol/dist/index.js`,
  'pg-connection-string': `${root}node_modules/pg-connection-string/index.js`,
};

/** Packages with native code or data files stay in node_modules. */
const external = [
  /^better-sqlite3/,
  /^satteri/,
  /^@bruits\//,
  /^web-tree-sitter/,
  /^tree-sitter-/,
  /^@tree-sitter-grammars\//,
  /^onnxruntime-/,
  /^pdfjs-dist/,
  /^@napi-rs\//,
  /^sharp/,
  /^tesseract\.js/,
  /^@tesseract\.js-data\//,
  /^@vscode\/ripgrep/,
];

/** The programs of a host: its own, and those of other processes and threads, which are files of the same folder. */
function programs(host) {
  return {
    main: `${host}/src/main.ts`,
    'extraction-worker': `${host}/src/extraction-worker.ts`,
    'model-worker': 'kits/onnx/src/worker/model-worker.ts',
  };
}

/** Data files that the bundled code reads, by the name of their folder in the bundle. */
const dataFolders = {
  migrations: 'migrations',
  templates: 'create-kebab-plugin/templates',
  web: 'host-web/assets',
};

function copyData(outDir, names) {
  for (const name of names) cpSync(root + dataFolders[name], `${outDir}/${name}`, { recursive: true });
}

/** Writes the command line into a folder, which is emptied first. */
export async function bundle(outDir) {
  rmSync(outDir, { recursive: true, force: true });
  copyData(outDir, ['migrations', 'templates', 'web']);
  writeParts(`${outDir}/parts`, root);
  const chunks = await build(outDir, { input: programs('host-cli'), plugins: [optionalParts] });
  const mark = hashOf(outDir, chunks);
  insertMark(outDir, chunks, mark);
  return { chunks, mark };
}

/** Writes the MCP server's own program into a folder, which is emptied first. `mark`: that of the command line built with it. */
export async function bundleMcp(outDir, mark) {
  rmSync(outDir, { recursive: true, force: true });
  copyData(outDir, ['migrations']);
  insertMark(outDir, await build(outDir, { input: programs('host-mcp') }), mark);
}

/** A hash of the files of a bundle. */
function hashOf(outDir, chunks) {
  const hash = createHash('sha256');
  for (const { fileName } of chunks) hash.update(readFileSync(`${outDir}/${fileName}`));
  return hash.digest('hex').slice(0, 16);
}

/** Writes the build mark, by which a program recognises a service of its own build, in place of the placeholder in `messages.ts`. */
function insertMark(outDir, chunks, mark) {
  for (const { fileName } of chunks) {
    const code = readFileSync(`${outDir}/${fileName}`, 'utf8');
    if (code.includes(PLACEHOLDER)) writeFileSync(`${outDir}/${fileName}`, code.replaceAll(PLACEHOLDER, mark));
  }
}

const PLACEHOLDER = '@kebab-build@';

/** Removes sharp from @huggingface/transformers, which imports it eagerly: 20 MB of native code that only pictures need. */
export const withoutPictures = {
  name: 'without-pictures',
  transform(code, id) {
    if (!TRANSFORMERS.test(id)) return null;
    const rest = code.replace(
      'import sharp from "sharp";',
      'const sharp = () => { throw new Error("it reads no pictures"); };',
    );
    if (rest === code) throw new Error(`${id} imports sharp in another way`);
    return { code: rest, map: null };
  },
};

/** Removes the loaders of cosmiconfig, which run scripts and parse with libraries of their own: kebab passes it loaders for all its formats. */
const withoutLoaders = {
  name: 'without-loaders',
  load(id) {
    return id.endsWith('node_modules/cosmiconfig/dist/loaders.js') ? 'module.exports = {};' : null;
  },
};

/** Leaves out the variants of pg for other runtimes and for its native binding, which are not installed. */
const withoutVariantsOfPg = {
  name: 'without-variants-of-pg',
  resolveId: (id) => (/^pg-(?:native|cloudflare)$/.test(id) ? '\0no-variant-of-pg' : null),
  load: (id) => (id === '\0no-variant-of-pg' ? 'module.exports = {};' : null),
};

async function build(outDir, { input, plugins = [] }) {
  const graph = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'], alias: readable },
    external,
    plugins: [withoutPictures, withoutLoaders, withoutVariantsOfPg, ...plugins],
    onLog(level, log, handle) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return; // imported lazily here and eagerly there, both intentionally
      if (log.code === 'EMPTY_IMPORT_META' && TRANSFORMERS.test(log.id ?? log.message)) return; // it only checks whether `import.meta` exists
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
  });
  const { output } = await graph.write({
    dir: outDir,
    format: 'cjs',
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  });
  await graph.close();
  return output.map(({ fileName, moduleIds }) => ({ fileName, moduleIds: moduleIds ?? [] }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2];
  const { chunks, mark } = await bundle(folder ?? `${root}host-cli/dist/bundle`);
  if (folder === undefined) await bundleMcp(`${root}host-mcp/dist/bundle`, mark);
  else console.log(JSON.stringify(chunks));
}
