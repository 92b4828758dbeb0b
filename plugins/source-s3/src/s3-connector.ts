import {
  S3Client,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import {
  blake3Short,
  cancelled,
  invalidInput,
  isAbort,
  isKebabError,
  KebabError,
  mediaTypeOf,
  normalizeWorkspacePath,
  throwIfCancelled,
  type CallContext,
  type FileStat,
  type SourceConnector,
  type SourceEntry,
  type SourceFile,
  type SourceScope,
} from '@kebab/core';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import ignore from 'ignore';
import type { S3Config } from './s3-config.ts';
import { causeOf, isAbsent, s3Failure } from './s3-failure.ts';

/** An object as a list or a header describes it. */
interface ObjectFacts {
  readonly etag: string;
  readonly size: number;
  readonly lastModified: Date;
}

/** A listed object, with its path inside the source. */
interface ListedObject extends ObjectFacts {
  readonly key: string;
  readonly path: string;
}

/** The path of the source itself. */
const ROOT = '.';
const NS_PER_SECOND = 1_000_000_000n;

/**
 * Reads the objects of a bucket below a prefix as files. An object counts as changed when its etag, its size or its time is another one:
 * the storage reports times in whole seconds, and what is below them in `mtimeNs` stands for the etag.
 */
export class S3Connector implements SourceConnector {
  readonly id = 's3';
  readonly version = '1';
  readonly #client: S3Client;
  readonly #where: string;

  constructor({ endpoint, region, pathStyle, timeoutMs }: S3Config) {
    this.#where = endpoint === '' ? 'Amazon S3' : endpoint;
    this.#client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      ...(endpoint === '' ? {} : { endpoint }),
      requestHandler: new NodeHttpHandler({
        connectionTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
        socketTimeout: timeoutMs,
      }),
      // Servers other than Amazon's know no checksums of whole objects; the length of each body is compared.
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  async *scan(scope: SourceScope, context: CallContext): AsyncGenerator<SourceEntry, void, undefined> {
    const place = placeOfRoot(scope.root);
    const listed = await this.#list(place, context);
    const entries = listed.kind === 'error' ? [listed] : entriesOf(listed.objects, scope, place.bucket);
    for (const entry of entries) {
      throwIfCancelled(context.signal, 'scan');
      yield entry;
    }
  }

  async read(file: SourceFile, { signal }: CallContext): Promise<Uint8Array> {
    const { bucket, key } = objectOfUri(file.uri);
    try {
      const { Body, ContentLength } = await this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), {
        abortSignal: signal,
      });
      const bytes = Body === undefined ? new Uint8Array(0) : await Body.transformToByteArray();
      if (ContentLength === undefined || ContentLength === bytes.length) return bytes;
      throw new Error(`it ended after ${bytes.length} of ${ContentLength} bytes`);
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw cancelled('read', signal.reason);
      throw s3Failure(error, { what: file.uri, where: this.#where });
    }
  }

  async stat(scope: SourceScope, workspacePath: string, { signal }: CallContext): Promise<FileStat | null> {
    const { bucket, prefix } = placeOfRoot(scope.root);
    // The key of a file from a Mac is decomposed, its path composed.
    for (const path of new Set([workspacePath, workspacePath.normalize('NFD')])) {
      const facts = await this.#describe({ bucket, key: prefix + path }, signal);
      if (facts !== null) return { size: facts.size, mtimeNs: mtimeNsOf(facts) };
    }
    return null;
  }

  async #describe(
    { bucket, key }: { readonly bucket: string; readonly key: string },
    signal: AbortSignal,
  ): Promise<ObjectFacts | null> {
    try {
      const head = await this.#client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), {
        abortSignal: signal,
      });
      const { ETag: etag = '', ContentLength: size = 0, LastModified: lastModified = new Date(0) } = head;
      return { etag, size, lastModified };
    } catch (error) {
      if (isAbsent(error)) return null;
      if (signal.aborted || isAbort(error)) throw cancelled('stat', signal.reason);
      throw s3Failure(error, { what: uriOfObject(bucket, key), where: this.#where });
    }
  }

  /** All objects, or why they cannot be listed: part of a list would look as if the rest were deleted. */
  async #list({ bucket, prefix }: BucketPlace, { signal }: CallContext): Promise<Listing> {
    const objects: ListedObject[] = [];
    let token: string | undefined;
    try {
      do {
        const page: ListObjectsV2CommandOutput = await this.#client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            EncodingType: 'url',
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
          { abortSignal: signal },
        );
        for (const object of page.Contents ?? []) {
          const key = page.EncodingType === 'url' ? decoded(object.Key ?? '') : (object.Key ?? '');
          const { ETag: etag = '', Size: size = 0, LastModified: lastModified = new Date(0) } = object;
          if (!key.endsWith('/')) objects.push({ key, path: pathOfKey(key, prefix) ?? '', etag, size, lastModified });
        }
        token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      return { kind: 'objects', objects };
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw cancelled('scan', signal.reason);
      const message = `cannot read .: ${causeOf(error)}; ${s3Failure(error, { what: bucket, where: this.#where }).hint}`;
      return { kind: 'error', workspacePath: ROOT, message, code: 'io_error' };
    }
  }
}

