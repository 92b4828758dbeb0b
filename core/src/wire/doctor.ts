import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { versionOf } from './scalars.ts';

const CheckSchema = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  hint: z.string().exactOptional().describe('what to do; only on a failure'),
});

/** One check of the doctor. */
export type DoctorCheck = DeepReadonly<z.infer<typeof CheckSchema>>;

/** The state of everything kebab depends on: doctor.v1. */
export const DoctorSchema = z
  .strictObject({
    schema_version: versionOf('doctor'),
    ok: z.boolean().describe('whether every check is ok'),
    checks: z.array(CheckSchema),
  })
  .refine((doctor) => doctor.ok === doctor.checks.every((check) => check.ok), {
    path: ['ok'],
    message: 'ok differs from what the checks say',
  });

/** The state of everything kebab depends on. */
export type Doctor = DeepReadonly<z.infer<typeof DoctorSchema>>;
