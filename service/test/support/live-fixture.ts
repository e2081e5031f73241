/**
 * An instance with live connections, and devices that are registered with it.
 */
import { type Database, transaction } from '../../src/db/index.ts';
import { createSession } from '../../src/identity/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { startDeviceNode } from './device-node.ts';
import { asPerson, bearer } from './test-server.ts';

const HOUR_MS = 3_600_000;

export interface LiveDevice {
  readonly nodeId: string;
  readonly headers: { readonly authorization: string };
  readonly sid: string;
}

export type LiveLab = Awaited<ReturnType<typeof openLiveLab>>;

export async function openLiveLab(engine: Engine, overrides: Record<string, string> = {}) {
  const database: Database = await openTestDatabase(engine);
  const node = await startDeviceNode(database, overrides);
  let count = 0;
  const person = (userId: number) => asPerson(userId, 'devices:read', 'devices:write');

  return {
    database,
    node,
    /** Headers of the owner. */
    person,
    /** A registered device with its token. */
    async newDevice(
      userId: number,
      { expiresAt = new Date(Date.now() + HOUR_MS) } = {},
    ): Promise<LiveDevice> {
      const nodeId = `live-${++count}`;
      const sid = newId();
      const session = { sid, userId, amr: ['pwd'], authTime: new Date(), expiresAt };
      await transaction(database, (tx) =>
        createSession(tx, { ...session, ip: '127.0.0.1', userAgent: 'test' }),
      );
      const headers = bearer({
        userId,
        tokenUse: 'device',
        scopes: ['device:connect'],
        jti: `${engine}-${nodeId}`,
        sid,
        expiresAt,
      });
      const answer = await node.app.inject({
        method: 'PUT',
        url: `/me/devices/${nodeId}`,
        headers,
        payload: { device_type: 'EXTENSION' },
      });
      if (answer.statusCode !== 200)
        throw new Error(`the device was not registered: ${answer.body}`);
      return { nodeId, headers, sid };
    },
    /** The owner's only device, from the API. */
    statusOf: async (userId: number) =>
      (await node.app.inject({ url: '/me/devices', headers: person(userId) })).json().devices[0],
    async close() {
      await node.stop();
      await database.close();
    },
  };
}
