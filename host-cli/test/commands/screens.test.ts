import type { App, PluginList, WireName, WireObjects } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import {
  answer,
  chunk,
  codeSummary,
  configPaths,
  configView,
  docInspection,
  doctor,
  evalAggregate,
  evalCompare,
  evalRun,
  fetchedChunk,
  fetchedDoc,
  gone,
  ingestReport,
  initReport,
  moved,
  pluginList,
  resetReport,
  schema,
  settingAs,
  shortReport,
  statusNow,
  summary,
  tokenReport,
  trustReport,
} from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

/** A command line, and what it prints for people if the App returns these objects. */
interface Case {
  readonly golden: string;
  readonly line: string;
  /** Validated first, so that only valid objects are rendered. */
  readonly shown: readonly Exclude<WireObjects[WireName], WireObjects['bulk_search_input']>[];
  readonly app: Partial<App>;
}

/** A fixed list, so that the output does not change when a schema is added. */
const twoSchemas = { ...schema, wire: { schemas: ['answer.v1', 'citation.v1'] } };
const resolveId = async (_kind: string, text: string): Promise<string> => text;
const listDocs = async () => {
  return { schema_version: 'doc_list.v1', docs: [summary, codeSummary], total: 2, next_cursor: null } as const;
};
const verifyCitation = async (uri: string) => (uri.startsWith('gone') ? gone : moved);

/** A configuration in which nothing reads pictures. */
const config: App['config'] = async ({ key }) => settingAs(key, key === 'pdf.ocr' ? 'off' : 'none');

const status = { ...statusNow, last_ingest_at: new Date(Date.now() - 3 * 86_400_000).toISOString() };

/** The first ingest was interrupted; there are some documents. */
const interrupted = { ...statusNow, last_ingest_at: null };

const CASES: readonly Case[] = [
  { golden: 'init', line: 'init', shown: [initReport], app: { init: async () => initReport } },
  { golden: 'doctor', line: 'doctor', shown: [doctor], app: { doctor: async () => doctor } },
  { golden: 'status', line: 'status', shown: [status], app: { status: async () => status } },
  {
    golden: 'status-interrupted',
    line: 'status',
    shown: [interrupted],
    app: { status: async () => interrupted },
  },
  { golden: 'ingest', line: 'ingest', shown: [ingestReport], app: { ingest: async () => ingestReport, config } },
  { golden: 'ingest-summary', line: 'ingest', shown: [shortReport], app: { ingest: async () => shortReport, config } },
  {
    golden: 'fetch-chunk',
    line: 'fetch chunk 9b4a8c',
    shown: [fetchedChunk],
    app: { resolveId, fetch: async () => fetchedChunk },
  },
  {
    golden: 'fetch-doc',
    line: 'fetch doc 8547fe',
    shown: [fetchedDoc],
    app: { resolveId, fetch: async () => fetchedDoc },
  },
  { golden: 'list-docs', line: 'list docs', shown: [summary, codeSummary], app: { listDocs } },
  {
    golden: 'inspect-doc',
    line: 'inspect doc 8547fe',
    shown: [docInspection],
    app: { resolveId, inspectDoc: async () => docInspection },
  },
  {
    golden: 'inspect-chunk',
    line: 'inspect chunk 9b4a8c',
    shown: [chunk],
    app: { resolveId, inspectChunk: async () => chunk },
  },
  { golden: 'schema', line: 'schema', shown: [twoSchemas], app: { schema: async () => twoSchemas } },
  {
    golden: 'config-show',
    line: 'config show',
    shown: [configView],
    app: { configView: async () => configView },
  },
  {
    golden: 'config-path',
    line: 'config path',
    shown: [configPaths],
    app: { configPaths: async () => configPaths },
  },
  {
    golden: 'plugin-list',
    line: 'plugin list',
    shown: [pluginList],
    app: { pluginList: async () => pluginList },
  },
  {
    golden: 'token-create',
    line: 'token create ci --principal group:crew --expires 90d',
    shown: [tokenReport],
    app: { tokens: async () => tokenReport },
  },
  {
    golden: 'trust',
    line: 'trust --list',
    shown: [trustReport],
    app: { trust: async () => trustReport },
  },
  {
    golden: 'reset',
    line: 'reset --yes',
    shown: [resetReport],
    app: { reset: async () => resetReport },
  },
  {
    golden: 'cite-verify',
    line: 'cite verify -',
    shown: [moved, gone],
    app: { verifyCitation },
  },
  { golden: 'eval-run', line: 'eval run', shown: [evalRun], app: { evalRun: async () => evalRun } },
  {
    golden: 'eval-aggregate',
    line: 'eval aggregate run_1',
    shown: [evalAggregate],
    app: { evalAggregate: async () => evalAggregate },
  },
  {
    golden: 'eval-compare',
    line: 'eval compare run_1 run_2',
    shown: [evalCompare],
    app: { evalCompare: async () => evalCompare },
  },
];

