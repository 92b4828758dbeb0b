import { throwIfCancelled } from '../errors/abort.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { Doctor, DoctorCheck } from '../wire/index.ts';
import {
  checkConfigLoaded,
  checkConfigTrusted,
  checkDataDir,
  checkEmbeddings,
  checkEmbeddingModel,
  checkLlm,
  checkLlmModel,
  checkPlugins,
  checkSourceRoots,
  checkSqlite,
  checkVectorStore,
  checkSecrets,
  checkParts,
} from './doctor/checks.ts';
import type { Check, DoctorContext } from './doctor/outcome.ts';

/** The checks, in the order in which they are told. */
export const CHECKS: readonly Check[] = [
  checkConfigLoaded,
  checkConfigTrusted,
  checkDataDir,
  checkSqlite,
  checkVectorStore,
  checkEmbeddingModel,
  checkEmbeddings,
  checkLlm,
  checkLlmModel,
  checkSourceRoots,
  checkSecrets,
  checkPlugins,
];

/**
 * Looks at everything kebab depends on and changes nothing. Every check runs, whatever the others find; one that throws
 * has failed with what it threw. A stage that is switched off, or that no installed plugin provides and no one asked for,
 * is healthy and says so; one that the configuration asks for and no one provides is not.
 */
export async function diagnose(context: DoctorContext, options: AbortOptions = {}): Promise<Doctor> {
  const checks: DoctorCheck[] = [];
  for (const check of CHECKS) {
    throwIfCancelled(options.signal, 'doctor');
    checks.push(await check(context));
  }
  if ((context.parts?.length ?? 0) > 0) checks.push(await checkParts(context));
  return { schema_version: 'doctor.v1', ok: checks.every(({ ok }) => ok), checks };
}
