import type { ResolvedConfig } from '../config/resolved-config.ts';
import { maskAddresses } from '../settings/mask-secrets.ts';
import type { Ports } from '../ports.ts';

/**
 * The configured address of the model that answers questions, without credentials; null for one of a plugin that reaches the hosts
 * it declares, whatever address is configured.
 */
export function chatEndpoint(
  { models: { llm } }: Pick<ResolvedConfig, 'models'>,
  languageModels: Pick<Ports['languageModels'], 'names'>,
): string | null {
  const name = languageModels.names().find(({ id }) => id === llm.provider);
  return name?.policy.fetch === 'declared-hosts' ? null : maskAddresses(llm.endpoint);
}
