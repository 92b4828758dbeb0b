import type { QdrantConnection } from './qdrant-connection.ts';
import { unreachable } from './qdrant-failure.ts';

/** The first version with the query call that searches are made with. */
const OLDEST = '1.10.0';

/** Throws `vector_store_unreachable` when a server is no Qdrant, or one that is too old. */
export async function checkVersion(connection: QdrantConnection): Promise<void> {
  const version = await connection.ask('asking for the version', async (api, init) => {
    const { data } = (await api.root({}, init)) as { readonly data: unknown };
    return typeof data === 'object' && data !== null ? (data as { readonly version?: unknown }).version : undefined;
  });
  if (typeof version !== 'string')
    throw unreachable(connection.endpoint, 'what answers there is not Qdrant', { hint: 'correct storage.qdrant.url' });
  if (isOlder(version, OLDEST))
    throw unreachable(connection.endpoint, `its version is ${version}, kebab needs ${OLDEST} or newer`, {
      hint: 'run a newer server: `docker compose up -d` with the docker-compose.yml of kebab',
    });
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = than.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
