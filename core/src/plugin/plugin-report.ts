import type { PluginKind } from './contributions.ts';
import type { PluginPermissions } from './define-plugin.ts';
import type { PluginOrigin } from './trust-policy.ts';

/** How a plugin stands: running, switched off, made for another kebab, broken, or named by a file that is not trusted. */
export type PluginState = 'active' | 'disabled' | 'incompatible' | 'failed' | 'untrusted';

/** What is known of one plugin. */
export interface PluginReport {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  readonly kinds: readonly PluginKind[];
  readonly permissions: PluginPermissions;
  readonly state: PluginState;
  readonly reason: string | null;
  readonly origin: PluginOrigin;
}
