import type { MediaType } from '@kebab/core';

/** The second part of a media type: the language of code, the type of an image or audio, the extension of the rest. */
export function mediaSubtype(type: MediaType): string | null {
  switch (type.kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return null;
    case 'image':
    case 'audio':
      return type.type;
    case 'code':
      return type.lang;
    case 'other':
      return type.ext;
    default:
      throw new TypeError(`unknown media type ${JSON.stringify(type satisfies never)}`);
  }
}

/** Puts a media type together again from its two columns. */
export function toMediaType(media: string, subtype: string | null): MediaType {
  const kind = media as MediaType['kind'];
  switch (kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return { kind };
    case 'image':
    case 'audio':
      return { kind, type: subtype ?? '' };
    case 'code':
      return { kind, lang: subtype ?? '' };
    case 'other':
      return { kind, ext: subtype ?? '' };
    default:
      throw new RangeError(`the database holds the unknown media type ${String(kind satisfies never)}`);
  }
}

/** A media type in one word: `markdown`, `code/rust`. */
export function mediaTypeName(type: MediaType): string {
  const subtype = mediaSubtype(type);
  return subtype === null ? type.kind : `${type.kind}/${subtype}`;
}
