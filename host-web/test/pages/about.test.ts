import type { Status } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { aboutPage } from '../../src/pages/about.ts';
import { textsFor } from '../../src/texts.ts';

const status: Status = {
  schema_version: 'status.v1',
  database: '/data/kebab.sqlite',
  knowledge_base: null,
  sources: [],
  documents: 1,
  chunks: 1,
  last_ingest_at: null,
  changes: null,
  not_taken_in: 0,
  embedding: { provider: 'none', model: '', state: 'off', pending: 0 },
  answers: { provider: 'none', model: '', endpoint: '', state: 'off' },
  notes: [],
  next: 'kebab ingest',
};

describe('the states of sources on the page about the base', () => {
  it.each([
    ['ready', { root: '/notes', configured_root: '/notes', readable: true, documents: 1 }],
    ['not ingested', { root: '/notes', configured_root: '/notes', readable: true, documents: 0 }],
    ['missing', { root: '/notes', configured_root: '/notes', readable: false, documents: 1 }],
    ['moved', { root: '/before', configured_root: '/notes', readable: false, documents: 1 }],
    ['not configured', { root: '/notes', configured_root: null, readable: true, documents: 1 }],
  ])('says %s of %o', async (state, source) => {
    const contents = async () => ({ status: { ...status, sources: [{ id: 'default', ...source }] }, newest: null });
    const nothing = () => Promise.reject(new Error('not asked for'));
    const indexing = { kind: 'idle', failure: null } as const;
    const page = aboutPage(
      { contents, skipped: nothing, doctor: null },
      { indexing, formToken: null, texts: textsFor('en') },
    );
    const parts: string[] = [];
    for await (const part of page) parts.push(part);
    expect(parts.join('')).toMatch(new RegExp(`<td>default</td>.*<td>${state}</td>`, 's'));
  });
});
