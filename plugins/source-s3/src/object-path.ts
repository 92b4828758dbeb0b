import { invalidInput, isKebabError, normalizeWorkspacePath } from '@kebab/core';

/** A bucket, and the first part of the keys of its objects: empty, or with a slash at its end. */
export interface BucketPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** Names of buckets, also those with capitals and underscores that older ones have. */
const ROOT = /^s3:\/\/([A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9])(?:\/(.*))?$/s;

/** Reads the root of a source: `s3://BUCKET` or `s3://BUCKET/PREFIX`. Throws `invalid_input`. */
export function placeOfRoot(root: string): BucketPlace {
  const [, bucket, path = ''] = ROOT.exec(root) ?? [];
  if (bucket === undefined)
    throw invalidInput(`${JSON.stringify(root)} names no bucket`, {
      field: 'root',
      value: root,
      hint: 'the root of a source of the connector s3 is s3://BUCKET or s3://BUCKET/PREFIX',
    });
  const prefix = path.replace(/\/+$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

/** The URI of an object, which {@link objectOfUri} reads. */
export function uriOfObject(bucket: string, key: string): string {
  return `s3://${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** The object that a URI of {@link uriOfObject} names. */
export function objectOfUri(uri: string): { readonly bucket: string; readonly key: string } {
  const [, bucket = '', path = ''] = ROOT.exec(uri) ?? [];
  return { bucket, key: path.split('/').map(decodeURIComponent).join('/') };
}

/** The path of an object inside its source; null for a key that no path stands for: with `..`, or nothing but slashes. */
export function pathOfKey(key: string, prefix: string): string | null {
  try {
    return normalizeWorkspacePath(key.slice(prefix.length).replace(/^\/+/, ''));
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return null;
    throw error;
  }
}
