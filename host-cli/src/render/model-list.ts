import type { ModelList } from '@kebab/core/app';
import { bytesText } from './measures.ts';
import type { Screen } from './screen.ts';
import { padWidth, textWidth } from './text-width.ts';

/** Models, a line each: whether it is here, what it is for, what provides it, and its size; configured ones with a star. */
export function renderModelList({ models }: ModelList, { colors }: Screen): string {
  if (models.length === 0) return 'no models\n';
  const width = Math.max(...models.map(({ id }) => textWidth(id)));
  const lines = models.map(({ id, role, provider, present, bytes, configured }) => {
    const mark = present ? colors.green('✓') : colors.dim('-');
    const size = bytes === null ? '' : bytesText(bytes);
    const columns = [padWidth(id, width), padWidth(role, 9), padWidth(provider, 12), size.padEnd(8)];
    return `${mark} ${columns.join('  ')}${configured ? '  * configured' : ''}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}
