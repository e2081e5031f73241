/**
 * The statements that the service sends, with their values, recorded where the driver sends them.
 */
import type pg from 'pg';
import type { Database } from '../../src/db/index.ts';

export interface Statement {
  /** The name of a prepared one. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Recorder {
  /** The statements that were sent while `work` ran. */
  during(work: () => Promise<unknown>): Promise<Statement[]>;
}

const CONTROL = /^(begin|savepoint|release|listen)\b/i;

function readStatement(config: unknown, values: unknown): Statement | undefined {
  const isConfig = typeof config === 'object' && config !== null && 'text' in config;
  const text = isConfig ? String(config.text) : String(config);
  if (CONTROL.test(text)) return undefined;
  const name =
    isConfig && 'name' in config && typeof config.name === 'string' ? config.name : undefined;
  const given = isConfig && 'values' in config ? config.values : values;
  return { name, text, values: Array.isArray(given) ? given : [] };
}

/** Install it before the pool opens the connections to be recorded. */
export function recordStatements(database: Database): Recorder {
  let sink: Statement[] | undefined;
  const seen = new WeakSet<pg.PoolClient>();
  database.pool.on('acquire', (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    const send = client.query.bind(client) as (...given: unknown[]) => unknown;
    const query = (...given: unknown[]): unknown => {
      const statement = sink && readStatement(given[0], given[1]);
      if (statement) sink?.push(statement);
      return send(...given);
    };
    Object.assign(client, { query });
  });
  return {
    async during(work) {
      const statements: Statement[] = [];
      sink = statements;
      try {
        await work();
      } finally {
        sink = undefined;
      }
      return statements;
    },
  };
}
