import { builtins } from '@kebab/builtins';
import { keyTableWith, type KeyTable } from '../../src/config/key-table.ts';

/** The sections of the bundled plugins. */
export const bundledSections = builtins.flatMap(({ manifest: { section } }) =>
  section === undefined ? [] : [section],
);

/** Every key of kebab as it is shipped. */
export const bundledKeys: KeyTable = keyTableWith(bundledSections);

/** The position of a whole configuration file in it. */
export const wholeFile = { table: bundledKeys, members: bundledKeys.members, prefix: '' } as const;
