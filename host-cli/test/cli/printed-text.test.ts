import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  invalidInput,
  toErrorV1,
  type App,
  type Degraded,
  type PluginChange,
  type PluginInstallOptions,
  type WireName,
  type WireObjects,
} from '@kebab/core/app';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { wireSamples } from '../../../core/test/wire/wire-samples.ts';
import {
  answer,
  chunk,
  event,
  explained,
  fetchedChunk,
  fetchedDoc,
  gated,
  hit,
  lexicalHit,
  responseOf,
  time,
} from '../examples.ts';
import { HOSTILE, hostile } from '../fakes/hostile.ts';
import { runCommand, type CommandOutcome, type CommandTest } from '../fakes/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-printed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const degraded: Degraded = {
  stage: 'vector',
  reason: 'provider_unreachable',
  hint: 'start the server',
  details: null,
} as unknown as Degraded;
const found = hostile(responseOf([hit, lexicalHit], { degraded: [degraded], truncated: true, next_cursor: 'c' }));
/** A full object with hostile text in every string. */
function sample<N extends WireName>(name: N): WireObjects[N] {
  const [full] = wireSamples(name);
  if (full === undefined) throw new Error(`there is no sample of ${name}`);
  return hostile(full);
}

const wire =
  <N extends WireName>(name: N) =>
  async (): Promise<WireObjects[N]> =>
    sample(name);

const picture = { width: 1131, height: 1600, docPath: 'a.pdf', file: '/kb/a.pdf', uri: 'a.pdf#p=3', page: 3 };

const EVENTS = [
  event({ kind: 'scan_started', root: '/kb' }),
  event({ kind: 'scan_completed', total: 1 }),
  event({ kind: 'asset_started', idx: 1, total: 1, path: 'a.pdf', media: 'pdf' }),
  event({ kind: 'asset_stage', idx: 1, stage: 'ocr', model: null }),
  event({ kind: 'asset_finished', idx: 1, total: 1, result: 'new', chunks: 1, ms: 2000 }),
] as const;

type IngestCall = { readonly onProgress?: (happened: (typeof EVENTS)[number]) => void };

function ingest(options: IngestCall = {}) {
  for (const happened of hostile(EVENTS)) options.onProgress?.(happened);
  return Promise.resolve(sample('ingest_report'));
}

