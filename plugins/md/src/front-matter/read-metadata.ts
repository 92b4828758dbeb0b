import type { ExtractWarning, JsonValue, Metadata } from '@kebab/core';
import { type FrontMatter, parseFrontMatter } from './parse-front-matter.ts';
import * as known from './plain-yaml.ts';
import { isKnownKey } from './plain-yaml.ts';

/** The metadata that a document states. Members that it does not state are absent. */
export interface StatedMetadata {
  readonly title?: string;
  readonly lang?: string;
  readonly metadata: Partial<Metadata>;
  readonly warnings: readonly ExtractWarning[];
}

type Stated = Pick<StatedMetadata, 'title' | 'lang'> & Partial<Metadata>;

/**
 * Reads metadata from front matter. A known key with a value of the wrong type causes a warning and is left out; a key without a value
 * counts as absent; an unknown key is added to `user` unchanged. Front matter that cannot be parsed causes one warning.
 */
export async function readMetadata(frontMatter: FrontMatter): Promise<StatedMetadata> {
  const parsed = await parseFrontMatter(frontMatter);
  if (parsed.kind === 'malformed') return { metadata: {}, warnings: [warning(`front matter: ${parsed.reason}`)] };
  const stated: Stated[] = [];
  const user: [string, JsonValue][] = [];
  const warnings: ExtractWarning[] = [];
  for (const [key, value] of parsed.values) {
    if (!isKnownKey(key)) user.push([key, value]);
    else if (value !== null && value !== '') {
      const found = readKnown(key, value);
      if (found === undefined) warnings.push(warning(`${key}: ${shown(value)} is not a value for it`));
      else stated.push(found);
    }
  }
  if (user.length > 0) stated.push({ user: Object.fromEntries(user) });
  const { title, lang, ...metadata }: Stated = Object.assign({}, ...stated);
  return {
    ...(title === undefined ? {} : { title }),
    ...(lang === undefined ? {} : { lang }),
    metadata,
    warnings,
  };
}

/** The metadata in the value of a known key; undefined if the value has the wrong type. */
function readKnown(key: string, value: JsonValue): Stated | undefined {
  switch (key) {
    case 'title':
      return stating(known.asText(value), (title) => ({ title }));
    case 'lang':
      return stating(known.asLang(value), (lang) => ({ lang }));
    case 'aliases':
      return stating(known.asTexts(value), (aliases) => ({ aliases }));
    case 'tags':
      return stating(known.asTexts(value), (tags) => ({ tags }));
    case 'created_at':
      return stating(known.asTimestamp(value), (createdAt) => ({ createdAt }));
    case 'updated_at':
      return stating(known.asTimestamp(value), (updatedAt) => ({ updatedAt }));
    case 'source_type':
      return stating(known.asSourceType(value), (sourceType) => ({ sourceType }));
    case 'trust_level':
      return stating(known.asTrustLevel(value), (trustLevel) => ({ trustLevel }));
    default:
      return stating(known.asText(value), (userIdAlias) => ({ userIdAlias }));
  }
}

function stating<T>(value: T | undefined, statement: (value: T) => Stated): Stated | undefined {
  return value === undefined ? undefined : statement(value);
}

function warning(note: string): ExtractWarning {
  return { kind: 'malformed_frontmatter', note };
}

function shown(value: JsonValue): string {
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${json.slice(0, 59)}…`;
}
