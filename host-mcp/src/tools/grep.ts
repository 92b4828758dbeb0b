import { GREP, type GrepResult, printable } from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

/** `grep`: the lines of all files that match. */
export const grep: KebabTool<typeof GREP> = {
  name: 'grep',
  operation: 'grep',
  title: 'Find every line with a text',
  description:
    'Finds every line that contains a text or matches a regular expression, like `rg -n`, in all files of the sources, those not indexed too. Use it for exact names, messages, usages. Says which matching files it leaves out (hidden, ignored, binary).',
  input: GREP,
  outputs: ['grep_result'],
  textOf: (answer) => linesText(answer as GrepResult),
  run: (args, { app, settings, signal }) => app.grep(args, { maxTokens: settings.defaultMaxTokens, signal }),
};

/** The files that are left out, by the reason, which is the same for most. */
function leftOutLines(skipped: NonNullable<GrepResult['skipped']>): readonly string[] {
  const reasons = [...new Set(skipped.map(({ why }) => why))];
  return reasons.map((why) => {
    const paths = skipped.filter((file) => file.why === why).map(({ path }) => path);
    return printable(`left out (${why}): ${paths.join(', ')}`);
  });
}

/** The same as ripgrep prints it: `path:line:text`, `path-line-text` for context; a line that is cut has the column before its part. */
function linesText({ files, skipped = [], next_cursor: cursor, ...said }: GrepResult): string {
  const hasContext = files.some(({ lines }) => lines.some(({ is_context }) => is_context === true));
  const shown = files.flatMap(({ path, lines }, fileAt) =>
    lines.flatMap(({ line, text, column, is_context: isContext }, at) => {
      const mark = isContext === true ? '-' : ':';
      const before = lines[at - 1]?.line;
      const isApart = hasContext && (before === undefined ? fileAt > 0 : line > before + 1);
      const where = [printable(path), line, ...(column === undefined ? [] : [column])].join(mark);
      return [...(isApart ? ['--'] : []), `${where}${mark}${text}`];
    }),
  );
  const total = said.skipped_total ?? 0;
  return [
    ...(files.length === 0 ? ['No line matches.'] : shown),
    ...leftOutLines(skipped),
    ...(total > skipped.length ? [`left out: ${total - skipped.length} more files`] : []),
    ...(said.is_skipped_partial === true ? ['left out: perhaps more hidden or ignored files'] : []),
    ...(cursor === null ? [] : [`next_cursor: ${cursor}`]),
  ].join('\n');
}
