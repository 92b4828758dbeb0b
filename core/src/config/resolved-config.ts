import type { SourceType, TrustLevel } from '../domain/kinds.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { CamelCase, Section, ValueOf } from '../schema/field.ts';
import type { CORE_KEYS } from './keys.ts';

/** A configured source besides `default` and `external`. */
export interface ResolvedSource {
  readonly id: string;
  /** Absolute for the connector `fs`; other connectors interpret it themselves. */
  readonly root: string;
  /** The URL of the repository that `root` is a clone of; absent for any other source. */
  readonly git?: string | undefined;
  readonly connector: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Null when the source does not set it. */
  readonly trustLevel: TrustLevel | null;
  readonly sourceType: SourceType | null;
}

/** Who may read the documents of a source at some paths. */
export interface ResolvedRule {
  /** Empty for any source. */
  readonly source: string;
  /** A glob on the workspace path. */
  readonly path: string;
  /** Principals, or `everyone`. */
  readonly readers: readonly string[];
}

type Tables = {
  readonly sources: readonly ResolvedSource[];
  readonly plugins: readonly PluginEntry[];
  readonly rules: readonly ResolvedRule[];
};

/** The type that a key resolves to. */
type ResolvedOf<K> =
  K extends Section<infer M>
    ? ConfigOf<M>
    : K extends { readonly of: infer N extends keyof Tables }
      ? Tables[N]
      : ValueOf<K>;

type ConfigOf<M> = { readonly [N in keyof M & string as CamelCase<N>]: ResolvedOf<M[N]> };

/**
 * The effective configuration: deeply frozen, every default filled in, every path absolute, null where an optional key is unset. It has the
 * tables and keys of {@link CORE_KEYS} in camelCase: `models.llm.context_tokens` is `config.models.llm.contextTokens`.
 */
export type ResolvedConfig = ConfigOf<typeof CORE_KEYS> & {
  readonly workspace: {
    /** Whether `root` was set, by a file, the environment or a flag, to something other than the default. */
    readonly isRootSet?: boolean;
  };
};

/** The file with the documents; null if they are on a server, which `storage.document_store` names. */
export function databaseFile({ storage }: Pick<ResolvedConfig, 'storage'>): string | null {
  return storage.documentStore === 'sqlite' ? storage.sqlite : null;
}

/** The vector store that has no file of its own. */
export const LOCAL_VECTORS = 'local';

/** Whether there are no vectors: nothing embeds, or the documents are on a server, and the local vector store needs their file. */
export function hasNoVectors({ storage, models }: Pick<ResolvedConfig, 'storage' | 'models'>): boolean {
  return (
    models.embedding.provider === 'none' ||
    (databaseFile({ storage }) === null && storage.vectorStore === LOCAL_VECTORS)
  );
}
