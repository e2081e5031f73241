/** Which device is calling: the one that its token was registered for, and no other. */
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

/**
 * Remembers tokens, so that a beat costs no query: a token serves one device for all its life, and a cut revokes each
 * token that was registered. A token that was issued for a node, but never registered it, is no device's yet.
 */
export function createCallingDevices(db: Db): CallingDevices {
  const known = new Map<string, CallingDevice>();

  async function lookUp(
    principal: Principal,
    userId: number,
    asked: string | undefined,
  ): Promise<CallingDevice> {
    const bound = await findBoundDevice(db, principal);
    if (bound && bound.user_id === userId) {
      if (bound.cut === 'deleted') throw failure('device_deleted');
      if (bound.cut === 'disconnected') throw failure('device_disconnected');
      return { deviceId: bound.device_id, nodeId: bound.node_id, userId };
    }
    if (asked !== undefined && !(await findOwnDevice(db, userId, asked)))
      throw failure('not_found');
    throw failure('token_not_bound');
  }

  return {
    async find(principal, asked) {
      const { userId, jti } = principal;
      if (userId === undefined) throw failure('wrong_token_kind');
      const device = known.get(jti) ?? (await lookUp(principal, userId, asked));
      if (known.size >= CACHE_MAX) known.clear();
      known.set(jti, device);
      if (asked !== undefined && asked !== device.nodeId) throw failure('token_bound_elsewhere');
      return device;
    },
  };
}
