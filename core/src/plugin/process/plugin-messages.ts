import type { Access } from '../components.ts';
import type { GivenSettings } from '../define-plugin.ts';
import type { ProxySettings } from '../proxy-settings.ts';
import type { PluginManifest } from '../read-manifest.ts';
import type { Outcome } from './channel.ts';
import type { RemoteKind } from './contract-members.ts';
import type { ProcessStart } from './process-program.ts';
import type { SentArgument } from './sent-arguments.ts';

/** The start parameters of a plugin process. */
export interface PluginStart extends ProcessStart {
  /** The name of the plugin when there is no manifest. */
  readonly specifier: string;
  /** The declarations in its package.json; null for a single file, which declares them in its code. */
  readonly manifest: PluginManifest | null;
  readonly moduleUrl: string;
  /** Its raw configuration. */
  readonly config: unknown;
  readonly tmpDir: string;
  /** The folder in which it may keep files of its own; undefined where it may not. */
  readonly dataDir: string | undefined;
  /** The folder of its derivation cache, which the process only reads. */
  readonly cacheDir: string;
  readonly proxies: ProxySettings | undefined;
}

/** Identifies the context of a contribution: one per access, and one per language model with another model name. */
export interface ContextKey {
  readonly access: Access;
  readonly model: string | null;
}

/** A requested contribution. */
export interface RemoteWish extends ContextKey {
  readonly kind: RemoteKind;
  readonly id: string;
}

/** A request to a plugin process. */
export type PluginRequest =
  /** Answered with {@link LoadedFacts}. */
  | { readonly kind: 'load' }
  | { readonly kind: 'configure'; readonly context: ContextKey; readonly settings: GivenSettings }
  /** Answered with a {@link MadeContribution}. */
  | { readonly kind: 'create'; readonly wish: RemoteWish }
  /** A method of a contribution, answered with its result or its stream. Its data members are the event `state`. */
  | {
      readonly kind: 'call';
      readonly handle: number;
      readonly method: string;
      readonly args: readonly SentArgument[];
    };

/** The declarations that the code of a plugin makes. */
export type LoadedFacts = Pick<PluginManifest, 'name' | 'version' | 'apiVersion' | 'contributes' | 'permissions'>;

/** A contribution that was created in the plugin process. */
export interface MadeContribution {
  readonly handle: number;
  /** The names of its methods. */
  readonly methods: readonly string[];
  readonly state: RemoteState;
  /** Its answers for each medium, by method; empty for all kinds but extractors. */
  readonly ofMedia: Readonly<Record<string, ReadonlyMap<string, Outcome>>>;
}

/** The data members of a contribution. */
export type RemoteState = Readonly<Record<string, unknown>>;
