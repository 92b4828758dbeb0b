import { absent, checkOf, fine } from './outcome.ts';

/** Which optional parts are installed, and the commands for the others. */
export const checkParts = checkOf('optional_parts', ({ parts = [] }) => {
  const missing = parts.filter((part) => !part.isPresent());
  if (missing.length === 0) return fine(parts.map(({ name }) => name).join(', '));
  return absent(
    `not installed: ${missing.map(({ name, summary }) => `${name} (${summary})`).join(', ')}`,
    missing.map(({ name }) => `\`kebab plugin install ${name}\``).join(', '),
  );
});
