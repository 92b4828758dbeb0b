import { readRegularText } from '../../files/read-regular-file.ts';
import { RulesHere } from './ignore-rules.ts';

const MAX_BYTES = 1_048_576;
const MAX_LINE = 4096;

/**
 * Reads an ignore file; its rules are relative to the directory that it lies in. Throws when it cannot be read, is larger than
 * 1 MiB, or has a line of more than 4,096 characters: whoever writes such a file does not mean rules.
 */
export function readIgnoreFile(file: string): RulesHere {
  const text = readRegularText(file, { maxBytes: MAX_BYTES });
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).normalize('NFC').split('\n');
  const long = lines.findIndex(({ length }) => length > MAX_LINE);
  if (long !== -1)
    throw new Error(
      `line ${long + 1} has ${lines[long]?.length} characters, more than the ${MAX_LINE} that a rule may have`,
    );
  return RulesHere.of(lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
}
