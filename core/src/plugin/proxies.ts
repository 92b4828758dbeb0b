import { BlockList, isIP } from 'node:net';
import type { ProxySettings } from './proxy-settings.ts';

/** The proxy for a URL; null for a direct connection, as to this machine. Throws an `Error` for a proxy that is no HTTP proxy. */
export function proxyFor(url: URL, proxies: ProxySettings | undefined): URL | null {
  const isSecure = url.protocol === 'https:';
  const written = (isSecure ? proxies?.https : proxies?.http) ?? '';
  if (written === '' || isLoopback(url.href) || url.hostname === '0.0.0.0') return null;
  if (isExcepted(url, proxies?.except ?? '')) return null;
  const full = written.includes('://') ? written : `http://${written}`;
  const proxy = URL.canParse(full) ? new URL(full) : null;
  if (proxy !== null && (proxy.protocol === 'http:' || proxy.protocol === 'https:')) return proxy;
  const shown = proxy === null ? 'it is no URL' : `${proxy.protocol} is not supported`;
  throw new Error(`${isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY'} names no HTTP proxy: ${shown}`);
}

/** Whether `NO_PROXY` covers a URL: a name also covers the names below it. */
function isExcepted({ protocol, hostname, port }: URL, except: string): boolean {
  const host = bare(hostname);
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return except.split(/[\s,]+/).some((entry) => {
    if (entry === '' || entry === '*') return entry === '*';
    const [, name = '', onlyPort] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== at) return false;
    if (name.includes('/')) return isInRange(host, name);
    const domain = bare(name).replace(/^\*?\./, '');
    return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
  });
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const [family, width] = [isIP(network), Number(bits)];
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || width > (family === 4 ? 32 : 128)) return false;
  const addresses = new BlockList();
  addresses.addSubnet(network, width, family === 4 ? 'ipv4' : 'ipv6');
  return addresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Whether the host of a URL is this machine: `localhost`, 127.0.0.0/8 or ::1, the latter two in any notation. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/\.$/, '').toLowerCase();
  if (host === 'localhost') return true;
  const ipv6 = /^\[(.+)\]$/.exec(host)?.[1];
  return ipv6 === undefined ? LOOPBACK.check(host, 'ipv4') : LOOPBACK.check(ipv6, 'ipv6');
}

/** A `BlockList` parses addresses as the operating system does, including IPv4-mapped IPv6 addresses. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
