import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLoopbackServer } from '@kebab/testing';

/** A running double of S3-compatible storage. */
export interface FakeS3 {
  readonly url: string;
  /** The objects of its one bucket, `shelf`, by key; they can be changed while it runs. */
  readonly objects: Map<string, FakeObject>;
  /** The requests so far: method and path with its query. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** An object, and how the storage misbehaves when it is read. */
export interface FakeObject {
  readonly bytes: Uint8Array;
  readonly lastModified: Date;
  /** The status of the answer instead of the object. */
  readonly refusal?: number;
  /** Ends the answer after half of the bytes. */
  readonly isCut?: boolean;
  /** Never answers. */
  readonly hangs?: boolean;
}

/** Options of {@link startFakeS3}. */
export interface FakeS3Options {
  /** How many keys a page of a list has. */
  readonly pageSize?: number;
  /** The status with which lists are refused, from this page on. */
  readonly refuseLists?: { readonly status: number; readonly fromPage: number };
}

/** Starts storage on a free port of this machine. */
export async function startFakeS3(
  objects: Readonly<Record<string, string | Uint8Array | FakeObject>>,
  { pageSize = 1000, refuseLists }: FakeS3Options = {},
): Promise<FakeS3> {
  const stored = new Map(Object.entries(objects).map(([key, value]) => [key, toObject(value)]));
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? '/', 'http://storage');
    const [bucket, ...path] = url.pathname.slice(1).split('/').map(decodeURIComponent);
    if (bucket !== 'shelf') return refuse(response, 404, 'NoSuchBucket');
    if (url.searchParams.get('list-type') === '2') return list(url.searchParams, response);
    const object = stored.get(path.join('/'));
    if (object === undefined) return refuse(response, 404, request.method === 'HEAD' ? '' : 'NoSuchKey');
    if (object.hangs === true) return;
    if (object.refusal !== undefined)
      return refuse(response, object.refusal, object.refusal === 403 ? 'AccessDenied' : 'InternalError');
    response.writeHead(200, {
      'Content-Length': object.bytes.length,
      ETag: etagOf(object),
      'Last-Modified': object.lastModified.toUTCString(),
    });
    if (request.method === 'HEAD') return void response.end();
    if (object.isCut !== true) return void response.end(object.bytes);
    response.write(object.bytes.subarray(0, object.bytes.length / 2), () => response.destroy());
  };
  const list = (query: URLSearchParams, response: ServerResponse): void => {
    const start = Number(query.get('continuation-token') ?? '0');
    if (refuseLists !== undefined && start >= refuseLists.fromPage * pageSize)
      return refuse(response, refuseLists.status, refuseLists.status === 403 ? 'AccessDenied' : 'SlowDown');
    const prefix = query.get('prefix') ?? '';
    const keys = [...stored.keys()]
      .filter((key) => key.startsWith(prefix))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const page = keys.slice(start, start + pageSize);
    const isLast = start + pageSize >= keys.length;
    const contents = page.map((key) => {
      const object = stored.get(key);
      if (object === undefined) return '';
      const name = encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
      return `<Contents><Key>${name}</Key><LastModified>${object.lastModified.toISOString()}</LastModified><ETag>${etagOf(object).replaceAll('"', '&quot;')}</ETag><Size>${object.bytes.length}</Size></Contents>`;
    });
    const next = isLast ? '' : `<NextContinuationToken>${start + pageSize}</NextContinuationToken>`;
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>shelf</Name><EncodingType>url</EncodingType><KeyCount>${page.length}</KeyCount><IsTruncated>${!isLast}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  };
  const { url, close } = await startLoopbackServer(answer);
  return { url, objects: stored, requests, close };
}

/** An object that was written at some time. */
export function objectOf(content: string | Uint8Array, rest: Partial<FakeObject> = {}): FakeObject {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { bytes, lastModified: new Date('2026-05-06T07:08:09Z'), ...rest };
}

function toObject(value: string | Uint8Array | FakeObject): FakeObject {
  return typeof value === 'string' || value instanceof Uint8Array ? objectOf(value) : value;
}

function etagOf({ bytes }: FakeObject): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(code === '' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}
