import { declareSuite, sourceConnectorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { S3Connector } from '../src/s3-connector.ts';
import { startFakeS3 } from './fake-s3.ts';
import { configFor } from './s3-at.ts';

const FILES = {
  'a b+c.md': 'a space and a plus\n',
  'notes/한국어.md': '한국\n',
  'notes/zebra.md': 'last\n',
  'notes.md': 'before the folder\n',
  'empty.txt': '',
  'Upper.md': 'upper\n',
  '𝒜.md': 'beyond the basic plane\n',
  '\uFF5E.md': 'a wide tilde\n',
};

declareSuite(
  sourceConnectorSuite({
    open: async () => {
      const storage = await startFakeS3(
        {
          ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`team/docs/${path}`, text])),
          'team/docs/': '',
          'team/docs/notes/': '',
          'team/docsets/other.md': 'of another prefix\n',
          'team/other.md': 'outside\n',
        },
        { pageSize: 3 },
      );
      return {
        connector: new S3Connector(configFor(storage)),
        scope: { root: 's3://shelf/team/docs', include: [], exclude: [] },
        files: Object.fromEntries(Object.entries(FILES).map(([path, text]) => [path, new TextEncoder().encode(text)])),
        missing: 'notes/none.md',
        close: () => storage.close(),
      };
    },
  }),
  { describe, it },
);
