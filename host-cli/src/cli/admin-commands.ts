import { ASK, flagsOf } from '@kebab/core/app';
import type { ArgumentSpec, CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { DEFAULT_SUITE } from '../command/command-values.ts';

const CONFIG_KEY: ArgumentSpec = {
  name: 'KEY',
  completes: 'config_key',
  required: true,
  summary: 'the name of a setting, as `kebab config show` prints it',
};
const AGENTS = ['claude-code', 'claude-desktop', 'codex', 'cursor', 'gemini', 'opencode', 'vscode', 'windsurf', 'zed'];
const USER: FlagSpec = { name: 'user', kind: 'boolean', summary: 'use your own configuration, even within a project' };

const YES: FlagSpec = { name: 'yes', kind: 'boolean', summary: 'do not ask for confirmation' };
const PLUGIN_INSTALL_FLAGS: readonly FlagSpec[] = [
  YES,
  { name: 'allow-scripts', kind: 'boolean', summary: 'run the install scripts of packages; they can do anything' },
];

/** The kinds of contribution that `plugin new` generates; a test compares them with those of the generator, which is only loaded on use. */
const KINDS = [
  'extractor',
  'chunker',
  'embedder',
  'retriever',
  'reranker',
  'vector_store',
  'llm',
  'ocr',
  'captioner',
  'source',
  'groundedness',
  'interceptor',
  'hook',
];

/** The commands that administer kebab itself: its health, settings, models, plugins and the agents that use it. */
export const ADMIN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show sources, models, what has changed, and what to do next',
    args: [],
    flags: [],
    output: ['status.v1'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'check that everything works',
    args: [],
    flags: [{ name: 'deep', kind: 'boolean', summary: 'also read every text in the database' }],
    output: ['doctor.v1'],
    load: async () => (await import('../commands/status.ts')).doctor,
  },
  {
    name: 'repair',
    summary: 'rebuild a damaged database from the files',
    args: [],
    flags: [{ name: 'dry-run', kind: 'boolean', summary: 'only show what is damaged' }],
    output: ['repair_report.v1'],
    load: async () => (await import('../commands/reset.ts')).repair,
  },
  {
    name: 'serve',
    summary: 'run the service that keeps models loaded',
    args: [],
    flags: [
      { name: 'status', kind: 'boolean', summary: 'show the running service' },
      { name: 'stop', kind: 'boolean', summary: 'stop the running service' },
    ],
    output: ['service_status.v1'],
    load: async () => (await import('../commands/serve.ts')).serve,
  },
  {
    name: 'schema',
    summary: 'show versions, capabilities and counts',
    args: [],
    flags: [],
    output: ['schema.v1'],
    load: async () => (await import('../commands/schema.ts')).schema,
  },
  {
    name: 'eval run',
    summary: 'run a golden suite and measure its results',
    args: [],
    get flags(): readonly FlagSpec[] {
      return [
        {
          name: 'suite',
          kind: 'string',
          value: 'PATH',
          summary: `the golden suite (KEBAB_EVAL_GOLDEN, else ${DEFAULT_SUITE})`,
        },
        ...flagsOf(ASK, ['mode']),
        { name: 'k', short: 'k', kind: 'integer', min: 1, max: 100, value: 'N', summary: 'hits judged, 1 to 100 (10)' },
        { name: 'with-rag', kind: 'boolean', summary: 'also ask each query and judge its answer' },
        ...flagsOf(ASK, ['temperature', 'seed']),
      ];
    },
    output: ['eval_run.v1'],
    load: async () => (await import('../commands/eval.ts')).evalRun,
  },
  {
    name: 'eval aggregate',
    summary: 'recompute the metrics of a run from its results',
    args: [{ name: 'RUN', required: true, summary: 'the id of a run' }],
    flags: [],
    output: ['eval_aggregate.v1'],
    load: async () => (await import('../commands/eval.ts')).evalAggregate,
  },
  {
    name: 'eval compare',
    summary: 'compare two runs, metric by metric and query by query',
    args: [
      { name: 'A', required: true, summary: 'the id of a run' },
      { name: 'B', required: true, summary: 'the id of the run to compare it with' },
    ],
    flags: [
      { name: 'strict-chunker-version', kind: 'boolean', summary: 'fail if the runs used different chunkers' },
      { name: 'write-report', kind: 'boolean', summary: 'write report.md into the folder of the second run' },
    ],
    output: ['eval_compare.v1'],
    load: async () => (await import('../commands/eval.ts')).evalCompare,
  },
  {
    name: 'reset',
    summary: 'remove what kebab made, never your own files',
    args: [],
    flags: [
      { name: 'all', kind: 'boolean', summary: 'data, configuration, cache, logs and models' },
      { name: 'data-only', kind: 'boolean', summary: 'database, vectors, assets, runs (default)' },
      { name: 'vector-only', kind: 'boolean', summary: 'vectors; documents stay' },
      { name: 'config-only', kind: 'boolean', summary: 'the configuration file and the list of trusted files' },
      { name: 'orphans-only', kind: 'boolean', summary: 'documents whose file is gone or now ignored' },
      { name: 'user', kind: 'boolean', summary: 'your own knowledge base, even within a project' },
      { name: 'yes', kind: 'boolean', summary: 'do not ask for confirmation' },
    ],
    output: ['reset_report.v1'],
    load: async () => (await import('../commands/reset.ts')).reset,
  },
  {
    name: 'config show',
    summary: 'show every setting and where it comes from',
    args: [],
    flags: [],
    output: ['config_view.v1'],
    load: async () => (await import('../commands/config.ts')).configShow,
  },
  {
    name: 'config get',
    summary: 'show one setting',
    args: [CONFIG_KEY],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configGet,
  },
  {
    name: 'config set',
    summary: 'change one setting, in the project’s file or yours',
    args: [
      CONFIG_KEY,
      {
        name: 'VALUE',
        acceptsEmpty: true,
        completes: 'config_value',
        required: true,
        repeats: true,
        summary: 'the value; for a list, several values, JSON or commas',
      },
    ],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configSet,
  },
  {
    name: 'config unset',
    summary: 'remove one setting from the file',
    args: [CONFIG_KEY],
    flags: [USER],
    output: ['config_entry.v1'],
    load: async () => (await import('../commands/config.ts')).configUnset,
  },
  {
    name: 'config path',
    summary: 'show which files and folders are in use',
    args: [],
    flags: [],
    output: ['config_paths.v1'],
    load: async () => (await import('../commands/config.ts')).configPath,
  },
  {
    name: 'models list',
    summary: 'list models, and show which are present and configured',
    args: [],
    flags: [],
    output: ['model_list.v1'],
    load: async () => (await import('../commands/models.ts')).modelsList,
  },
  {
    name: 'models pull',
    summary: 'download a model, or all configured models',
    args: [{ name: 'MODEL', completes: 'model', required: false, summary: 'a name from `kebab models list`' }],
    flags: [],
    output: ['model_pull.v1'],
    load: async () => (await import('../commands/models.ts')).modelsPull,
  },
  {
    name: 'vectors copy',
    summary: 'copy all vectors to another vector store, without embedding again',
    args: [],
    flags: [
      {
        name: 'from',
        kind: 'string',
        value: 'STORE',
        offers: ['local', 'qdrant'],
        summary: 'the store to read: local, qdrant or a plugin (required)',
      },
      {
        name: 'to',
        kind: 'string',
        value: 'STORE',
        offers: ['local', 'qdrant'],
        summary: 'the store to write (required)',
      },
    ],
    output: ['vectors_copied.v1'],
    load: async () => (await import('../commands/models.ts')).vectorsCopy,
  },
  {
    name: 'plugin list',
    summary: 'list plugins, and say why one does not run',
    args: [],
    flags: [],
    output: ['plugin_list.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginList,
  },
  {
    name: 'plugin install',
    summary: 'install a plugin or an optional part into kebab’s own folder',
    args: [
      {
        name: 'NAME',
        completes: 'plugin_source',
        required: true,
        summary:
          'a package, optionally with @VERSION; a path to a folder or .tgz file; or an optional part: ocr, pdf, embeddings',
      },
    ],
    flags: PLUGIN_INSTALL_FLAGS,
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginInstall,
  },
  {
    name: 'plugin update',
    summary: 'install the newest version of a plugin',
    args: [{ name: 'NAME', completes: 'installed_plugin', required: true, summary: 'an installed plugin or part' }],
    flags: PLUGIN_INSTALL_FLAGS,
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginUpdate,
  },
  {
    name: 'plugin remove',
    summary: 'remove an installed plugin; documents stay',
    args: [{ name: 'NAME', completes: 'installed_plugin', required: true, summary: 'an installed plugin or part' }],
    flags: [YES],
    output: ['plugin_change.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginRemove,
  },
  {
    name: 'plugin search',
    summary: 'find plugins in the npm registry',
    args: [{ name: 'WORDS', required: false, rest: true, summary: 'what the plugins should do' }],
    flags: [],
    output: ['plugin_search.v1'],
    load: async () => (await import('../commands/plugin-install.ts')).pluginSearch,
  },
  {
    name: 'plugin explain',
    summary: 'show which extractor and chunker handle a file, and why',
    args: [{ name: 'FILE', completes: 'file', required: true, summary: 'the name of a file, which need not exist' }],
    flags: [],
    output: ['plugin_explain.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginExplain,
  },
  {
    name: 'plugin doctor',
    summary: 'check that every plugin loads, is configured correctly, and has what it needs',
    args: [],
    flags: [],
    output: ['doctor.v1'],
    load: async () => (await import('../commands/plugin.ts')).pluginDoctor,
  },
  {
    name: 'plugin test',
    summary: 'run the contract suites of everything a plugin contributes',
    args: [
      {
        name: 'PATH',
        completes: 'file',
        required: true,
        summary: 'a file, the folder of a package, or the name of an installed one',
      },
    ],
    flags: [
      { name: 'timeout-s', kind: 'integer', min: 1, value: 'N', summary: 'seconds per check (60)' },
      { name: 'in-process', kind: 'boolean', summary: 'run the suites in this process' },
    ],
    output: ['plugin_test.v1'],
    load: async () => (await import('../commands/plugin-test.ts')).pluginTest,
  },
  {
    name: 'plugin new',
    summary: 'create a working plugin to start from',
    args: [{ name: 'NAME', required: true, summary: 'epub, kebab-plugin-epub or @acme/kebab-plugin-epub' }],
    flags: [
      {
        name: 'kind',
        kind: 'string',
        value: 'KIND',
        offers: KINDS,
        summary: KINDS.join(', '),
      },
    ],
    output: ['plugin_new.v1'],
    load: async () => (await import('../commands/plugin-new.ts')).pluginNew,
  },
  {
    name: 'watch',
    summary: 'keep the index up to date while it runs',
    args: [],
    flags: [
      {
        name: 'no-ingest',
        kind: 'boolean',
        summary: 'start from the last ingest, without a full ingest first',
      },
    ],
    output: ['watch_event.v1'],
    load: async () => (await import('../commands/ingest.ts')).watch,
  },
  // before `mcp`: the first command whose words match runs
  {
    name: 'mcp install',
    summary: 'print or write the configuration an agent needs to use kebab',
    args: [],
    flags: [
      {
        name: 'client',
        kind: 'string',
        value: 'NAME',
        choices: AGENTS,
        summary: 'the agent; without it, list the known agents',
      },
      {
        name: 'write',
        kind: 'boolean',
        summary: 'write the agent’s configuration file; the original is kept as .bak',
      },
    ],
    output: ['mcp_install.v1'],
    load: async () => (await import('../commands/mcp-install.ts')).mcpInstall,
  },
  {
    name: 'mcp',
    summary: 'serve agents over standard input and output, or HTTP',
    args: [],
    flags: [
      {
        name: 'port',
        kind: 'integer',
        value: 'N',
        summary: 'serve HTTP on this port of 127.0.0.1 instead (0: any free one); KEBAB_MCP_TOKEN requires a token',
      },
    ],
    output: [],
    load: async () => (await import('../commands/mcp.ts')).mcp,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and values in a shell',
    args: [{ name: 'SHELL', completes: ['bash', 'zsh', 'fish'], required: true, summary: 'bash, zsh or fish' }],
    flags: [],
    output: [],
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'trust',
    summary: 'trust a project’s configuration file in its current form',
    args: [{ name: 'PATH', completes: 'file', required: false, summary: 'the file (default: the nearest one)' }],
    flags: [
      { name: 'list', kind: 'boolean', summary: 'list trusted files' },
      { name: 'revoke', kind: 'boolean', summary: 'stop trusting the file' },
    ],
    output: ['trust_report.v1'],
    load: async () => (await import('../commands/trust.ts')).trust,
  },
];
