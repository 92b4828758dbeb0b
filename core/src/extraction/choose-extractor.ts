import type { Extractor } from '../contracts/extractor.ts';
import type { MediaType } from '../domain/media.ts';
import type { ComponentName } from '../plugin/components.ts';

/** A medium that extractors of several configured plugins match equally closely, so that the order in `plugins` decides. */
export interface ContestedMedium {
  readonly media: MediaType;
  readonly winner: ComponentName;
  /** The extractors of other plugins, in order of preference. */
  readonly others: readonly ComponentName[];
}

/**
 * The extractor that matches a medium most closely: one that names its language precedes one that reads all code. Among equals, the first
 * in order of preference wins, so a configured plugin replaces a built-in one.
 */
export function chooseExtractor(extractors: readonly Extractor[], media: MediaType): Extractor | undefined {
  const able = extractors.filter((one) => one.supports(media));
  return able.find((one) => namesMedium(one, media)) ?? able[0];
}

/** Whether an extractor names a medium itself, rather than matching everything of its kind. */
export function namesMedium({ match }: Pick<Extractor, 'match'>, media: MediaType): boolean {
  if (media.kind === 'code') return match.codeLangs?.includes(media.lang) === true;
  return media.kind !== 'other' || match.extensions?.includes(media.ext) === true;
}

/** The name of a medium for people: a language, an extension, or its kind. */
export function mediumName(media: MediaType): string {
  if (media.kind === 'code') return media.lang;
  return media.kind === 'other' ? `".${media.ext}"` : media.kind;
}

/**
 * The extractors of other plugins that match a medium as closely as the chosen one; null if there are none. Built-in extractors do not
 * count, because every configured plugin precedes them.
 */
export function contestOf(
  media: MediaType,
  chosen: Extractor,
  { extractors, names }: { readonly extractors: readonly Extractor[]; readonly names: readonly ComponentName[] },
): ContestedMedium | null {
  const nameOf = ({ id }: Extractor): ComponentName | undefined =>
    names.find((name) => name.id === id && name.policy.place === 'as-configured');
  const winner = nameOf(chosen);
  if (winner === undefined) return null;
  const isNamed = namesMedium(chosen, media);
  const others = extractors.flatMap((one) => {
    const name = nameOf(one);
    if (name === undefined || name.plugin === winner.plugin) return [];
    return one.supports(media) && namesMedium(one, media) === isNamed ? [name] : [];
  });
  return others.length === 0 ? null : { media, winner, others };
}

/** Describes as one line which of several matching extractors is used. */
export function contestLine({ media, winner, others }: ContestedMedium): string {
  const behind = others.map(({ id, plugin }) => `"${id}" of ${plugin}`).join(', ');
  return `${mediumName(media)} files go to the extractor "${winner.id}" of ${winner.plugin}, not to ${behind}; the order in plugins decides`;
}
