import type { Plugin } from '../plugin/define-plugin.ts';

const MARKED = /(<!-- settings:[^\n]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

/** What a schema says of one setting, as JSON Schema. */
interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
}

/** A schema that can write itself as JSON Schema, as zod 4 and others can. */
interface DescribingSchema {
  readonly '~standard': { readonly jsonSchema?: { input(options: { readonly target: string }): unknown } };
}

/**
 * The same page with the table of a plugin's settings between its markers, made from the plugin's own schema: name, default,
 * values and meaning of each. Throws for a page without markers and for a schema that cannot be written as JSON Schema.
 */
export function withSettings<Config>(page: string, plugin: Pick<Plugin<Config>, 'config'>): string {
  if (!MARKED.test(page)) throw new Error('the page lacks <!-- settings: … --> and <!-- /settings -->');
  const table = tableOf(propertiesOf(plugin.config as DescribingSchema | undefined));
  return page.replace(MARKED, (_match, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

function propertiesOf(schema: DescribingSchema | undefined): Readonly<Record<string, Property>> {
  if (schema === undefined) return {};
  const describe = schema['~standard'].jsonSchema;
  if (describe === undefined) throw new Error('its schema cannot be written as JSON Schema: zod from 4.2 on can');
  const { properties = {} } = describe.input({ target: 'draft-2020-12' }) as {
    readonly properties?: Readonly<Record<string, Property>>;
  };
  return properties;
}

function tableOf(properties: Readonly<Record<string, Property>>): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const given = property.default === undefined ? 'must be given' : `\`${JSON.stringify(property.default)}\``;
    const values = property.enum?.map((value) => JSON.stringify(value)).join(', ') ?? property.type ?? 'any';
    return `| \`${name}\` | ${given} | ${values} | ${(property.description ?? '').replaceAll('|', '\\|')} |`;
  });
  if (rows.length === 0) return 'There is nothing to set.';
  return ['| setting | default | values | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
