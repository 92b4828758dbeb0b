import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, nearestName, type WireObjects } from '@kebab/core/app';
import {
  NameError,
  TEMPLATE_KINDS,
  generatePlugin,
  parsePluginName,
  type PluginName,
  type TemplateKind,
} from 'create-kebab-plugin';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab plugin new`: a plugin that works, in a folder of its own below the current one. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const kind = kindOf(context.values.text('kind'));
  const typed = context.values.arg('NAME');
  const { folder } = nameOf(typed);
  const target = context.absolute(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw invalidInput(`${target} is there already, and not empty`, { field: 'NAME', value: typed });
  const { packageName, created } = generatePlugin({ name: typed, kind, parent: path.dirname(target) });
  const report: WireObjects['plugin_new'] = { schema_version: 'plugin_new.v1', name: packageName, kind, created };
  await context.show(report, async () => (await import('../render/plugin-new.ts')).renderPluginNew);
  return EXIT.ok;
}

function kindOf(typed: string | undefined): TemplateKind {
  const kind = TEMPLATE_KINDS.find((one) => one === typed);
  if (kind !== undefined) return kind;
  const what =
    typed === undefined ? 'plugin new needs --kind KIND' : `"${typed}" is not a kind of plugin to begin with`;
  throw invalidInput(what, {
    field: '--kind',
    ...(typed === undefined ? {} : { value: typed, suggestion: nearestName(typed, TEMPLATE_KINDS) }),
    allowed: TEMPLATE_KINDS,
  });
}

function nameOf(typed: string): PluginName {
  try {
    return parsePluginName(typed);
  } catch (error) {
    if (error instanceof NameError) throw invalidInput(error.message, { field: 'NAME', value: typed });
    throw error;
  }
}
