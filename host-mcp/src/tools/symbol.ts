import { printable, SYMBOL, symbolLines, type SymbolResult } from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

/** `symbol`: where code declares or uses a name. */
export const symbol: KebabTool<typeof SYMBOL> = {
  name: 'symbol',
  title: 'Find a definition or references',
  description:
    'Finds the definition of a function, class, method, constant, enum member, table entry or test by its name, or its references (callers, usages, imports) by the unit around them, definitions marked. Answers path:line:text.',
  input: SYMBOL,
  outputs: ['symbol_result'],
  writes: false,
  textOf: (answer) =>
    symbolLines(answer as SymbolResult)
      .map(printable)
      .join('\n'),
  run: (args, { app, settings, signal }) =>
    app.findSymbol({ ...args, max_tokens: settings.defaultMaxTokens }, { signal }),
};
