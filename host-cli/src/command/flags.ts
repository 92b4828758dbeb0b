import type { FlagSpec } from './command-spec.ts';

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: 'config', kind: 'string', value: 'PATH', summary: 'use this configuration file and no other' },
  { name: 'json', kind: 'boolean', summary: 'print wire objects as JSON on stdout, errors as JSON on stderr' },
  { name: 'verbose', kind: 'boolean', summary: 'show the chain of causes of an error' },
  { name: 'debug', kind: 'boolean', summary: 'write the log to stderr (also KEBAB_LOG=debug)' },
  { name: 'quiet', kind: 'boolean', summary: 'no progress, no notices' },
  { name: 'readonly', kind: 'boolean', summary: 'refuse everything that writes (also KEBAB_READONLY=1)' },
  { name: 'plugin', kind: 'string', value: 'PATH', repeats: true, summary: 'use this plugin for one run' },
  { name: 'schema-version', kind: 'string', value: 'V', summary: 'wire version of --json; v1 is the only one' },
  { name: 'help', short: 'h', kind: 'boolean', summary: 'show help' },
  { name: 'version', kind: 'boolean', summary: 'show the version' },
];

/** Opens encrypted PDF files. */
export const PDF_PASSWORD: FlagSpec = {
  name: 'pdf-password',
  kind: 'string',
  value: 'P',
  summary: 'password of encrypted PDF files; KEBAB_PDF_PASSWORD keeps it out of the process list',
};

/** The golden suite of `eval run` when neither `--suite` nor `KEBAB_EVAL_GOLDEN` names one. */
export const DEFAULT_SUITE = 'fixtures/golden_queries.yaml';
