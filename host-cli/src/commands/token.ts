import { printable, type TokenReport } from '@kebab/core/app';
import { reporting } from '../command/reporting.ts';
import type { Screen } from '../screen/screen.ts';

const DEFAULT_SCOPES = ['read', 'ask'];

/** `kebab token create`: the secret goes to standard output alone, for a pipe; what it is for is a note. */
export const createToken = reporting((app, { values }) => {
  const scopes = values.all('scope') ?? [];
  return app.tokens({
    kind: 'create',
    name: values.arg('NAME'),
    scopes: scopes.length === 0 ? DEFAULT_SCOPES : scopes,
    principals: values.all('principal') ?? [],
    expires: values.text('expires'),
  });
}, renderCreated);

/** `kebab token list`. */
export const listTokens = reporting((app) => app.tokens({ kind: 'list' }), renderTokens);

/** `kebab token revoke`. */
export const revokeToken = reporting(
  (app, { values }) => app.tokens({ kind: 'revoke', name: values.arg('NAME') }),
  ({ tokens }) => tokens.map(({ name }) => `revoked ${printable(name)}\n`).join(''),
);

function renderCreated({ token = '', tokens }: TokenReport, screen: Screen): string {
  return `${printable(token)}\n\n${renderTokens({ tokens }, screen)}${screen.colors.dim('this token is not shown again')}\n`;
}

function renderTokens({ tokens }: Pick<TokenReport, 'tokens'>, { colors }: Screen): string {
  if (tokens.length === 0) return 'no tokens\n';
  const columns = Math.max(...tokens.map(({ name }) => name.length));
  return tokens
    .map(({ name, scopes, principals, expires_at: end, is_expired: isExpired }) => {
      const until = end === null ? 'does not expire' : `${isExpired ? 'expired' : 'expires'} ${end.slice(0, 10)}`;
      const parts = [name.padEnd(columns), scopes.join(',') || 'no scope', until, principals.join(' ')];
      const line = parts.map(printable).join('  ').trimEnd();
      return `${isExpired ? colors.dim(line) : line}\n`;
    })
    .join('');
}
