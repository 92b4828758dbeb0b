import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, nearestName, printable, type WireObjects } from '@kebab/core/app';
import {
  NameError,
  TEMPLATE_KINDS,
  generatePlugin,
  parsePluginName,
  type PluginName,
  type TemplateKind,
} from 'create-kebab-plugin';
import type { CommandContext } from '../command/command-context.ts';

/** `kebab plugin new`: a working plugin, in a new folder in the current one. */
export async function pluginNew(context: CommandContext): Promise<void> {
  const kind = kindOf(context.values.text('kind'));
  const typed = context.values.arg('NAME');
  const { folder } = nameOf(typed);
  const target = context.absolute(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw invalidInput(`${target} already exists and is not empty`, {
      field: 'NAME',
      value: typed,
      hint: 'choose another name, or move that folder away',
    });
  const { packageName, created } = generatePlugin({ name: typed, kind, parent: path.dirname(target) });
  const report: WireObjects['plugin_new'] = { schema_version: 'plugin_new.v1', name: packageName, kind, created };
  context.show(report, renderCreated);
}

function kindOf(typed: string | undefined): TemplateKind {
  const kind = TEMPLATE_KINDS.find((one) => one === typed);
  if (kind !== undefined) return kind;
  if (typed === undefined)
    throw invalidInput(`plugin new needs --kind, one of ${TEMPLATE_KINDS.join(', ')}`, {
      field: '--kind',
      allowed: TEMPLATE_KINDS,
    });
  throw invalidInput(
    `"${typed}" is not a kind of plugin that can be created: the kinds are ${TEMPLATE_KINDS.join(', ')}`,
    {
      field: '--kind',
      value: typed,
      suggestion: nearestName(typed, TEMPLATE_KINDS),
      allowed: TEMPLATE_KINDS,
    },
  );
}

function nameOf(typed: string): PluginName {
  try {
    return parsePluginName(typed);
  } catch (error) {
    if (error instanceof NameError) throw invalidInput(error.message, { field: 'NAME', value: typed });
    throw error;
  }
}

/** The files that were created, and what comes next. */
function renderCreated({ created }: WireObjects['plugin_new']): string {
  const folder = created[0]?.split('/', 1)[0] ?? '.';
  const next = [`cd ${printable(folder)}`, 'npm install', 'npm test', 'kebab plugin test .'];
  return `${[...created.map(printable), '', 'next:', ...next.map((line) => `  ${line}`)].join('\n')}\n`;
}
