import { invalidInput, nearestName } from '@kebab/core/app';

/** What the command line of the server says. */
export interface ServerOptions {
  readonly config: string | undefined;
  readonly readonly: boolean;
}

const KNOWN = ['--config', '--readonly'];

/** Reads `[--config PATH] [--readonly]`; `KEBAB_READONLY=1` says the same. Throws `invalid_input`. */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServerOptions {
  let config: string | undefined;
  let readonly = /^(1|true|yes|on)$/i.test(env['KEBAB_READONLY'] ?? '');
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--readonly') readonly = true;
    else if (word === '--config' && argv[at + 1] !== undefined) config = argv[++at];
    else
      throw invalidInput(`kebab-mcp takes --config PATH and --readonly, not ${JSON.stringify(word)}`, {
        field: word,
        allowed: KNOWN,
        suggestion: nearestName(word, KNOWN),
      });
  }
  return { config, readonly };
}
