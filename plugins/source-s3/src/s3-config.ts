import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** The server that keeps the buckets. */
export interface S3Config {
  /** Empty for Amazon's. */
  readonly endpoint: string;
  readonly region: string;
  /** Whether the bucket is part of the path instead of the host name. */
  readonly pathStyle: boolean;
  /** How long a request may go without an answer, or an answer without its next bytes. */
  readonly timeoutMs: number;
}

/** Validates the configuration without a schema library. */
export const s3ConfigSchema: StandardSchema<S3Config> = checkedConfig<S3Config>({
  checks: { endpoint: checks.text, region: checks.name, pathStyle: checks.flag, timeoutMs: checks.count },
  defaults: { endpoint: '', region: 'us-east-1', pathStyle: false, timeoutMs: 60_000 },
});
