/** An address as it may appear in messages and logs: without user name, password, query and a slash at its end. */
export function endpointLabel(endpoint: string): string {
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}
