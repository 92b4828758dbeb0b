const QDRANT_PORT = 6333;

/** The parts of a URL that the client is given apart. */
export interface ServerAddress {
  /** Scheme and host. */
  readonly url: string;
  readonly port: number;
  /** The path in front of the API, without a slash at its end; empty for none. */
  readonly prefix: string;
  /** Everything together, for messages; without user name and password. */
  readonly endpoint: string;
}

/**
 * Takes the URL of a server apart. A port that is written counts even when it is the scheme's own (`https://host:443`), which
 * the URL class forgets; without one it is Qdrant's.
 */
export function serverAddress(text: string): ServerAddress {
  const { protocol, hostname, pathname } = new URL(text);
  const written = /^https?:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)/i.exec(text)?.[1];
  const port = written === undefined ? QDRANT_PORT : Number(written);
  const prefix = pathname.replace(/\/+$/, '');
  const url = `${protocol}//${hostname}`;
  return { url, port, prefix, endpoint: `${url}:${port}${prefix}` };
}