/** An App whose results contain hostile text in every string. */
const app = {
  notices: [{ kind: 'configuration', text: `plugins in kebab.json is ignored: it enables the plugin ${HOSTILE}` }],
  resolveId: async (_kind: string, text: string) => text,
  search: async () => found,
  showPassages: async () =>
    found.hits.map(({ chunk_id: chunkId }) => ({
      chunkId,
      file: `/kb/${HOSTILE}`,
      title: hostile({ text: 'Title', matches: [] }),
      label: hostile({ text: 'Label', matches: [{ start: 0, end: 9, of: 'x' }] }),
      lines: [{ ...hostile({ text: 'Line' }), matches: [{ start: 2, end: 9, of: 'x' }], number: 7, isInside: true }],
    })),
  async *bulkSearch() {
    yield hostile({ schema_version: 'bulk_search_item.v1', query: null, response: found, error: null });
    yield hostile({ schema_version: 'bulk_search_item.v1', response: null, error: toErrorV1(invalidInput('no')) });
  },
  ask: async (
    request: { readonly explain?: boolean; readonly question: string },
    options: { readonly onEvent?: (event: unknown) => void },
  ) => {
    options.onEvent?.({ schema_version: 'answer_event.v1', ts: time, kind: 'token', delta: HOSTILE });
    const alerts = [{ level: 'warn', code: 'file_ref_not_found', path: 'a.md', message: 'not there' }];
    const given = request.explain === true ? explained : request.question.startsWith('refused') ? gated : answer;
    return hostile({ ...given, alerts, degraded: [degraded], unsupported: ['12'] });
  },
  listSessions: async () => [sample('session_summary')],
  showSession: wire('session_turns'),
  deleteSession: wire('session_summary'),
  fetch: async ({ kind }: { readonly kind: string }) => hostile(kind === 'chunk' ? fetchedChunk : fetchedDoc),
  nameDocuments: async () => ({ kind: 'glob', documents: [hostile({ docId: 'd', uri: 'a.md' })] }),
  findSymbol: async () => ({ ...sample('symbol_result'), total: 1 }),
  outline: wire('outline'),
  locate: async () => ({ ...sample('open'), freshness: 'changed' }),
  related: wire('related'),
  addSource: wire('source_added'),
  listSources: wire('source_list'),
  removeSource: wire('source_removed'),
  snap: async () => ({ ...hostile({ ...picture, freshness: 'changed' }), png: Uint8Array.of(1), outlined: false }),
  verifyCitation: wire('citation_check'),
  ingest,
  ingestFile: (_file: string, options: IngestCall) => ingest(options),
  ingestText: (_text: string, _meta: unknown, options: IngestCall) => ingest(options),
  listDocs: async () => ({ ...sample('doc_list'), next_cursor: null }),
  removeDocument: wire('document_removed'),
  repair: wire('repair_report'),
  status: wire('status'),
  inspectDoc: wire('doc_inspection'),
  inspectChunk: async () => hostile(chunk),
  doctor: wire('doctor'),
  pluginDoctor: wire('doctor'),
  schema: wire('schema'),
  init: wire('init_report'),
  reset: wire('reset_report'),
  configView: wire('config_view'),
  config: wire('config_entry'),
  configPaths: wire('config_paths'),
  tokens: wire('token_report'),
  trust: wire('trust_report'),
  pluginList: wire('plugin_list'),
  pluginExplain: wire('plugin_explain'),
  pluginInstall: installing,
  pluginUpdate: installing,
  pluginRemove: async () => changed,
  pluginSearch: wire('plugin_search'),
  modelList: wire('model_list'),
  modelPull: async (_model: string, options: { readonly onProgress?: (pull: unknown) => void }) => {
    options.onProgress?.(sample('model_pull'));
    return { ...sample('model_pull'), kind: 'finished' };
  },
  copyVectors: wire('vectors_copied'),
  move: wire('move_report'),
  work: async (options: { readonly onJob?: (done: unknown) => void }) => {
    options.onJob?.({ what: HOSTILE, problem: HOSTILE });
    return { schema_version: 'work_report.v1', files: 1, failed: 1, retried: 1 };
  },
  evalRun: async (
    _request: unknown,
    options: { readonly onProgress?: (progress: unknown) => void; readonly onNotice?: (notice: string) => void },
  ) => {
    options.onProgress?.({ done: 1, total: 2, queryId: HOSTILE });
    options.onNotice?.(`query ${HOSTILE} failed`);
    return sample('eval_run');
  },
  evalAggregate: wire('eval_aggregate'),
  evalCompare: wire('eval_compare'),
} as unknown as Partial<App>;

const changed: PluginChange = { ...sample('plugin_change'), action: 'updated' };

async function installing(_name: string, { consent, onProgress }: PluginInstallOptions): Promise<PluginChange> {
  onProgress?.(1);
  for (const { name, version, kinds, permissions } of sample('plugin_list').plugins)
    await consent({
      name,
      version,
      kinds,
      permissions: { ...permissions, fs: 'none' },
      agreed: null,
      previous: HOSTILE,
      integrity: HOSTILE,
      scripts: [HOSTILE],
    });
  return changed;
}

interface Line {
  readonly words: readonly string[];
  readonly test?: CommandTest;
  /** How it prints multi-line text: with safe lines, or unchanged in a pipe, like the text of a document. */
  readonly text?: 'lines' | 'exact';
}

const line = (words: string, test?: CommandTest): Line => ({ words: words.split(' '), ...(test && { test }) });
const withLines = (words: string): Line => ({ ...line(words), text: 'lines' });
const handingOn = (words: string): Line => ({ ...line(words), text: 'exact' });

