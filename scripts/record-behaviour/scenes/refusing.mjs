// Errors: what is rejected, with which code, message, details and hint, and with which exit code.

const NO_ID = '0123456789abcdef0123456789abcdef';

/** Command lines that are wrong whatever is indexed. */
const WRONG = [
  ['serach', 'memory'],
  ['fetch'],
  ['fetch', 'page', 'x'],
  ['search'],
  ['search', ''],
  ['search', '   '],
  ['search', '-memory'],
  ['search', '!!!'],
  ['search', 'memory', '--mod', 'lexical'],
  ['search', 'memory', '--mode'],
  ['search', 'memory', '--mode', 'fuzzy'],
  ['search', 'memory', '-k', 'ten'],
  ['search', 'memory', '-k', '0'],
  ['search', 'memory', '-k', '101'],
  ['search', 'memory', '-k', '1.5'],
  ['search', 'memory', '-k', '3', '-k', '4'],
  ['search', 'memory', '--media', 'vide'],
  ['search', 'memory', '--trust-min', 'high'],
  ['search', 'memory', '--source-type', 'novel'],
  ['search', 'memory', '--ingested-after', 'yesterday'],
  ['search', 'memory', '--doc-id', 'xyz'],
  ['search', 'memory', '--snippet-chars', '10'],
  ['search', 'memory', '--max-tokens', '-5'],
  ['search', 'memory', '--max-tokens=-5'],
  ['search', '-k', '1', '--', '-memory'],
  ['search', 'memory', '--cursor', 'garbage'],
  ['search', 'memory', '--cursor', 'eyJ2IjoxfQ'],
  ['search', 'memory', '--bulk'],
  ['search', 'memory', '--schema-version', 'v2'],
  ['search', 'memory', '--schema-version', 'v1', '-k', '1'],
  ['search', 'memory', '--config', 'nowhere.toml'],
  ['search', 'memory', '--plugin', './nowhere.mjs', '-k', '1'],
  ['search', 'memory', '--quiet=maybe'],
  ['ask'],
  ['ask', 'x', '--temperature', '9'],
  ['ask', 'x', '--seed', '-1'],
  ['ask', '   '],
  ['fetch', 'chunk', 'xyz'],
  ['fetch', 'chunk', 'abc'],
  ['fetch', 'chunk', NO_ID],
  ['fetch', 'chunk', NO_ID.toUpperCase()],
  ['fetch', 'chunk', NO_ID, '--max-tokens', '5'],
  ['fetch', 'chunk', NO_ID, '--context', '-1'],
  ['fetch', 'doc', NO_ID],
  ['fetch', 'doc', NO_ID, '--context', '1'],
  ['fetch', 'span', NO_ID, '1', '2'],
  ['fetch', 'span', NO_ID, '1'],
  ['fetch', 'uri'],
  ['inspect', 'doc', 'xyz'],
  ['inspect', 'doc', NO_ID],
  ['inspect', 'chunk', NO_ID],
  ['cite', 'verify', ''],
  ['cite', 'verify', 'a.md', 'b.md'],
  ['list', 'docs', 'extra'],
  ['models', 'pull', 'no-such-model'],
  ['plugin', 'new', 'toy'],
  ['plugin', 'new', 'toy', '--kind', 'extracter'],
  ['plugin', 'new', '../toy', '--kind', 'hook'],
  ['plugin', 'test', './nowhere'],
  ['plugin', 'explain'],
  ['trust', 'nowhere.toml'],
  ['trust', '--list', 'x'],
  ['completion'],
  ['mcp', '--port', 'high'],
  ['try', 'nowhere', 'memory'],
  ['try', 'nowhere'],
  ['sessions', 'show'],
];

/** Invalid command lines of commands that may lock the knowledge base before validation; run one after the other. */
const WRONG_WRITES = [
  ['ingest', '--source', 'nowhere'],
  ['ingest', 'extra'],
  ['ingest-file'],
  ['ingest-file', 'nowhere.md'],
  ['ingest-file', '.'],
  ['ingest-stdin'],
  ['reset'],
  ['reset', '--all', '--data-only', '--yes'],
  ['vectors', 'copy', '--from', 'local', '--to', 'local'],
  ['vectors', 'copy', '--from', 'local', '--to', 'nowhere'],
  ['vectors', 'copy'],
];

const WRITERS = [
  ['init'],
  ['ingest'],
  ['ingest-file', 'nowhere.md'],
  ['ingest-stdin', '--title', 'x'],
  ['reset', '--yes'],
  ['trust'],
  ['models', 'pull'],
  ['eval', 'run'],
  ['sessions', 'delete', 'x'],
  ['vectors', 'copy', '--from', 'local', '--to', 'qdrant'],
];

/** Invalid command lines with an index. */
export async function recordMistakes(recorder, world) {
  const stdin = 'memory\n';
  await Promise.all([
    ...WRONG.map((args) =>
      recorder.cli(world, 'errors', args, { human: true, stdin: args.includes('--bulk') ? '' : stdin }),
    ),
    ...WRITERS.map((args) => recorder.cli(world, 'errors', [...args, '--readonly'], { human: true })),
    recorder.cli(world, 'errors', ['search', '--verbose', '--mode', 'x', 'y'], { human: true }),
    recorder.cli(world, 'errors', ['search', '--json=1', 'x'], { human: true }),
  ]);
  for (const args of WRONG_WRITES) await recorder.cli(world, 'errors', args, { human: true, inTurn: true, stdin });
}

/** Every command without an index. */
export async function recordNothingIndexed(recorder, world) {
  const commands = [
    ['search', 'memory'],
    ['search', 'memory', '--mode', 'vector'],
    ['ask', 'memory?'],
    ['fetch', 'doc', NO_ID],
    ['fetch', 'uri', 'a.md#L1'],
    ['inspect', 'doc', NO_ID],
    ['list', 'docs'],
    ['cite', 'verify', 'a.md#L1'],
    ['doctor'],
    ['schema'],
    ['config', 'show'],
    ['config', 'path'],
    ['sessions', 'list'],
    ['eval', 'run'],
    ['eval', 'aggregate', 'run_x'],
    ['models', 'list'],
    ['plugin', 'list'],
    ['open', 'a.md'],
    ['vectors', 'copy', '--from', 'local', '--to', 'qdrant'],
    ['reset', '--yes'],
    ['reset', '--orphans-only', '--yes'],
    ['reset', '--vector-only', '--yes'],
  ];
  for (const args of commands) await recorder.cli(world, 'nothing indexed', args, { human: true, inTurn: true });
}
