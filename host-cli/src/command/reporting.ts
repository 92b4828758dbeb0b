import type { App, OpenAppOptions } from '@kebab/core/app';
import { EXIT } from '../exit-codes.ts';
import type { Screen } from '../screen/screen.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandRun } from './command-spec.ts';

/** A command that shows the result of one operation of the App: as JSON, or as text rendered by `render`. */
export function reporting<T extends object>(
  operation: (app: App, context: CommandContext) => Promise<T>,
  render: (result: T, screen: Screen) => string,
  how: Pick<OpenAppOptions, 'despiteConfig' | 'makesConfig'> = {},
): CommandRun {
  return async (context) => {
    const app = await context.openApp(how);
    context.show(await operation(app, context), render);
    return EXIT.ok;
  };
}
