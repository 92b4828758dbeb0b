import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import { EXTERNAL } from '../../documents/external-folder.ts';
import type { SourceDefaults } from '../../extraction/stage-fingerprints.ts';

/** A source as an ingest sees it. */
export interface IngestSource {
  readonly id: string;
  readonly root: string;
  /** The id of the source connector that walks it. */
  readonly connectorId: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly defaults: SourceDefaults;
}

/** The source `external` of a configuration. */
export function externalSource({ workspace }: Pick<ResolvedConfig, 'workspace'>): IngestSource {
  const defaults = { trustLevel: null, sourceType: null };
  return { id: EXTERNAL, root: workspace.root, connectorId: EXTERNAL, include: [], exclude: [], defaults };
}

/**
 * The sources to walk, `default` first and `external` last: the wanted ones, or all. Throws `invalid_input` for an id
 * that the configuration does not know.
 */
export function sourcesToWalk(
  config: Pick<ResolvedConfig, 'workspace'>,
  wanted: readonly string[] | undefined,
): readonly IngestSource[] {
  const { root, include, exclude, sources } = config.workspace;
  const all: readonly IngestSource[] = [
    { id: 'default', root, connectorId: 'fs', include, exclude, defaults: { trustLevel: null, sourceType: null } },
    ...sources.map(({ trustLevel, sourceType, connector, ...source }) => ({
      ...source,
      connectorId: connector,
      defaults: { trustLevel, sourceType },
    })),
    externalSource(config),
  ];
  if (wanted === undefined) return all;
  const ids = all.map(({ id }) => id);
  const unknown = wanted.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw invalidInput(`there is no source ${JSON.stringify(unknown)}; there is ${ids.join(', ')}`, {
      field: 'source',
      value: unknown,
      allowed: ids,
      suggestion: nearestName(unknown, ids),
    });
  return all.filter(({ id }) => wanted.includes(id));
}
