import type { S3Config } from '../src/s3-config.ts';
import type { FakeS3 } from './fake-s3.ts';

process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

/** The configuration for a double. */
export function configFor({ url }: Pick<FakeS3, 'url'>, timeoutMs = 5000): S3Config {
  return { endpoint: url, region: 'us-east-1', pathStyle: true, timeoutMs };
}
