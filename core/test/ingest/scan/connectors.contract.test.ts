import { describe, it } from 'vitest';
import { FsConnector, externalConnector } from '../../../src/ingest/scan/connectors.ts';
import { declareSuite, sourceConnectorSuite } from '@kebab/testing';
import { TemporaryTree } from '../temporary-tree.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the folder connector', () => {
  const files = {
    'a.md': bytes('# A\n'),
    'b#1%20.md': bytes('odd name'),
    'sub/empty.txt': bytes(''),
    'sub/한글.md': bytes('가나다'),
    'sub/😀.md': Uint8Array.of(0, 255, 10, 13),
  };
  const open = async () => {
    const tree = new TemporaryTree(files);
    const connector = new FsConnector({ followSymlinks: true, leaveOut: [] });
    const scope = { root: tree.root, include: ['**/*'], exclude: [] };
    return { connector, scope, files, missing: 'sub/none.md', close: () => tree.remove() };
  };
  declareSuite(sourceConnectorSuite({ open }), { describe, it });
});

describe('the connector of documents added by hand', () => {
  const files = { 'tea-0a1b2c3d4e5f.md': bytes('# A\n'), 'ffeeddccbbaa.txt': bytes('b') };
  const open = async () => {
    const tree = new TemporaryTree({ ...files, '0a.md.77.tmp': 'left behind' });
    const connector = externalConnector();
    const scope = { root: tree.root, include: [], exclude: [] };
    return { connector, scope, files, missing: 'none.md', close: () => tree.remove() };
  };
  declareSuite(sourceConnectorSuite({ open }), { describe, it });
});
