/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  /** Parts are sent as they come. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cookies?: readonly string[] | undefined;
}

/** A line of text. */
export function plain(status: number, message: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
}

/** Sends the browser to another page of this server, or to the issuer. */
export function seeOther(location: string): Reply {
  return { status: 303, type: 'text/plain; charset=utf-8', body: '', headers: { location } };
}
