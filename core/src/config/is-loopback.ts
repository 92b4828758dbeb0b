/** Whether an http or https address leads to this machine: localhost, 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host) || host.startsWith('[::ffff:7f');
}
