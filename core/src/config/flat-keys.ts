import type { ConfigKey, Members, Section } from './config-key.ts';
import { CONFIG_KEYS } from './keys.ts';

/** A key with its names. */
export interface FlatKey {
  /** Dotted, as in the documentation: `models.llm.context_tokens`. */
  readonly name: string;
  readonly key: ConfigKey;
  /** Where it stands in the resolved configuration: `['models', 'llm', 'contextTokens']`. */
  readonly steps: readonly string[];
}

/** A table with its name. */
export interface FlatSection {
  readonly name: string;
  readonly section: Section;
}

/** Every key, in the order of the table. */
export const FLAT_KEYS: readonly FlatKey[] = [...flatten(CONFIG_KEYS, '', [])];

/** Every table, outer before inner. */
export function flatSections(): readonly FlatSection[] {
  return [...sectionsOf(CONFIG_KEYS, '')];
}

/** The environment variable of a key or table: `KEBAB_MODELS_LLM_CONTEXT_TOKENS`. */
export function variableOf(name: string): string {
  return `KEBAB_${name.replaceAll('.', '_').toUpperCase()}`;
}

function* flatten(members: Members, prefix: string, steps: readonly string[]): Generator<FlatKey> {
  for (const member of Object.keys(members)) {
    const node = members[member] as ConfigKey | Section;
    const name = prefix + member;
    const path = [...steps, camelCase(member)];
    if (node.kind === 'section') yield* flatten(node.members, `${name}.`, path);
    else yield { name, key: node, steps: path };
  }
}

function* sectionsOf(members: Members, prefix: string): Generator<FlatSection> {
  for (const [member, node] of Object.entries(members)) {
    if (node.kind !== 'section') continue;
    yield { name: prefix + member, section: node };
    yield* sectionsOf(node.members, `${prefix}${member}.`);
  }
}

/** `max_chunk_tokens` as `maxChunkTokens`. */
function camelCase(name: string): string {
  const [head = '', ...tail] = name.split('_');
  return tail.reduce((joined, word) => joined + word.charAt(0).toUpperCase() + word.slice(1), head);
}
