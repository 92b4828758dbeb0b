import { BlockList } from 'node:net';
import { maskSecrets } from './mask-secrets.ts';
import type { Settings } from './settle.ts';

/**
 * What a project file may say while it is untrusted, and why that is harmless. A key that is not in this table takes effect
 * only once the file is trusted: it could name other folders, databases, models, addresses or code.
 */
const ALLOWED_UNTRUSTED: Readonly<Record<string, string>> = {
  schema_version: 'names the format of the file',
  'workspace.include': 'chooses among files of the user’s own sources',
  'workspace.exclude': 'chooses among files of the user’s own sources',
  'chunking.target_tokens': 'changes how documents are cut',
  'chunking.overlap_tokens': 'changes how documents are cut',
  'chunking.max_chunk_tokens': 'changes how documents are cut',
  'chunking.respect_markdown_headings': 'changes how documents are cut',
  'code.skip_generated': 'chooses among files of the user’s own sources',
  'code.max_unit_lines': 'changes how documents are cut',
  'code.window_lines': 'changes how documents are cut',
  'code.window_overlap_lines': 'changes how documents are cut',
  'search.default_k': 'changes what is shown',
  'search.snippet_chars': 'changes what is shown',
  'search.stale_threshold_days': 'changes what is shown',
  'rag.explain_default': 'changes what is shown',
};

/** The settings of a project file, parted by whether they take trust. */
export interface PartedSettings {
  readonly allowed: Settings;
  /** Dotted names, in the order of the file. */
  readonly restricted: readonly string[];
}

/** Parts the settings of an untrusted project file by {@link ALLOWED_UNTRUSTED}. */
export function partByTrust(settings: Settings): PartedSettings {
  return {
    allowed: new Map([...settings].filter(([name]) => isAllowed(name))),
    restricted: [...settings.keys()].filter((name) => !isAllowed(name)),
  };
}

/** A setting that takes trust, as it is shown to the person who is about to give it. */
export interface RestrictedSetting {
  readonly key: string;
  /** Secrets are `***`. */
  readonly value: unknown;
  /** Whether the value holds an address that leads away from this machine. */
  readonly remote: boolean;
}

/** The settings of a project file that take trust. `secretKeys` are the dotted names whose values are never shown. */
export function restrictedSettings(settings: Settings, secretKeys: ReadonlySet<string>): readonly RestrictedSetting[] {
  return partByTrust(settings).restricted.map((key) => {
    const value = settings.get(key)?.value;
    return { key, value: secretKeys.has(key) && value !== '' ? '***' : maskSecrets(value), remote: pointsAway(value) };
  });
}

function isAllowed(name: string): boolean {
  return Object.hasOwn(ALLOWED_UNTRUSTED, name);
}

function pointsAway(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isLoopback(value.trim());
  return typeof value === 'object' && value !== null && Object.values(value).some(pointsAway);
}

/** Whether the host of an address is this machine: `localhost`, 127.0.0.0/8 or ::1, the latter two in any spelling. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/\.$/, '').toLowerCase();
  if (host === 'localhost') return true;
  const ipv6 = /^\[(.+)\]$/.exec(host)?.[1];
  return ipv6 === undefined ? LOOPBACK.check(host, 'ipv4') : LOOPBACK.check(ipv6, 'ipv6');
}

/** A `BlockList` reads addresses as the operating system does, IPv4 addresses mapped into IPv6 included. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
