import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ReadRule } from '../domain/read-rule.ts';

/** What a token allows: reading, asking the model, adding texts, everything. */
export const SCOPES = ['read', 'ask', 'ingest', 'admin'] as const;
/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Who sends a request with a token. */
export interface Caller {
  /** `user:ann`, or `token:NAME` for a token of nobody: whose conversations these are, and who is written into the audit log. */
  readonly id: string;
  /** Everyone in whose name documents may be read: `user:ann`, `group:staff`, `token:NAME`. */
  readonly principals: readonly string[];
  readonly scopes: readonly Scope[];
}

/** Readers in a rule that stand for every caller. */
const EVERYONE = 'everyone';
const PRINCIPAL = /^(?:user|group|token):\S.*$/u;

/** Whether a text names a principal, which a token may have. */
export function isPrincipal(text: string): boolean {
  return PRINCIPAL.test(text);
}

/** Whether a caller may use what needs a scope; `admin` includes all others. */
export function hasScope({ scopes }: Caller, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin');
}

/** The rules for a caller; null for one that may read everything: without any rule, and with the scope `admin`. */
export function readRulesFor(
  caller: Caller,
  { access: { rules } }: Pick<ResolvedConfig, 'access'>,
): readonly ReadRule[] | null {
  if (rules.length === 0 || hasScope(caller, 'admin')) return null;
  const own = new Set(caller.principals.map((principal) => principal.normalize('NFC')));
  const decided = rules.map(({ source, path, readers }): ReadRule => ({
    ...(source === '' ? {} : { source }),
    ...(path === '**' ? {} : { path }),
    isAllowed: readers.some((reader) => reader === EVERYONE || own.has(reader.normalize('NFC'))),
  }));
  return decided.slice(0, decided.findLastIndex(({ isAllowed }) => isAllowed) + 1);
}