const LINES: readonly Line[] = [
  line('try notes what'),
  line('init'),
  line('add notes'),
  line('remove work --yes'),
  line('list sources'),
  line('ingest'),
  line('ingest', { env: { KEBAB_PROGRESS: 'plain' } }),
  line('ingest-file a.md'),
  line('ingest-stdin --title t'),
  line('search what'),
  line('search what --explain'),
  line('search what -C 2 --hyperlink-format file'),
  line('search --bulk', { stdin: [`${JSON.stringify({ query: HOSTILE })}\n"x"\n`] }),
  withLines('ask why'),
  withLines('ask refused'),
  line('ask why --explain'),
  line('sessions list'),
  withLines('sessions show s'),
  line('sessions delete s'),
  handingOn('get a.md'),
  handingOn('get *.md b.md'),
  handingOn('fetch chunk 0fa1b2'),
  handingOn('fetch doc 0fa1b2'),
  handingOn('fetch span 0fa1b2 1 2'),
  handingOn('fetch uri a.md'),
  line('symbol heat'),
  line('symbol heat --references'),
  line('outline a.ts'),
  line('open a.md'),
  { words: ['snap', 'a.pdf#p=3', '--force', '--output', path.join(folder, 'a\u001b[31mRED\u202e.png')] },
  line('related a.md'),
  line('history'),
  line('cite verify a.md#L1'),
  line('rm notes/a.md'),
  line('status'),
  line('list docs'),
  line('list docs notes'),
  line('inspect doc 0fa1b2'),
  line('inspect doc 0fa1b2 --pages'),
  handingOn('inspect chunk 0fa1b2'),
  line('doctor'),
  line('schema'),
  line('serve --status'),
  line('eval run'),
  line('eval aggregate r'),
  line('eval compare a b'),
  line('reset --yes'),
  line('config show'),
  line('config get search.default_k'),
  line('config set search.default_k 20'),
  line('config unset search.default_k'),
  line('config path'),
  line('models list'),
  line('models pull'),
  line('vectors copy --from a --to b'),
  line('move --to b'),
  line('worker'),
  line('plugin list'),
  line('plugin explain a.md'),
  line('plugin install epub --yes'),
  line('plugin update epub --yes'),
  line('plugin remove epub --yes'),
  line('plugin search books'),
  line('plugin doctor'),
  line('token create a'),
  line('token list'),
  line('token revoke a'),
  line('trust --list'),
  line('repair'),
];

/** Commands that print no foreign text, run in another process, or run until they are stopped. */
const ELSEWHERE = new Set([
  'completion',
  'grep',
  'mcp',
  'mcp install',
  'mcp uninstall',
  'plugin new',
  'plugin test',
  'ui',
  'watch',
]);

