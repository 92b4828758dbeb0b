import type { Extractor } from '../contracts/extractor.ts';
import type { MediaType } from '../domain/media.ts';
import type { ComponentName } from '../plugin/components.ts';

/** A medium that extractors of several configured plugins take equally closely, so that the order in `plugins` decides. */
export interface ContestedMedium {
  readonly media: MediaType;
  readonly winner: ComponentName;
  /** Each of another plugin than the winner, preferred first. */
  readonly others: readonly ComponentName[];
}

/**
 * The extractor that names a medium most closely: one that names its language before one that takes all code. Among equals
 * the preferred one wins, which is how a configured plugin takes the place of a built-in.
 */
export function chooseExtractor(extractors: readonly Extractor[], media: MediaType): Extractor | undefined {
  const able = extractors.filter((one) => one.supports(media));
  return able.find((one) => namesMedium(one, media)) ?? able[0];
}

/** Whether an extractor names a medium itself, rather than taking it with all others of its kind. */
export function namesMedium({ match }: Pick<Extractor, 'match'>, media: MediaType): boolean {
  if (media.kind === 'code') return match.codeLangs?.includes(media.lang) === true;
  return media.kind !== 'other' || match.extensions?.includes(media.ext) === true;
}

/** A medium as people name it: a language, an extension, or its kind. */
export function mediumName(media: MediaType): string {
  if (media.kind === 'code') return media.lang;
  return media.kind === 'other' ? `".${media.ext}"` : media.kind;
}

/**
 * Who else would take a medium as closely as the chosen extractor; null where nobody would. Built-in extractors count for
 * nothing, since every configured plugin precedes them.
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

/** The line that says how a contest was decided. */
export function contestLine({ media, winner, others }: ContestedMedium): string {
  const behind = others.map(({ id, plugin }) => `"${id}" of ${plugin}`).join(', ');
  return `${mediumName(media)} files go to the extractor "${winner.id}" of ${winner.plugin}, not to ${behind}; the order in plugins decides`;
}
