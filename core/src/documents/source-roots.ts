import type { ResolvedConfig } from '../config/resolved-config.ts';

/** Where the documents of one source are looked up. */
export interface SourceRoot {
  readonly id: string;
  readonly root: string;
  /** `fs` for folders; another source connector otherwise. */
  readonly connector: string;
}

/** Every source of a configuration by id: `default`, `external`, which lies in the same folder, and the configured ones. */
export function sourceRoots(config: Pick<ResolvedConfig, 'workspace'>): ReadonlyMap<string, SourceRoot> {
  const { root, sources } = config.workspace;
  const all: readonly SourceRoot[] = [
    { id: 'default', root, connector: 'fs' },
    { id: 'external', root, connector: 'fs' },
    ...sources,
  ];
  return new Map(all.map(({ id, root: folder, connector }) => [id, { id, root: folder, connector }]));
}

/** The source of what was brought in by hand; it lies in a folder of the workspace root. */
export const EXTERNAL = 'external';

/** The folder of the workspace root that holds the copies of the source `external`; no other source walks it. */
export const EXTERNAL_FOLDER = '_external';
