import { expect, it } from 'vitest';
import { completeValue } from '../../src/admin/complete-value.ts';
import { sampleWrite } from '../../src/testing/sample-documents.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const open = openForTests();

it('offers only sources and documents that remove and rm can remove', async () => {
  const kb = await open({ env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'work', root: './work' }]) } });
  await kb.add('a.md', 'one\n');
  await kb.commit(sampleWrite('kiln.md', 'two\n', { sourceId: 'external' }));
  const ports = { ...kb.ports, resolution: kb.resolution };
  const offered = (kind: 'source' | 'own_source' | 'added_path') => completeValue(ports, { kind, typed: '' });
  expect(await offered('source')).toEqual(['default', 'external', 'work']);
  expect(await offered('own_source')).toEqual(['default', 'work']);
  expect(await offered('added_path')).toEqual(['external:kiln.md']);
});
