// The command line as CommonJS chunks. CommonJS starts sooner than the same code as an ES module graph, one file sooner
// than many, and splitting at dynamic imports keeps commands that are not run out of the parser.
import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';
import { optionalParts, TRANSFORMERS, writeParts } from './optional-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages whose main file hides its dependencies from a bundler. */
const readable = { 'jsonc-parser': `${root}node_modules/jsonc-parser/lib/esm/main.js` };

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
];

/** External packages in CommonJS: requiring them saves a cold search the ES module loader. */
const commonJs = /^better-sqlite3$/;

/** The files that a cold search answered by a service runs, with all their imports. */
const thinPath = ['host-cli/src/main.ts', 'host-cli/src/commands/search.ts', 'core/src/app/facade.ts'];

/** The client of the service. */
const servicePath = ['core/src/service/reach-service.ts'];

/** The additional files of a cold search without a service, as one chunk, because files cost more than bytes. */
const hotPath = [
  'core/src/composition/open-app.ts',
  'builtins/src/index.ts',
  'core/src/search/search-documents.ts',
  'plugins/store-sqlite/src/index.ts',
  'plugins/store-sqlite/src/open-store.ts',
  'plugins/store-sqlite/src/documents/sqlite-document-store.ts',
  'plugins/store-sqlite/src/lexical/sqlite-lexical-index.ts',
  'node_modules/damerau-levenshtein/',
  'node_modules/smol-toml/',
  'node_modules/tiny-lru/',
];

/** The additional files of a cold hybrid search, to find the model or detect that it is missing. */
const meaningPath = [
  'plugins/embed-transformers/src/index.ts',
  'plugins/embed-transformers/src/transformers-embedder.ts',
  'core/src/plugin/guard/',
  'kits/onnx/src/worker/model-thread.ts',
  'kits/onnx/src/folder/',
];

/** Programs of other processes and threads. In one build with the main program, they would import parts of each other. */
async function workers(outDir, host) {
  const programs = {
    'extraction-worker': `${host}/src/extraction-worker.ts`,
    'model-worker': 'kits/onnx/src/worker/model-worker.ts',
    'group-writer': 'plugins/store-sqlite/src/documents/group-writer.ts',
  };
  const built = [];
  for (const [name, file] of Object.entries(programs))
    built.push(
      ...(await build(outDir, {
        input: { [name]: file },
        chunkFileNames: `${name}-[name]-[hash].cjs`,
        plugins: host === 'host-cli' ? [optionalParts] : [],
      })),
    );
  return built;
}

/** Data files that the bundled code reads, by the name of their folder in the bundle. */
const dataFolders = {
  migrations: 'plugins/store-sqlite/migrations',
  templates: 'create-kebab-plugin/templates',
};

function copyData(outDir, names) {
  for (const name of names) cpSync(root + dataFolders[name], `${outDir}/${name}`, { recursive: true });
}

/** Writes the bundle into a folder, which is emptied first. Returns its chunks with the modules in each. */
export async function bundle(outDir) {
  rmSync(outDir, { recursive: true, force: true });
  copyData(outDir, ['migrations', 'templates']);
  writeParts(`${outDir}/parts`, root);
  return [
    ...(await build(outDir, {
      input: { main: 'host-cli/src/main.ts' },
      chunkFileNames: '[name]-[hash].cjs',
      plugins: [optionalParts, importsOutside, asciiOnly, buildMark],
      groups: [
        { name: 'thin', test: (id) => thinPath.some((part) => id.includes(part)), priority: 2 },
        { name: 'service', test: (id) => servicePath.some((part) => id.includes(part)), priority: 1 },
        { name: 'hot', test: (id) => hotPath.some((part) => id.includes(part)), priority: 1 },
        { name: 'meaning', test: (id) => meaningPath.some((part) => id.includes(part)) },
      ],
    })),
    ...(await workers(outDir, 'host-cli')),
  ];
}

/** Writes the bundle of the MCP server's own program into a folder, which is emptied first. */
export async function bundleMcp(outDir) {
  rmSync(outDir, { recursive: true, force: true });
  copyData(outDir, ['migrations']);
  return [
    ...(await build(outDir, {
      input: { main: 'host-mcp/src/main.ts' },
      chunkFileNames: '[name]-[hash].cjs',
      plugins: [buildMark],
    })),
    ...(await workers(outDir, 'host-mcp')),
  ];
}

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

async function build(outDir, { input, chunkFileNames, plugins = [], groups = [] }) {
  const graph = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'], alias: readable },
    external,
    plugins: [withoutPictures, ...plugins],
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
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].cjs',
    chunkFileNames,
    codeSplitting: { groups },
  });
  await graph.close();
  return output.map(({ fileName, moduleIds }) => ({ fileName, moduleIds: moduleIds ?? [] }));
}

/**
 * Imports of modules outside the bundle. Scripts compiled from a cache cannot run `import()` in Node 20, so a file that is never cached
 * does it for them.
 */
const importsOutside = {
  name: 'imports-outside',
  renderChunk(code) {
    const { module } = parseSync('chunk.mjs', code);
    let rest = code;
    for (const { start, end, moduleRequest } of module.dynamicImports.toReversed()) {
      const specifier = code.slice(moduleRequest.start, moduleRequest.end);
      const isCommonJs = commonJs.test(specifier.slice(1, -1));
      const replacement = isCommonJs
        ? `Promise.resolve().then(() => ({ default: require(${specifier}) }))`
        : `require("../../bin/import.cjs")(${specifier})`;
      rest = rest.slice(0, start) + replacement + rest.slice(end);
    }
    return rest === code ? null : { code: rest, map: null };
  },
};

/** Escapes non-ASCII characters, so that a chunk is a one-byte string, which takes half the memory. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replaceAll(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** Equal for all programs that one run bundles, so that `kebab-mcp` uses a service that `kebab` started. */
const mark = randomBytes(8).toString('hex');

/** Embeds the build mark in the bundle. */
const buildMark = {
  name: 'build-mark',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replaceAll('@kebab-build@', mark);
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bundle(`${root}host-cli/dist/bundle`);
  await bundleMcp(`${root}host-mcp/dist/bundle`);
}
