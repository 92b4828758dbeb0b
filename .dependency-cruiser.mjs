// Who may import whom: one rule a row, whose comment says what to do instead. Imports of types count, and so do lazy ones,
// unless a rule says otherwise. `npm run lint` checks them (scripts/check-boundaries.mjs).

/**
 * Folders of core by level, lowest first; `search` is the folder and a file `search.ts` beside it. A folder imports from the levels
 * below its own, never what stands beside it.
 */
const VOCABULARY = [
  ['errors'],
  ['domain', 'files'],
  ['analysis'],
  ['contracts'],
  ['schema'],
  ['requests'],
  ['wire', 'plugin', 'chunking', 'git', 'paging', 'relevance', 'words'],
];
const SHARED = [['config', 'citation'], ['ports'], ['documents', 'embedding', 'extraction'], ['access']];
const USE_CASES = ['ingest', 'search', 'fetch', 'ask', 'eval', 'admin'];
const ENGINE = [...SHARED, USE_CASES, ['app'], ['composition'], ['service', 'hosting']];
const LEVELS = [...VOCABULARY, ...ENGINE];

/** Large libraries, which a command that does not use them does not load. */
const HEAVY = [
  'better-sqlite3',
  'web-tree-sitter',
  'tree-sitter-[^/]+',
  'iconv-lite',
  'jschardet',
  'tinyld',
  'linkedom',
  'htmlparser2',
  '@mozilla/readability',
  'numfmt',
  'fflate',
  'onnxruntime-node',
  '@huggingface/tokenizers',
  '@huggingface/transformers',
  'ollama',
  'pdfjs-dist',
  '@napi-rs/canvas',
  'sharp',
  'tesseract\\.js',
  '@qdrant/js-client-rest',
  'pg',
  '@modelcontextprotocol/server',
  'jose',
  'prom-client',
];

/** Files that are only ever reached through a dynamic import, so that they may import a heavy library at the top. */
const LAZY_FILES = ['^host-mcp/src/(?:protocol/mcp-server|transport/serve-(?:stdio|http))\\.ts$'];