type Listing =
  | { readonly kind: 'objects'; readonly objects: readonly ListedObject[] }
  | (Extract<SourceEntry, { readonly kind: 'error' }> & { readonly kind: 'error' });

/** In order of the paths: normalised ones need not be in the order of the keys. */
function* entriesOf(
  objects: readonly ListedObject[],
  { include, exclude }: Pick<SourceScope, 'include' | 'exclude'>,
  bucket: string,
): Generator<SourceEntry, void, undefined> {
  const included = include.length === 0 ? null : ignore().add([...include]);
  const excluded = ignore().add([...exclude]);
  let before: string | null = null;
  for (const object of objects.toSorted(byPath)) {
    const { key, path, size } = object;
    if (path === '' || path === before) {
      const problem = path === '' ? 'its key is no path' : 'another object has the same path';
      yield {
        kind: 'error',
        workspacePath: shownKey(key),
        message: `${uriOfObject(bucket, key)}: ${problem}`,
        code: 'invalid_input',
      };
      continue;
    }
    before = path;
    if (included?.ignores(path) === false || excluded.ignores(path))
      yield { kind: 'skipped', workspacePath: path, counter: 'excluded' };
    else
      yield {
        kind: 'file',
        workspacePath: path,
        uri: uriOfObject(bucket, key),
        size,
        mtimeNs: mtimeNsOf(object),
        birthtimeMs: object.lastModified.getTime(),
        mediaType: mediaTypeOf(path),
      };
  }
}

/** Keys without a path come first, in their own order. */
function byPath(a: ListedObject, b: ListedObject): number {
  return comparePoints(a.path, b.path) || comparePoints(a.key, b.key);
}

function comparePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A key as a path inside the source, for messages only. */
function shownKey(key: string): string {
  const parts = key.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.length === 0 ? JSON.stringify(key) : parts.join('/');
}

/** The time in whole seconds, and the etag in the rest. */
function mtimeNsOf({ etag, lastModified }: ObjectFacts): bigint {
  const seconds = BigInt(Math.floor(lastModified.getTime() / 1000));
  return seconds * NS_PER_SECOND + (BigInt(`0x${blake3Short(etag)}`) % NS_PER_SECOND);
}

/** Decodes a key of a list, in which a plus stands for a space. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw new KebabError('io_error', `the key ${JSON.stringify(key)} cannot be decoded`, {
      details: { kind: 'URIError', path: key, cause: 'it is not URL encoded' },
    });
  }
}

/** A bucket, and the first part of the keys of its objects: empty, or with a slash at its end. */
interface BucketPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** Names of buckets, also those with capitals and underscores that older ones have. */
const BUCKET_URI = /^s3:\/\/([A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9])(?:\/(.*))?$/s;

/** Reads the root of a source: `s3://BUCKET` or `s3://BUCKET/PREFIX`. Throws `invalid_input`. */
function placeOfRoot(root: string): BucketPlace {
  const [, bucket, path = ''] = BUCKET_URI.exec(root) ?? [];
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
function uriOfObject(bucket: string, key: string): string {
  return `s3://${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** The object that a URI of {@link uriOfObject} names. */
function objectOfUri(uri: string): { readonly bucket: string; readonly key: string } {
  const [, bucket = '', path = ''] = BUCKET_URI.exec(uri) ?? [];
  return { bucket, key: path.split('/').map(decodeURIComponent).join('/') };
}

/** The path of an object inside its source; null for a key that no path stands for: with `..`, or nothing but slashes. */
function pathOfKey(key: string, prefix: string): string | null {
  try {
    return normalizeWorkspacePath(key.slice(prefix.length).replace(/^\/+/, ''));
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return null;
    throw error;
  }
}
