import type { ServerResponse } from 'node:http';

/**
 * What goes wrong with an answer. `hang`: none comes. `busy`: 503. `html`: the 502 page of a proxy. The others break a stream
 * after its second part: `error` is a line that reports one, `cut` closes the connection, `incomplete` ends without a last
 * line, `garbled` is a line that is not JSON. An object is any status with an error of that text.
 */
export type Fault =
  | 'hang'
  | 'busy'
  | 'html'
  | 'error'
  | 'cut'
  | 'incomplete'
  | 'garbled'
  | { readonly status: number; readonly error: string };

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

/** Answers with a fault that needs no stream; false when there is none, and the request is to be answered. */
export function sendFault(response: ServerResponse, fault: Fault | null): boolean {
  if (fault === null) return false;
  if (typeof fault === 'object') sendJson(response, fault.status, { error: fault.error });
  else if (fault === 'busy') sendJson(response, 503, { error: 'server busy, please try again' });
  else if (fault === 'html')
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>502 Bad Gateway</body></html>');
  else return fault === 'hang';
  return true;
}
