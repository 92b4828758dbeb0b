import type { PluginContext } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabase } from './database/open-database.ts';
import type { StoreConfig } from './store-config.ts';

const connections = new WeakMap<PluginContext<StoreConfig>, Promise<Connection>>();

/** The one connection of everything that is made from one context. An attempt that failed is not remembered. */
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
