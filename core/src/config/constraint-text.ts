import type { ConfigKey } from '../settings/config-key.ts';

/** Says in a few words what values a key takes, beside what its type tells; empty when there is nothing to say. */
export function constraintText(key: ConfigKey): string {
  switch (key.kind) {
    case 'int':
    case 'number':
      return [boundsText(key.min, key.max), ...(key.default === null ? ['optional'] : [])].join(', ');
    case 'enum':
      return key.values.join(' | ');
    case 'text':
      return key.known.length > 0 ? [...key.known, 'id of a plugin'].join(' | ') : '';
    case 'bool':
    case 'url':
    case 'path':
    case 'texts':
    case 'paths':
    case 'free_table':
    case 'tables':
      return '';
    default:
      return key satisfies never;
  }
}

function boundsText(min: number, max: number | null): string {
  if (max === null) return `>= ${min}`;
  return min === max ? `${min}` : `${min} to ${max}`;
}
