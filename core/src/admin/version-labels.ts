import type { Extractor, MediaMatch } from '../contracts/extractor.ts';
import type { MediaType } from '../domain/media.ts';
import type { Ports } from '../ports.ts';

/** The labels of the parsers and chunkers in use, by medium; source code by language, as `code/rust`. */
export interface VersionLabels {
  readonly parsers: Readonly<Record<string, string>>;
  readonly chunkers: Readonly<Record<string, string>>;
}

/** The ports that labels are read from. */
export type VersionPorts = Pick<Ports, 'extractors' | 'chunkers'>;

/** Asks every extractor for its labels; of two for one medium the preferred one counts. */
export async function versionLabels(ports: VersionPorts): Promise<VersionLabels> {
  const parsers: Record<string, string> = {};
  const chunkers: Record<string, string> = {};
  const chunkerIds = new Set(ports.chunkers.names().map(({ id }) => id));
  for (const extractor of await ports.extractors.all()) {
    for (const [name, media] of mediaOf(extractor)) {
      if (Object.hasOwn(parsers, name)) continue;
      parsers[name] = extractor.parserVersion(media);
      const chunkerId = extractor.chunkerId(media);
      if (!chunkerIds.has(chunkerId)) continue;
      const chunker = await ports.chunkers.get(chunkerId);
      chunkers[name] = chunker.chunkerVersion;
    }
  }
  return { parsers, chunkers };
}

/** One media type for each thing that an extractor says it reads and really supports, by name. */
function mediaOf(extractor: Extractor): readonly (readonly [string, MediaType])[] {
  return candidates(extractor.match).filter(([, media]) => extractor.supports(media));
}

function candidates({
  media = [],
  codeLangs = [],
  extensions = [],
}: MediaMatch): readonly (readonly [string, MediaType])[] {
  const kinds = codeLangs.length === 0 ? media : media.filter((kind) => kind !== 'code');
  return [
    ...kinds.map((kind) => [kind, exampleOf(kind)] as const),
    ...codeLangs.map((lang) => [`code/${lang}`, { kind: 'code', lang }] as const),
    ...extensions.map((ext) => [`other/${ext}`, { kind: 'other', ext }] as const),
  ];
}

function exampleOf(kind: MediaType['kind']): MediaType {
  switch (kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return { kind };
    case 'image':
      return { kind, type: 'png' };
    case 'audio':
      return { kind, type: 'wav' };
    case 'code':
      return { kind, lang: 'text' };
    case 'other':
      return { kind, ext: '' };
    default:
      return kind satisfies never;
  }
}
