/** A row of the general help: a command, or all commands of a group with the one that has its name, or several commands, on one line. */
export type TopicRow =
  | string
  | { readonly group: string; readonly summary: string }
  | { readonly commands: readonly string[]; readonly summary: string };

/** Commands grouped by task, in the order of `kebab --help`. */
export const TOPICS: readonly { readonly title: string; readonly rows: readonly TopicRow[] }[] = [
  {
    title: 'start',
    rows: ['try', 'init', 'add', 'ingest', 'ingest-file', 'ingest-stdin', 'watch', 'status'],
  },
  {
    title: 'find and read',
    rows: [
      'search',
      'history',
      'grep',
      'ask',
      { group: 'sessions', summary: 'manage the conversations of ask' },
      'get',
      { group: 'fetch', summary: 'read exact text' },
      'symbol',
      'outline',
      'open',
      'snap',
      'related',
      'cite verify',
      'ui',
    ],
  },
  {
    title: 'manage',
    rows: [
      { group: 'list', summary: 'list what is indexed' },
      { group: 'inspect', summary: 'show all details of one' },
      { commands: ['rm', 'remove'], summary: 'remove a document added by hand, or a source; your files stay' },
      'doctor',
      { group: 'config', summary: 'show and change settings' },
      { group: 'models', summary: 'download models' },
      { group: 'plugin', summary: 'manage, check and create plugins' },
      'trust',
      { group: 'token', summary: 'manage tokens for clients over HTTP' },
      'repair',
      'reset',
      { group: 'vectors', summary: 'move vectors between stores' },
      { commands: ['move', 'worker'], summary: 'move to another store; work off the queue of a team' },
      { group: 'eval', summary: 'measure search and answers' },
      'serve',
      'schema',
    ],
  },
  {
    title: 'agents and shells',
    rows: [{ group: 'mcp', summary: 'serve agents, or set one up' }, 'completion'],
  },
];

/** Command lines to start from, by command; a test parses each. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ['kebab try ~/notes how long does dough rest'],
  try: ['kebab try ~/notes sourdough starter', 'kebab try . "exact phrase" --k 3'],
  init: ['kebab init', 'kebab init --project'],
  add: ['kebab add ~/notes', 'kebab add ~/projects --name work'],
  remove: ['kebab remove work'],
  watch: ['kebab watch', 'kebab watch --json'],
  ingest: ['kebab ingest', 'kebab ingest --force-reingest'],
  'ingest-file': ['kebab ingest-file ~/Downloads/paper.pdf', 'kebab ingest-file report.pdf --pdf-password secret'],
  'ingest-stdin': [
    'pandoc page.html -t gfm | kebab ingest-stdin --title Page',
    'pbpaste | kebab ingest-stdin --title Clipping --source-uri https://example.org/page',
  ],
  related: ['kebab related notes/dough.md', 'kebab related 1 --limit 5'],
  grep: ['kebab grep "TODO|FIXME" -g "*.py"', 'kebab grep -F C++ --source notes'],
  search: [
    'kebab search sourdough starter',
    'kebab search --tag work -- "exact phrase" -draft',
    'kebab search retry --media code --path-glob "src/**" -k 5',
    'kebab search budget --since 2w --json',
  ],
  ask: [
    'kebab ask "how do I feed a starter?"',
    'kebab ask --session bread "and in winter?"',
    'kebab ask "what does @notes/bread.md say of salt?"',
  ],
  'sessions show': ['kebab sessions show bread'],
  get: ['kebab get notes/bread.md', 'kebab get notes/bread.md:12-20', 'kebab get "notes/**/*.md"'],
  'fetch span': ['kebab fetch span notes/bread.md 12 20'],
  'fetch uri': ['kebab fetch uri "notes/bread.md#L12-L20"'],
  symbol: ['kebab symbol Backoff.next', 'kebab symbol withRetry --references'],
  outline: ['kebab outline src/retry.ts', 'kebab outline src'],
  open: ['kebab open "notes/bread.md#L12"', 'kebab open --launch notes/bread.md:12', 'kebab open 1'],
  snap: ['kebab snap "papers/flour.pdf#p=3" --query "rye flour"', 'kebab snap 2bb43a2e -o page.png --force'],
  'cite verify': ['kebab cite verify "notes/bread.md#L12-L20"', 'kebab search sourdough --json | kebab cite verify -'],
  'list docs': ['kebab list docs', 'kebab list docs notes/bread', 'kebab list docs --media pdf --since 1m'],
  'inspect doc': ['kebab inspect doc notes/bread.md', 'kebab inspect doc papers/flour.pdf --pages'],
  doctor: ['kebab doctor', 'kebab doctor --deep'],
  repair: ['kebab repair --dry-run', 'kebab repair'],
  move: ['kebab move --to ~/copy.sqlite --dry-run', 'kebab move --to postgres://db.example.org/kebab --switch'],
  worker: ['kebab worker', 'kebab worker --until-empty'],
  reset: ['kebab reset --orphans-only', 'kebab reset --data-only --yes'],
  'config get': ['kebab config get search.default_k'],
  'config set': ['kebab config set search.default_k 20', 'kebab config set models.llm.provider ollama'],
  'config unset': ['kebab config unset search.default_k'],
  'models pull': ['kebab models pull', 'kebab models list'],
  'plugin explain': ['kebab plugin explain notes/bread.md'],
  'plugin new': ['kebab plugin new epub --kind extractor'],
  'mcp install': ['kebab mcp install --list', 'kebab mcp install claude-code', 'kebab mcp install codex --print'],
  'mcp uninstall': ['kebab mcp uninstall claude-code', 'kebab mcp uninstall cursor --scope user'],
  mcp: ['kebab mcp', 'kebab mcp --port 8765'],
  ui: ['kebab ui', 'kebab ui --no-open --port 8080'],
  serve: ['kebab serve --status', 'kebab serve --stop'],
  completion: [
    'source <(kebab completion bash)',
    'kebab completion zsh > ~/.zfunc/_kebab',
    'kebab completion fish | source',
  ],
  'token create': [
    'kebab token create ci --expires 90d',
    'kebab token create bot --scope read --principal group:staff',
  ],
  'token revoke': ['kebab token revoke ci'],
  trust: ['kebab trust', 'kebab trust --list'],
};
