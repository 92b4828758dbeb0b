import { key, section } from '@kebab/core';

/** `[storage.qdrant]` in the configuration. */
export const qdrantSection = section('storage.qdrant', {
  doc: 'Used when vector_store is "qdrant".',
  keys: {
    url: key.url('http://127.0.0.1:6333', 'Address of the server.'),
    api_key: key.secret('', 'Key sent with every request; none when empty.'),
    collection_prefix: key.text(
      'kebab',
      'First part of the names of collections; another one for each knowledge base on a server.',
      /^[A-Za-z0-9_-]{1,64}$/,
    ),
    on_disk: key.bool(false, 'Whether the server keeps vectors on disk instead of in memory.'),
    quantization: key.oneOf(
      'none',
      ['none', 'int8'],
      'With int8, codes in memory find candidates and the vectors order them.',
    ),
    shard_number: key.int(null, { min: 1 }, "Shards of a collection in a cluster; the server's choice when unset."),
    replication_factor: key.int(null, { min: 1 }, "Copies of a shard in a cluster; the server's choice when unset."),
    timeout_s: key.int(30, { min: 1 }, 'Seconds one request may take.'),
  },
});
