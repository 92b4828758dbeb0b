import type { PluginContext } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabase } from './database/open-database.ts';
import type { StoreConfig } from './store-config.ts';

const connections = new WeakMap<PluginContext<StoreConfig>, Promise<Connection>>();

/** Returns the connection shared by all components of one context. A failed attempt is not cached. */
export function openStore(context: PluginContext<StoreConfig>): Promise<Connection> {
  let connection = connections.get(context);
  if (connection === undefined) {
    const { config, clock } = context;
    connection = openDatabase({ file: config.file, readonly: config.readonly, now: () => clock.now() });
    connections.set(context, connection);
    connection.catch(() => connections.delete(context));
  }
  return connection;
}
