import type { WireName, WireObjects } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/src/wire/validate-wire.ts';
import { renderChunkInspection } from '../../src/render/chunk-inspection.ts';
import { renderCitationCheck } from '../../src/render/citation-check.ts';
import { renderConfigPaths } from '../../src/render/config-paths.ts';
import { renderConfigView } from '../../src/render/config-view.ts';
import { renderDocInspection } from '../../src/render/doc-inspection.ts';
import { renderDocLine, renderDocTotal } from '../../src/render/doc-list.ts';
import { renderDoctor } from '../../src/render/doctor.ts';
import { renderFetch } from '../../src/render/fetch.ts';
import { renderIngestReport } from '../../src/render/ingest-report.ts';
import { renderInit } from '../../src/render/init.ts';
import { renderPluginList } from '../../src/render/plugin-list.ts';
import { renderReset } from '../../src/render/reset.ts';
import { renderSchema } from '../../src/render/schema.ts';
import type { Screen } from '../../src/render/screen.ts';
import { renderTrust } from '../../src/render/trust.ts';
import { chunk, codeSummary, docInspection, fetchedChunk, fetchedDoc, summary } from '../examples/documents.ts';
import * as reports from '../examples/reports.ts';
import { plain } from '../fakes/screens.ts';

interface Case {
  readonly golden: string;
  /** Validated first, so that no screen is drawn of what cannot occur. */
  readonly value: unknown;
  readonly wire: WireName;
  readonly text: string;
}

function screen<N extends WireName>(
  golden: string,
  wire: N,
  value: WireObjects[N],
  render: (value: WireObjects[N], screen: Screen) => string,
): Case {
  return { golden, wire, value, text: render(value, plain) };
}

const { ingestReport } = reports;
const quiet = { ...ingestReport, items: null, purge_refused: [], embeddings_pending: 0, purged: 0 };

const CASES: readonly Case[] = [
  screen('init', 'init_report', reports.initReport, renderInit),
  screen('doctor', 'doctor', reports.doctor, renderDoctor),
  screen('ingest', 'ingest_report', ingestReport, renderIngestReport),
  screen('ingest-summary', 'ingest_report', { ...quiet, aborted: true }, renderIngestReport),
  screen('fetch-chunk', 'fetch_result', fetchedChunk, renderFetch),
  screen('fetch-doc', 'fetch_result', fetchedDoc, renderFetch),
  screen('list-docs', 'doc_summary', summary, renderDocLine),
  screen('list-docs-code', 'doc_summary', codeSummary, renderDocLine),
  screen('inspect-doc', 'doc_inspection', docInspection, renderDocInspection),
  screen('inspect-chunk', 'chunk_inspection', chunk, renderChunkInspection),
  screen('schema', 'schema', reports.schema, renderSchema),
  screen('config-show', 'config_view', reports.configView, renderConfigView),
  screen('config-path', 'config_paths', reports.configPaths, renderConfigPaths),
  screen('plugin-list', 'plugin_list', reports.pluginList, renderPluginList),
  screen('trust', 'trust_report', reports.trustReport, renderTrust),
  screen('reset', 'reset_report', reports.resetReport, renderReset),
  screen('cite-verify-moved', 'citation_check', reports.moved, renderCitationCheck),
  screen('cite-verify-gone', 'citation_check', reports.gone, renderCitationCheck),
];

describe('the screens', () => {
  it.each(CASES.map((one) => [one.golden, one] as const))('%s', async (golden, { wire, value, text }) => {
    expect(() => parseWire(wire, value)).not.toThrow();
    await expect(text).toMatchFileSnapshot(`golden/${golden}.txt`);
  });

  it('tell when all is well', () => {
    const checks = reports.doctor.checks.filter(({ ok }) => ok);
    expect(renderDoctor({ ...reports.doctor, ok: true, checks }, plain)).toMatch(/\n\nall checks passed\.\n$/);
  });

  it('count failed checks', () => {
    const failed = reports.doctor.checks.filter(({ ok }) => !ok);
    const two = { ...reports.doctor, checks: [...reports.doctor.checks, ...failed] };
    expect(renderDoctor(two, plain)).toMatch(/\n2 checks failed\.\n$/);
  });

  it('say so when there is nothing to show', () => {
    expect(renderDocTotal(0, plain)).toBe('no documents\n');
    expect(renderTrust({ ...reports.trustReport, entries: [] }, plain)).toBe('no trusted files\n');
    const nothing = {
      removed_paths: [],
      left_paths: [],
      purged_paths: [],
      orphans_purged: 0,
      embedding_rows_truncated: 0,
    };
    expect(renderReset({ ...reports.resetReport, ...nothing }, plain)).toBe('nothing to remove\n');
  });
});
