import { readRegularText } from '../../files/read-regular-file.ts';
import { RulesHere } from './ignore-rules.ts';

const MAX_BYTES = 1_048_576;
const MAX_LINE = 4096;
/** Of all ignore files from the root down to a directory: the rules of each stay in memory while what lies below is walked. */
const MAX_IN_FORCE = 8 * MAX_BYTES;

/**
 * Reads an ignore file; its rules are relative to the directory that it lies in. Throws when it cannot be read, is larger than
 * 1 MiB, or has a line of more than 4,096 characters: whoever writes such a file does not mean rules. `inForce` is how many
 * characters of rules there are already; with 8 MiB of them it throws as well.
 */
export function readIgnoreFile(file: string, inForce: number): RulesHere {
  const text = readRegularText(file, { maxBytes: MAX_BYTES });
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).normalize('NFC').split('\n');
  if (inForce + text.length > MAX_IN_FORCE)
    throw new Error(
      `the ignore files of the folders above have ${inForce} characters; all have at most ${MAX_IN_FORCE}`,
    );
  const long = lines.findIndex(({ length }) => length > MAX_LINE);
  if (long !== -1)
    throw new Error(
      `line ${long + 1} has ${lines[long]?.length} characters, more than the ${MAX_LINE} that a rule may have`,
    );
  return RulesHere.of(lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
}
