/** Which device is calling: the one that its token is bound to, and no other. */
import type { Db } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { findBoundDevice } from './device-tokens.ts';
import { findOwnDevice } from './queries.ts';

const CACHE_MAX = 100_000;

export interface CallingDevice {
  readonly deviceId: number;
  readonly nodeId: string;
  readonly userId: number;
}

export interface CallingDevices {
  /** @throws `not_found`, `token_not_bound`, `token_bound_elsewhere`, `device_disconnected`, `device_deleted` */
  find(principal: Principal, nodeId?: string): Promise<CallingDevice>;
}

/** Remembers the ids of nodes: they never change, so that a beat costs no query. */
export function createCallingDevices(db: Db): CallingDevices {
  const ids = new Map<string, number>();

  async function lookUp(userId: number, nodeId: string): Promise<number> {
    const row = await findOwnDevice(db, userId, nodeId);
    if (!row) throw failure('not_found');
    if (row.cut === 'deleted') throw failure('device_deleted');
    if (row.cut === 'disconnected') throw failure('device_disconnected');
    if (ids.size >= CACHE_MAX) ids.clear();
    ids.set(`${userId} ${nodeId}`, row.id);
    return row.id;
  }

  /** The token is not known to be bound: perhaps it was a moment ago. */
  async function boundNode(principal: Principal, userId: number, asked: string | undefined): Promise<string> {
    const bound = await findBoundDevice(db, principal);
    if (bound) {
      if (asked !== undefined && asked !== bound.node_id) throw failure('token_bound_elsewhere');
      return bound.node_id;
    }
    if (asked !== undefined) await lookUp(userId, asked);
    throw failure('token_not_bound');
  }

  return {
    async find(principal, asked) {
      const { userId } = principal;
      if (userId === undefined) throw failure('wrong_token_kind');
      const nodeId = principal.nodeId ?? (await boundNode(principal, userId, asked));
      return { deviceId: ids.get(`${userId} ${nodeId}`) ?? (await lookUp(userId, nodeId)), nodeId, userId };
    },
  };
}
