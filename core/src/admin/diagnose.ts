import { throwIfCancelled } from '../errors/abort.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { Doctor, DoctorCheck } from '../wire/index.ts';
import { checkConfigLoaded, checkConfigTrusted } from './doctor/check-config-files.ts';
import { checkDataDir } from './doctor/check-data-dir.ts';
import { checkEmbeddings, checkEmbeddingModel } from './doctor/check-embeddings.ts';
import { checkLlm, checkLlmModel } from './doctor/check-llm.ts';
import { checkPlugins } from './doctor/check-plugins.ts';
import { checkSourceRoots } from './doctor/check-source-roots.ts';
import { checkSqlite } from './doctor/check-sqlite.ts';
import { checkVectorStore } from './doctor/check-vector-store.ts';
import type { Check, DoctorContext } from './doctor/doctor-context.ts';

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
  checkPlugins,
];

/**
 * Looks at everything kebab depends on and changes nothing. Every check runs, whatever the others find; one that throws
 * has failed with what it threw. A stage that is switched off, or that no installed plugin provides and nobody asked for,
 * is healthy and says so; one that the configuration asks for and nobody provides is not.
 */
export async function diagnose(context: DoctorContext, options: AbortOptions = {}): Promise<Doctor> {
  const checks: DoctorCheck[] = [];
  for (const check of CHECKS) {
    throwIfCancelled(options.signal, 'doctor');
    checks.push(await check(context));
  }
  return { schema_version: 'doctor.v1', ok: checks.every(({ ok }) => ok), checks };
}
