import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/contracts/source-connector.ts';
import type { KebabError } from '../../../src/errors/kebab-error.ts';
import { failedConnector } from '../../../src/ingest/scan/connectors.ts';
import { silentCallContext } from '@kebab/testing';
import { pluginFailure } from '../../../src/plugin/plugin-failure.ts';
import { countsOf, worldsForTests } from '../ingest-world.ts';

const open = worldsForTests();

const site = { plugin: { name: 'acme', version: '1.0.0' }, kind: 'source', stage: 'create' };
const failure = pluginFailure(new Error('no luck'), site) as KebabError;

describe('a source whose plugin does not work', () => {
  it('is one error, while the others are ingested', async () => {
    const broken = failedConnector('wiki', failure);
    const env = { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'far', root: '/far', connector: 'wiki' }]) };
    const contributions = { source: { wiki: broken } };
    const world = await open({ files: { 'a.md': '# a' }, env, contributions });
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: 1, errors: 1 });
    expect(report.items?.find(({ kind }) => kind === 'error')).toMatchObject({
      source_id: 'far',
      error: 'acme@1.0.0/create failed: no luck',
      error_code: 'plugin_failed',
    });
  });

  it('rejects every read with the failure of the plugin', async () => {
    await expect(failedConnector('wiki', failure).read({} as SourceFile, silentCallContext())).rejects.toBe(failure);
  });
});
