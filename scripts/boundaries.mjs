// Who may import whom. One rule a row; `why` tells the offender what to do instead. Used by check-boundaries.mjs and its test.
import { builtinModules } from 'node:module';

const BUILTINS = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
const HEAVY =
  /^(better-sqlite3|kysely|satteri|web-tree-sitter|tree-sitter-.*|yaml|smol-toml|cosmiconfig|zod|picomatch|tinyld|onnxruntime-node|@huggingface\/tokenizers|ollama|pdfjs-dist|@napi-rs\/canvas|sharp|tesseract\.js|@qdrant\/js-client-rest)$/;

/** The libraries in `kits/`, each shared by the plugins of one family. */
const KITS = [
  { kit: '@kebab/code-kit', family: /^plugins\/code-/ },
  { kit: '@kebab/onnx-kit', family: /^plugins\/[a-z]+-transformers\// },
  { kit: '@kebab/ollama-kit', family: /^plugins\/[a-z]+-ollama\// },
];

/** Layers of core, lowest first: a file may import its own layer and those below it. */
const LAYERS = [
  'errors',
  'files',
  'domain',
  'analysis',
  'contracts',
  'requests',
  'files|plugin|wire|chunking|git',
  'config',
  'paging|documents|citation|embedding|relevance|extraction',
  'ingest|search|fetch|ask|eval|admin',
  'app|testing',
  'composition',
];

/** The layer whose folders never import each other. */
const USE_CASES = LAYERS.indexOf('ingest|search|fetch|ask|eval|admin');

/**
 * @typedef {{ file: string, specifier: string, target: string | null, lazy: boolean, typeOnly: boolean }} Import
 * `file` and `target` are repository paths; `target` is null for packages and built-in modules.
 */

/** @type {readonly { name: string, why: string, forbids: (i: Import) => boolean }[]} */
export const RULES = [
  {
    name: 'layers',
    why: 'errors ← domain ← contracts ← shared ideas ← use cases ← app ← composition, types too, and no use case imports another: move what both need down, or pass it in',
    forbids: ({ file, target }) => {
      const from = layerOf(file);
      const to = layerOf(target);
      const isSibling = from === to && from === USE_CASES && folderOf(file) !== folderOf(target);
      return from !== -1 && to !== -1 && (to > from || isSibling);
    },
  },
  {
    name: 'core-knows-no-plugin',
    why: 'core sees implementations only through contracts: add to the contract, or pass the implementation in',
    forbids: ({ file, specifier }) => file.startsWith('core/src/') && specifier.startsWith('@kebab/'),
  },
  {
    name: 'plugins-see-the-vocabulary',
    why: 'a plugin imports @kebab/core (tests also @kebab/core/testing), the kit of its family, and its own libraries',
    forbids: ({ file, specifier }) =>
      /^(kits|plugins)\/[^/]+\/src\//.test(file) &&
      specifier.startsWith('@kebab/') &&
      specifier !== '@kebab/core' &&
      !KITS.some(({ kit, family }) => specifier === kit && family.test(file)) &&
      !(specifier === '@kebab/core/testing' && /^kits\/[^/]+\/src\/testing\//.test(file)),
  },
  {
    name: 'hosts-see-the-facade',
    why: 'hosts talk to App and openApp of @kebab/core/app, types of @kebab/core, and the list of built-in plugins',
    forbids: ({ file, specifier, typeOnly }) =>
      /^host-(cli|mcp)\/src\//.test(file) &&
      specifier.startsWith('@kebab/') &&
      specifier !== '@kebab/core/app' &&
      !(specifier === '@kebab/core' && typeOnly) &&
      !(specifier === '@kebab/mcp' && file === 'host-cli/src/commands/mcp.ts') &&
      specifier !== '@kebab/builtins',
  },
  {
    name: 'the-generator-stands-alone',
    why: 'create-kebab-plugin runs by itself, before kebab is installed: it imports nothing of ours, and of ours only `plugin new` imports it',
    forbids: ({ file, specifier }) =>
      (file.startsWith('create-kebab-plugin/src/') && specifier.startsWith('@kebab/')) ||
      (specifier === 'create-kebab-plugin' && file !== 'host-cli/src/commands/plugin-new.ts'),
  },
  {
    name: 'no-reaching-into-packages',
    why: 'import a package by its name, never a file inside another workspace',
    forbids: ({ file, target }) => target !== null && /\/src\//.test(file) && workspaceOf(file) !== workspaceOf(target),
  },
  {
    name: 'pure-domain',
    why: 'domain and analysis are values and pure functions: do I/O at the rim and pass the result in',
    forbids: ({ file, specifier }) => /^core\/src\/(domain|analysis|errors)\//.test(file) && BUILTINS.has(specifier),
  },
  {
    name: 'container-in-one-folder',
    why: 'a container is wiring: take what you need as constructor parameters, bind it in core/src/composition',
    forbids: ({ file, specifier }) =>
      /^(tsyringe|reflect-metadata)(\/|$)/.test(specifier) && !file.startsWith('core/src/composition/'),
  },
  {
    name: 'heavy-on-first-use',
    why: 'import it lazily (`await import(…)`), or in a file that is itself imported lazily and named in LAZY_FILES',
    forbids: ({ file, specifier, lazy, typeOnly }) =>
      !lazy &&
      !typeOnly &&
      /\/src\//.test(file) &&
      HEAVY.test(packageOf(specifier)) &&
      !LAZY_FILES.some((pattern) => pattern.test(file)),
  },
];

/** Files that are only ever reached through a dynamic import, so that they may import a heavy library at the top. */
export const LAZY_FILES = [
  /^core\/src\/wire\//,
  /^plugins\/md\/src\/front-matter\/parse-yaml\.ts$/,
  /^plugins\/md\/src\/parse\/markdown-tree\.ts$/,
  /^plugins\/store-sqlite\/src\/database\/typed-queries\.ts$/,
];

function folderOf(file) {
  return /^core\/src\/([^/]+)\//.exec(file ?? '')?.[1];
}

function layerOf(file) {
  const folder = folderOf(file);
  return folder === undefined ? -1 : LAYERS.findIndex((layer) => layer.split('|').includes(folder));
}

function workspaceOf(file) {
  return /^((?:kits|plugins)\/[^/]+|[^/]+)\//.exec(file)?.[1];
}

function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
