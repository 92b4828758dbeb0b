import { describe, expect, it } from 'vitest';
import type { SourceConnector } from '../../../src/contracts/source-connector.ts';
import { ReportBuilder } from '../../../src/ingest/run/report-builder.ts';
import { scanSource, type WalkedSource } from '../../../src/ingest/run/scan-sources.ts';

describe('scanSource', () => {
  it('records a directory that disappears while it is listed once, as missing', async () => {
    const connector: Pick<SourceConnector, 'scan'> = {
      async *scan({ onDirectory }) {
        onDirectory?.('', 0);
        onDirectory?.('notes/', 0);
        yield { kind: 'error', workspacePath: 'notes', message: 'cannot read notes: not there', code: 'io_error' };
      },
    };
    const source = { id: 'default', root: '/nowhere', connectorId: 'fs', include: [], exclude: [], connector };
    const context = {
      report: new ReportBuilder({ keepItems: true }),
      pipelines: {},
      config: {},
      call: {},
      clock: { now: () => new Date() },
    };
    const { seen } = await scanSource(
      source as unknown as WalkedSource,
      context as unknown as Parameters<typeof scanSource>[1],
    );
    expect(seen.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['', 'directory', 0],
      ['notes', 'file', -1],
    ]);
  });
});