// The escape sequences of colours, links and the redrawn line.
// oxlint-disable-next-line no-control-regex
const OWN_SEQUENCES = /\r\u001b\[2K|\u001b\[(?:1|2|22|3[1-6]|39)m|\u001b\]8;;[!-~]*\u001b\\/gu;
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

function run(
  { words, test }: Line,
  more: CommandTest & { readonly flags?: readonly string[] },
): Promise<CommandOutcome> {
  return runCommand([...words, ...(more.flags ?? [])], {
    app,
    tryFolder: async () => found,
    serviceStatus: wire('service_status'),
    ...test,
    ...more,
  });
}

function expectHarmless(text: string): void {
  expectNoOrders(text);
  expect(text.split('\n').filter((printed) => printed.startsWith('FORGED'))).toEqual([]);
}

function expectNoOrders(text: string): void {
  expect(text).not.toContain('\u001b[31mRED');
  expect(text.replaceAll(OWN_SEQUENCES, '').match(UNPRINTABLE)).toBeNull();
}

/** The output without the texts of documents. */
function withoutTexts({ stdout }: CommandOutcome): string {
  const texts = [chunk.text, fetchedDoc.kind === 'doc' ? fetchedDoc.text : '', 'Before.'];
  return texts.reduce((rest, text) => rest.replaceAll(`${text}${HOSTILE}`, ''), stdout.text);
}

describe('output with hostile names, paths, settings and messages', () => {
  it.each(LINES.map((each) => [each.words.join(' '), each] as const))(
    'of "kebab %s" is harmless',
    async (_words, each) => {
      const terminal = await run(each, { columns: 80 });
      expect(terminal.stdout.text).not.toBe('');
      const check = each.text === undefined ? expectHarmless : expectNoOrders;
      check(terminal.stdout.text);
      expectHarmless(terminal.stderr.text);
      const pipe = await run(each, {});
      const piped = each.text === 'exact' ? withoutTexts(pipe) : pipe.stdout.text;
      check(piped);
      expectHarmless(pipe.stderr.text);
      expect(piped + pipe.stderr.text).not.toContain('\u001b');
      const json = await run(each, { flags: ['--json'] });
      expectHarmless(json.stdout.text + json.stderr.text);
      expect(json.stdout.json.length).toBeGreaterThan(0);
    },
  );

  it('is tested for every command', () => {
    const checked = LINES.map(({ words }) => words.join(' '));
    const names = COMMANDS.map(({ name }) => name).filter((name) => !ELSEWHERE.has(name));
    expect(names.filter((name) => !checked.some((words) => `${words} `.startsWith(`${name} `)))).toEqual([]);
  });

  it('has the same value in JSON as without the escapes', async () => {
    const { stdout } = await run(line('search what'), { flags: ['--json'] });
    expect(stdout.json).toEqual([found]);
  });

  it.each([
    ['a command', [`serach${HOSTILE}`]],
    ['a flag', ['search', `--wiht${HOSTILE}`]],
    ['the value of a flag', ['search', 'x', '--mode', HOSTILE]],
    ['a version', ['doctor', '--schema-version', HOSTILE]],
    ['a shell', ['completion', HOSTILE]],
    ['the name of a plugin', ['plugin', 'new', HOSTILE, '--kind', 'extractor']],
  ])('is harmless in an error about %s', async (_what, words) => {
    for (const more of [{ columns: 80 }, {}, { flags: ['--json'] }]) {
      const { code, stderr } = await run({ words }, more);
      expect(code).toBe(2);
      expectHarmless(stderr.text);
    }
  });

  it('is harmless in an error with causes and a hint', async () => {
    const error = invalidInput(`no ${HOSTILE}`, { field: HOSTILE, hint: HOSTILE });
    error.cause = new Error(HOSTILE, { cause: { [HOSTILE]: HOSTILE } });
    const failing = { doctor: () => Promise.reject(error) };
    for (const more of [{ columns: 80 }, {}, { flags: ['--json'] }]) {
      const { stderr } = await runCommand(['doctor', '--verbose', ...(more.flags ?? [])], { app: failing, ...more });
      expectHarmless(stderr.text);
    }
  });

  it('is harmless if mcp install names a folder', async () => {
    const words = ['mcp', 'install', '--client', 'cursor'];
    const { stdout, stderr } = await runCommand(words, { columns: 80, cwd: `/kb${HOSTILE}` });
    expectHarmless(stderr.text);
    expect(stderr.text).toContain('put this into /kb␛]0;PWNED');
    expect(JSON.parse(stdout.text)).toMatchObject({ mcpServers: { kebab: { args: [expect.any(String), 'mcp'] } } });
  });

  it('is harmless if mcp uninstall names a folder', async () => {
    const { stderr } = await runCommand(['mcp', 'uninstall', 'cursor'], { columns: 80, cwd: `/kb${HOSTILE}` });
    expectHarmless(stderr.text);
    expect(stderr.text).toContain('kebab is not in /kb␛]0;PWNED');
  });

  it('is harmless in the log of --debug, which stays JSON', async () => {
    const outcome = await runCommand(['doctor', '--debug', '--json'], {});
    outcome.opened[0]?.onDebugLine?.(JSON.stringify({ path: HOSTILE }));
    expectHarmless(outcome.stderr.text);
    expect(outcome.stderr.json.at(-1)).toEqual({ path: HOSTILE });
  });
});

describe('the text of a document', () => {
  const text = 'a\u001b[31m\tb\r\n\u202ec';
  const fetching = { fetch: async () => ({ ...fetchedDoc, text }) } as unknown as Partial<App>;

  it('is printed unchanged to a pipe', async () => {
    const { stdout } = await runCommand(['fetch', 'uri', 'a.md'], { app: fetching });
    expect(stdout.text.endsWith(`\n${text}\n`)).toBe(true);
  });

  it('has visible control characters on a terminal, and keeps its lines and tabs', async () => {
    const { stdout } = await runCommand(['fetch', 'uri', 'a.md'], { app: fetching, columns: 80 });
    expect(stdout.text.endsWith('\na␛[31m\tb␍\n\u{fffd}c\n')).toBe(true);
  });
});
