import type { ResolvedConfig } from '../config/resolved-config.ts';
import { maskAddresses } from '../schema/mask-secrets.ts';
import type { Ports } from '../ports.ts';

/**
 * The configured URL of the model that answers questions, without credentials; null for a plugin's model, which connects to the hosts the
 * plugin declares, whatever URL is configured.
 */
export function chatEndpoint(
  { models: { llm } }: Pick<ResolvedConfig, 'models'>,
  languageModels: Pick<Ports['languageModels'], 'names'>,
): string | null {
  const name = languageModels.names().find(({ id }) => id === llm.provider);
  return name?.policy.fetch === 'declared-hosts' ? null : maskAddresses(llm.endpoint);
}
