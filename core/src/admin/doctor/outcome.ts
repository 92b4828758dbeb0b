import type { ConfigResolution } from '../../config/resolve-config.ts';
import { isAbort } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { PluginReport } from '../../plugin/find-plugins.ts';
import type { Ports } from '../../ports.ts';
import type { DoctorCheck } from '../../wire/index.ts';
import type { OptionalPart } from '../installing/plugin-folder.ts';

/** The outcome of a check: fine, with a detail; absent but optional, with how to get it; or failed, with the remedy. */
export type Outcome =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: true; readonly optional: true; readonly detail: string; readonly hint: string }
  | { readonly ok: false; readonly detail: string; readonly hint: string };

/** Everything is as it should be. */
export function fine(detail: string): Outcome {
  return { ok: true, detail };
}

/** An optional part is absent; `hint` says how to get it. */
export function absent(detail: string, hint: string): Outcome {
  return { ok: true, optional: true, detail, hint };
}

/** Something is wrong; `hint` names a command or a key. */
export function failed(detail: string, hint: string): Outcome {
  return { ok: false, detail, hint };
}

/** Creates a check from a function that returns an outcome; an error it throws is a failure with the error's message and hint. */
export function checkOf(
  name: string | ((context: DoctorContext) => string),
  find: (context: DoctorContext) => Outcome | Promise<Outcome>,
): Check {
  return async (context): Promise<DoctorCheck> => {
    const label = typeof name === 'string' ? name : name(context);
    try {
      return { name: label, ...(await find(context)) };
    } catch (error) {
      if (isCancelled(error)) throw error;
      return { name: label, ...failureOf(error) };
    }
  };
}

/**
 * The outcome for a stage that search can do without. Unless a key of its `section` is set, a problem counts as an absence and not as a
 * failure.
 */
export async function optionalUnlessSet(
  { resolution: { origins } }: DoctorContext,
  section: string,
  find: () => Promise<Outcome>,
): Promise<Outcome> {
  const isSet = [...origins].some(([key, { origin }]) => key.startsWith(`${section}.`) && origin !== 'default');
  if (isSet) return find();
  const outcome = await find().catch((error: unknown) => {
    if (isCancelled(error)) throw error;
    return failureOf(error);
  });
  return outcome.ok ? outcome : absent(outcome.detail, outcome.hint);
}

/**
 * The outcome for a configured stage that no active plugin provides. A default value was not requested explicitly, so that is not a
 * failure.
 */
export function unavailable(context: DoctorContext, key: string, value: string): Outcome {
  const isConfigured = (context.resolution.origins.get(key)?.origin ?? 'default') !== 'default';
  if (!isConfigured) return fine('not available in this build');
  return failed(`${key} is "${value}", which no active plugin provides`, 'see `kebab plugin list`');
}

function isCancelled(error: unknown): boolean {
  return isAbort(error) || isKebabError(error, 'cancelled');
}

function failureOf(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  return failed(message, isKebabError(error) ? error.hint : 'run `kebab doctor --verbose`');
}

/** The ports of the checks. */
type DoctorPorts = Pick<Ports, 'documents' | 'extractors' | 'embedders' | 'vectorStores' | 'languageModels'>;

/** The inputs of the checks. */
export interface DoctorContext {
  readonly resolution: Pick<ConfigResolution, 'config' | 'origins' | 'files' | 'notices' | 'failure'>;
  readonly ports: DoctorPorts;
  /** The optional parts of kebab, according to its host. */
  readonly parts?: readonly OptionalPart[];
  /** The state of every plugin. */
  readonly plugins: () => readonly PluginReport[];
  /** Whether to read every text and every block of the database. */
  readonly deep?: boolean | undefined;
}

/** One check. It never throws: it reports what goes wrong. */
export type Check = (context: DoctorContext) => Promise<DoctorCheck>;
