import type { MediaType, SourceType } from '../../domain/media.ts';
import type { Metadata } from '../../domain/metadata.ts';
import type { SourceDefaults } from '../stage-fingerprints.ts';

/** The state of the git work tree a file lies in; null members where it has none. */
export type GitState = Pick<Metadata, 'repo' | 'gitBranch' | 'gitCommit'>;

/** Where metadata comes from that the document does not give itself. */
export interface MetadataInput {
  readonly given: Partial<Metadata>;
  readonly media: MediaType;
  readonly defaults: SourceDefaults;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly git: GitState | null;
}

const SOURCE_TYPE_OF: Readonly<Record<MediaType['kind'], SourceType>> = {
  markdown: 'markdown',
  text: 'note',
  pdf: 'paper',
  image: 'reference',
  audio: 'reference',
  code: 'code',
  other: 'reference',
};

/** Completes a document's metadata: what it says itself, else what its source says, else what its file and medium say. */
export function deriveMetadata({ given, media, defaults, createdAt, updatedAt, git }: MetadataInput): Metadata {
  return {
    aliases: given.aliases ?? [],
    tags: given.tags ?? [],
    ...(given.inlineTags === undefined ? {} : { inlineTags: given.inlineTags }),
    createdAt: given.createdAt ?? createdAt,
    updatedAt: given.updatedAt ?? updatedAt,
    sourceType: given.sourceType ?? defaults.sourceType ?? SOURCE_TYPE_OF[media.kind],
    trustLevel: given.trustLevel ?? defaults.trustLevel ?? 'primary',
    userIdAlias: given.userIdAlias ?? null,
    user: given.user ?? {},
    repo: given.repo ?? git?.repo ?? null,
    gitBranch: given.gitBranch ?? git?.gitBranch ?? null,
    gitCommit: given.gitCommit ?? git?.gitCommit ?? null,
    codeLang: given.codeLang ?? (media.kind === 'code' ? media.lang : null),
  };
}