const WORKSPACE = '(?:kits|plugins)/[^/]+|core|testing|builtins|host-cli|host-mcp|host-web|create-kebab-plugin';
/** What a workspace shows to the others. */
const DOORS = [
  '^core/src/(index|engine|store|suites)\\.ts$',
  '^testing/src/index\\.ts$',
  '^kits/[^/]+/src/(index|testing/index)\\.ts$',
  '^(plugins/[^/]+|builtins|host-mcp|host-web|create-kebab-plugin)/src/index\\.ts$',
  '/package\\.json$',
];
const TYPES = ['type-only', 'type-import'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...LEVELS.flatMap((level, at) =>
      level.map((folder) =>
        row(
          `core-${folder}`,
          USE_CASES.includes(folder)
            ? 'a use case imports no other and nothing above: move what several need into a shared folder, or take a function whose type is declared here and which composition binds'
            : `${folder} stands below that or beside it: move what both need further down, or take it as a parameter`,
          { path: inCore([folder]) },
          { path: '^core/src/', pathNot: inCore([folder, ...LEVELS.slice(0, at).flat()]) },
        ),
      ),
    ),
    row(
      'core-folder-without-a-level',
      'give the folder its level in .dependency-cruiser.mjs and its line in ARCHITECTURE.md',
      { path: '^core/src/', pathNot: [inCore(LEVELS.flat()), '^core/src/(index|engine|store|suites)\\.ts$'] },
      {},
    ),
    row(
      'core-is-vocabulary-to-plugins',
      'what only hosts need is exported by engine.ts, what only the contract suites need by suites.ts',
      { path: '^core/src/(index|store)\\.ts$' },
      { path: inCore(ENGINE.flat()) },
    ),
    row(
      'core-knows-no-plugin',
      'core sees implementations only through contracts: add to the contract, or take the implementation as a parameter',
      { path: '^core/src/' },
      { path: `^(${WORKSPACE})/`, pathNot: '^core/' },
    ),
    row(
      'suites-for-tests',
      'contract suites and fakes are for tests: src imports nothing of them, but for `kebab plugin test`, which runs them, and the test support of kits',
      { path: '/src/', pathNot: ['^testing/', '^kits/[^/]+/src/testing/', '^host-cli/src/commands/plugin-test\\.ts$'] },
      { path: ['^testing/', '^core/src/suites\\.ts$'] },
    ),
    row(
      'suites-see-the-core',
      'the suites import what core exports for plugins, stores and suites, and types of its outputs',
      { path: '^testing/src/' },
      { path: `^(${WORKSPACE})/`, pathNot: ['^testing/', '^core/src/(index|store|suites|engine)\\.ts$'] },
    ),
    row(
      'plugins-see-the-vocabulary',
      'a plugin imports @kebab/core (a store also @kebab/core/store, tests also @kebab/testing), the kit of its family and its own libraries',
      { path: '^((?:kits|plugins)/[^/]+)/src/', pathNot: '^kits/[^/]+/src/testing/' },
      { path: `^(${WORKSPACE})/`, pathNot: ['^$1/', '^core/src/(index|store)\\.ts$', '^kits/'] },
    ),
    row(
      'kits-test-with-the-suites',
      'the test support of a kit imports @kebab/core and @kebab/testing, or @kebab/plugin and @kebab/plugin/testing',
      { path: '^(kits/[^/]+)/src/testing/' },
      {
        path: `^(${WORKSPACE})/`,
        pathNot: ['^$1/', '^core/src/index\\.ts$', '^testing/src/index\\.ts$', '^kits/plugin/'],
      },
    ),
    row(
      'code-kit-for-languages',
      'kits/code is for language packs: a plugin uses the kit of its own family, and a kit no other',
      { path: '/src/', pathNot: '^(plugins/code-[^/]+|kits/code)/' },
      { path: '^kits/code/' },
    ),
    row(
      'onnx-kit-for-local-models',
      'kits/onnx is for the -transformers plugins: a plugin uses the kit of its own family, and a kit no other',
      { path: '/src/', pathNot: '^(plugins/[a-z]+-transformers|kits/onnx)/' },
      { path: '^kits/onnx/' },
    ),
    row(
      'ollama-kit-for-ollama',
      'kits/ollama is for the -ollama plugins: a plugin uses the kit of its own family, and a kit no other',
      { path: '/src/', pathNot: '^(plugins/[a-z]+-ollama|kits/ollama)/' },
      { path: '^kits/ollama/' },
    ),
    row(
      'sqlite-kit-for-stores',
      'kits/sqlite is for plugins that keep their data in a SQLite file: a plugin uses the kit of its own family, and a kit no other',
      { path: '/src/', pathNot: '^(plugins/store-sqlite|plugins/vectors-local|kits/sqlite)/' },
      { path: '^kits/sqlite/' },
    ),
    row(
      'store-kit-for-stores',
      'kits/store is for plugins that store documents in a SQL database: a plugin uses the kit of its own family, and a kit no other',
      { path: '/src/', pathNot: '^(plugins/store-[^/]+|kits/store)/' },
      { path: '^kits/store/' },
    ),
    row(
      'formats-kit-for-document-formats',
      'kits/formats is for plugins that read documents; kits/plugin is below it and knows no other kit',
      { path: '^kits/plugin/src/' },
      { path: '^kits/(?!plugin/)' },
    ),
    row(
      'hosts-see-the-facade',
      'hosts talk to App and openApp of @kebab/core/app and to the list of built-in plugins; `kebab mcp` starts @kebab/mcp, `kebab ui` @kebab/web, and `kebab plugin new` create-kebab-plugin',
      { path: '^(host-cli|host-mcp|host-web)/src/' },
      {
        path: `^(${WORKSPACE})/`,
        pathNot: [
          '^$1/',
          '^core/src/(index|engine)\\.ts$',
          '^testing/src/index\\.ts$',
          '^builtins/src/index\\.ts$',
          '^(host-mcp|host-web|create-kebab-plugin)/src/index\\.ts$',
        ],
      },
    ),
    row(
      'hosts-see-types-of-core',
      'of @kebab/core a host imports types only; values come from @kebab/core/app',
      { path: '^host-(cli|mcp|web)/src/' },
      { path: '^core/src/index\\.ts$', dependencyTypesNot: TYPES },
    ),
    row(
      'one-command-starts-the-mcp-host',
      'the hosts know nothing of each other; only `kebab mcp` starts the other one',
      { path: '^(?!host-mcp/)', pathNot: '^host-cli/src/commands/mcp\\.ts$' },
      { path: '^host-mcp/' },
    ),
    row(
      'one-command-starts-the-web-host',
      'the hosts know nothing of each other; only `kebab ui` starts the pages, and `kebab mcp` passes on how they show an answer',
      { path: '^(?!host-web/)', pathNot: '^host-cli/src/commands/(ui|mcp)\\.ts$' },
      { path: '^host-web/' },
    ),
    row(
      'the-generator-stands-alone',
      'create-kebab-plugin runs before kebab is installed, so it imports nothing of ours',
      { path: '^create-kebab-plugin/src/' },
      { path: `^(${WORKSPACE})/`, pathNot: '^create-kebab-plugin/' },
    ),
    row(
      'one-command-runs-the-generator',
      'only `kebab plugin new` runs the generator',
      { path: '^(?!create-kebab-plugin/)', pathNot: '^host-cli/src/commands/plugin-new\\.ts$' },
      { path: '^create-kebab-plugin/' },
    ),
    row(
      'no-reaching-into-packages',
      'import a package by its name; what it does not export is its own',
      { path: `^(${WORKSPACE})/src/` },
      { path: `^(${WORKSPACE})/`, pathNot: ['^$1/', ...DOORS] },
    ),
    row(
      'pure-domain',
      'errors, domain and analysis are values and pure functions: do I/O at the rim and pass the result in',
      { path: '^core/src/(errors|domain|analysis)/' },
      { dependencyTypes: ['core'] },
    ),
    row(
      'container-in-one-folder',
      'a container is wiring: take what you need as a parameter, and bind it in core/src/composition',
      { path: '/src/', pathNot: '^core/src/composition/' },
      { path: '(^|/)(tsyringe|reflect-metadata)(/|$)' },
    ),
    row(
      'heavy-on-first-use',
      'import it lazily (`await import(…)`), on first use',
      { path: '/src/', pathNot: LAZY_FILES },
      { path: `(^|/)node_modules/(${HEAVY.join('|')})(/|$)`, dynamic: false, dependencyTypesNot: TYPES },
    ),
    {
      ...row(
        'no-circle-of-folders',
        'two folders that need each other are one, or share something that belongs in a third',
        {},
        { circular: true },
      ),
      scope: 'folder',
    },
    row(
      'everything-is-found',
      'the import leads nowhere: is the package declared and installed?',
      { path: '/src/' },
      { couldNotResolve: true },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules|/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['kebab-src', 'types', 'import', 'node', 'default'],
      mainFields: ['types', 'main'],
      extensions: ['.ts', '.mjs', '.js', '.d.ts', '.json', '.node'],
    },
  },
};

function inCore(folders) {
  return `^core/src/(${folders.join('|')})(/|\\.ts$)`;
}

function row(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}