/** A citation for `cite verify`. */
const cited = answer.citations[0]?.citation;
const stdin = ['a.md', 'gone.md'].map((file) => `${JSON.stringify({ ...cited, uri: `${file}#L1` })}\n`);

async function screen(line: string, app: Partial<App>): Promise<string> {
  return (await runCommand(line.split(' '), { app, stdin })).stdout.text;
}

describe('the screens of commands', () => {
  it.each(CASES.map((one) => [one.golden, one] as const))(
    '%s is as documented',
    async (golden, { line, shown, app }) => {
      for (const value of shown)
        expect(() => parseWire(value.schema_version.replace(/\.v1$/, '') as WireName, value)).not.toThrow();
      await expect(await screen(line, app)).toMatchFileSnapshot(`golden/${golden}.txt`);
    },
  );

  it('count failed checks, and say if all passed', async () => {
    const passed = doctor.checks.filter(({ ok }) => ok);
    const failed = doctor.checks.filter(({ ok }) => !ok);
    const doctorOf = (checks: typeof passed) => ({ doctor: async () => ({ ...doctor, checks }) });
    expect(await screen('doctor', doctorOf(passed))).toMatch(/\n\nall checks passed\.\n$/);
    expect(await screen('doctor', doctorOf([...passed, ...failed, ...failed]))).toMatch(/\n2 checks failed\.\n$/);
  });

  it('mark missing optional parts, and do not count them as failed', async () => {
    const check = {
      name: 'ollama_reachable',
      ok: true,
      optional: true,
      detail: 'nothing answers',
      hint: 'ollama serve',
    };
    const checks = [
      ...doctor.checks.filter(({ ok, name }) => ok && name !== check.name),
      check,
    ] as typeof doctor.checks;
    const text = await screen('doctor', { doctor: async () => ({ ...doctor, ok: true, checks }) });
    expect(text).toContain(
      '○ ollama_reachable      optional: nothing answers\n                        hint: ollama serve\n',
    );
    expect(text).toMatch(/\n\nall checks passed\.\n$/);
  });

  it('say that there is nothing to show', async () => {
    const none = { schema_version: 'doc_list.v1', docs: [], total: 0, next_cursor: null } as const;
    expect(await screen('list docs', { listDocs: async () => none })).toBe('no documents\n');
    const untrusted = { ...trustReport, entries: [] };
    expect(await screen('trust --list', { trust: async () => untrusted })).toBe('no trusted files\n');
    const nothing = {
      ...resetReport,
      removed_paths: [],
      left_paths: [],
      purged_paths: [],
      orphans_purged: 0,
      embedding_rows_truncated: 0,
    };
    expect(await screen('reset --yes', { reset: async () => nothing })).toBe('nothing to remove\n');
  });

  it('name the time of an ingest that a wrong clock puts into the future', async () => {
    const last_ingest_at = new Date(Date.now() + 86_400_000).toISOString();
    const text = await screen('status', { status: async () => ({ ...statusNow, last_ingest_at }) });
    expect(text).toContain(`; last ingest at ${last_ingest_at}\n`);
  });

  it.each([
    [{ docx: 2, zip: 9 }, 'unread    2 files not read (docx): kebab plugin install docx\n'],
    [{ epub: 1, docx: 1 }, 'unread    2 files not read (docx, epub): kebab plugin install docx epub\n'],
    [{ eml: 1 }, 'unread    @kebab/plugin-eml is installed but does not run: kebab plugin list\n'],
  ])('name the command that has %j read, or says why its plugin does not', async (unsupported, line) => {
    const plugins = [{ name: '@kebab/plugin-eml' }] as unknown as PluginList['plugins'];
    const installed = async () => ({ schema_version: 'plugin_list.v1' as const, plugins });
    const unread = { ...statusNow, unsupported };
    expect(await screen('status', { status: async () => unread, pluginList: installed })).toContain(line);
  });

  it.each([
    [1, ['a.bin.md'], 'left out  a.bin.md: kebab list docs --skipped'],
    [9, ['a', 'b', 'c', 'd', 'e'], 'left out  9 files: kebab list docs --skipped'],
  ])('name the files that are left out while they are few: %i', async (files, examples, line) => {
    const text = await screen('status', { status: async () => ({ ...statusNow, left_out: { files, examples } }) });
    expect(text).toContain(line);
  });

  it('count the draws of an evaluation, but do not list them', async () => {
    const draws = { ...evalCompare, queries: evalCompare.queries.slice(0, 1) };
    const text = await screen('eval compare run_1 run_2', { evalCompare: async () => draws });
    expect(text).toMatch(/\n\n0 regressions, 0 losses, 0 wins, 1 draw\n$/);
  });

  it('show queries that got worse in a different colour than those that got better', async () => {
    const app = { evalCompare: async () => evalCompare };
    const { stdout } = await runCommand(['eval', 'compare', 'run_1', 'run_2'], { app, columns: 80 });
    const colourOf = (id: string): string | undefined => {
      const line = stdout.text.split('\n').find((each) => each.includes(id)) ?? '';
      return line.split('[')[1]?.split('m')[0];
    };
    expect(['better', 'worse', 'gone'].map(colourOf)).toEqual(['32', '31', '31']);
  });
});
