import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { completeValue } from '../../src/admin/complete-value.ts';
import { sampleWrite } from '@kebab/testing';
import { openForTests } from '../kb/open-for-tests.ts';

const open = openForTests();

const part = { summary: '', files: () => ({ package: '{}', lock: '{}' }) };
const parts = [
  { ...part, name: 'ocr', folder: 'ocr-0123', isPresent: () => false },
  { ...part, name: 'pdf', folder: 'pdf-4567', isPresent: () => true },
];
const installing = () => ({ setup: { parts, formats: { docx: { package: '@kebab/plugin-docx', folder: null } } } });

it('offers only sources and documents that remove and rm can remove', async () => {
  const kb = await open({ env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'work', root: './work' }]) } });
  await kb.add('a.md', 'one\n');
  await kb.commit(sampleWrite('kiln.md', 'two\n', { sourceId: 'external' }));
  const ports = { ...kb.ports, resolution: kb.resolution, installing };
  const offered = (kind: 'source' | 'own_source' | 'added_path') => completeValue(ports, { kind, typed: '' });
  expect(await offered('source')).toEqual(['default', 'external', 'work']);
  expect(await offered('own_source')).toEqual(['default', 'work']);
  expect(await offered('added_path')).toEqual(['external:kiln.md']);
});

it('offers only optional parts that are missing, and removes only what is installed', async () => {
  const kb = await open();
  const pluginFolder = path.join(kb.cwd, 'plugins');
  mkdirSync(path.join(pluginFolder, 'parts', 'pdf-4567'), { recursive: true });
  writeFileSync(path.join(pluginFolder, 'kebab-plugins.lock.json'), '{"plugins":{"kebab-plugin-epub":{}}}');
  const ports = { ...kb.ports, resolution: { ...kb.resolution, pluginFolder }, installing };
  const offered = (kind: 'missing_part' | 'installed_plugin') => completeValue(ports, { kind, typed: '' });
  expect(await offered('missing_part')).toEqual(['docx', 'ocr']);
  expect(await offered('installed_plugin')).toEqual(['kebab-plugin-epub', 'pdf']);
});
