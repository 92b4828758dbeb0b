import { camelCase, type Field, type Members, type Section } from '../schema/field.ts';
import type { PluginSection } from '../schema/plugin-section.ts';
import { CORE_KEYS } from './keys.ts';

/** A key with its names. */
export interface FlatKey {
  /** Dotted, as in the documentation: `models.llm.context_tokens`. */
  readonly name: string;
  readonly key: Field;
  /** Its path in the resolved configuration: `['models', 'llm', 'contextTokens']`. */
  readonly steps: readonly string[];
}

/** A table with its name. */
export interface FlatSection {
  readonly name: string;
  readonly section: Section;
}

/** Every key of this kebab: its own, and those of its plugins. */
export interface KeyTable {
  readonly members: Members;
  /** In table order. */
  readonly keys: readonly FlatKey[];
  /** Named plugins that cannot be read, each with its reason: undeclared keys may belong to them. */
  readonly unread?: readonly string[] | undefined;
}

/**
 * Inserts the sections of plugins into kebab's own keys, or into a wider table, at the positions their names specify. Throws for a name that
 * is taken, or has no enclosing table.
 */
export function keyTableWith(sections: readonly PluginSection[], among: Members = CORE_KEYS): KeyTable {
  const members = sections.reduce<Members>(
    (table, section) => inserted(table, section.name.split('.'), section),
    among,
  );
  return { members, keys: [...flatten(members, '', [])] };
}

/** Every table, outer before inner. */
export function sectionsIn({ members }: KeyTable): readonly FlatSection[] {
  return [...sectionsOf(members, '')];
}

/** The environment variable of a key or table: `KEBAB_MODELS_LLM_CONTEXT_TOKENS`. */
export function variableOf(name: string): string {
  return `KEBAB_${name.replaceAll('.', '_').toUpperCase()}`;
}

/** The values of a plugin's section in a resolved configuration. */
export function valuesOf({ name }: PluginSection, config: object): unknown {
  return name
    .split('.')
    .reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[camelCase(step)], config);
}

function inserted(members: Members, [step = '', ...rest]: readonly string[], section: PluginSection): Members {
  if (rest.length > 0) {
    const outer = members[step];
    if (outer?.kind !== 'section') throw new TypeError(`there is no table ${step} for the section ${section.name}`);
    return { ...members, [step]: { ...outer, members: inserted(outer.members, rest, section) } };
  }
  if (Object.hasOwn(members, step)) throw new TypeError(`two plugins declare the section ${section.name}`);
  const names = Object.keys(members);
  const at = names.indexOf(section.after ?? '') + 1 || names.length;
  const entries = Object.entries(members);
  const node: Section = { kind: 'section', doc: section.doc, members: section.keys };
  return Object.fromEntries([...entries.slice(0, at), [step, node], ...entries.slice(at)]);
}

function* flatten(members: Members, prefix: string, steps: readonly string[]): Generator<FlatKey> {
  for (const member of Object.keys(members)) {
    const node = members[member] as Field | Section;
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
