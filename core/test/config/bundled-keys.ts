import { builtins } from '@kebab/builtins';
import { keyTableWith, type KeyTable } from '../../src/config/key-table.ts';

/** The sections of the plugins that come with kebab. */
export const bundledSections = builtins.flatMap(({ manifest: { section } }) =>
  section === undefined ? [] : [section],
);

/** Every key of kebab as it is shipped. */
export const bundledKeys: KeyTable = keyTableWith(bundledSections);

/** Where the whole of a configuration file stands in it. */
export const wholeFile = { table: bundledKeys, members: bundledKeys.members, prefix: '' } as const;
