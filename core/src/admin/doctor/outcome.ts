import type { ConfigResolution } from '../../config/resolve-config.ts';
import { isAbort } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { PluginReport } from '../../plugin/find-plugins.ts';
import type { Ports } from '../../ports.ts';
import type { DoctorCheck } from '../../wire/index.ts';
import type { OptionalPart } from '../installing/plugin-folder.ts';

/** What a check found: fine, with a detail; absent and not asked for, with how to have it; or not fine, with what to do. */
export type Outcome =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: true; readonly optional: true; readonly detail: string; readonly hint: string }
  | { readonly ok: false; readonly detail: string; readonly hint: string };

/** Everything is as it should be. */
export function fine(detail: string): Outcome {
  return { ok: true, detail };
}

/** Something optional is not there; `hint` says how to have it. */
export function absent(detail: string, hint: string): Outcome {
  return { ok: true, optional: true, detail, hint };
}

/** Something is wrong; `hint` names a command or a key. */
export function failed(detail: string, hint: string): Outcome {
  return { ok: false, detail, hint };
}

/** A check out of a function that finds an outcome; what it throws is a failure with the message and hint of the error. */
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
 * What a stage is found to be that search works without. While no key is set of its `section`, what is wrong with
 * it is an absence and not a failure.
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
 * The outcome for a stage that the configuration names and no active plugin provides. What stands there was not asked for
 * by default, so that is no failure.
 */
export function unavailable(context: DoctorContext, key: string, value: string): Outcome {
  const asked = (context.resolution.origins.get(key)?.origin ?? 'default') !== 'default';
  if (!asked) return fine('not available in this build');
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

/** What the checks look at. */
export interface DoctorContext {
  readonly resolution: Pick<ConfigResolution, 'config' | 'origins' | 'files' | 'notices' | 'failure'>;
  readonly ports: DoctorPorts;
  /** What kebab can be completed with, as its host knows. */
  readonly parts?: readonly OptionalPart[];
  /** How every plugin stands now. */
  readonly plugins: () => readonly PluginReport[];
  /** Whether every text and every block of the database is read. */
  readonly deep?: boolean | undefined;
}

/** One check. It never throws: what goes wrong is what it reports. */
export type Check = (context: DoctorContext) => Promise<DoctorCheck>;
