/** The calling device: the one that its token was registered for. */
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

/**
 * Finds the device of a token, and caches it: a token serves one device for all its life, and a
 * revocation of the device revokes the token. A token that was issued for a node, but never
 * registered it, is not cached.
 */
export class CallingDevices {
  readonly #db: Db;
  readonly #cache = new Map<string, CallingDevice>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @param nodeId the node of the request's path
   * @throws `not_found`, `token_not_bound`, `token_bound_elsewhere`, `device_disconnected`,
   * `device_deleted`
   */
  async find(principal: Principal, nodeId?: string): Promise<CallingDevice> {
    const { userId, jti } = principal;
    if (userId === undefined) throw failure('wrong_token_kind');
    const device = this.#cache.get(jti) ?? (await this.#lookUp(principal, userId, nodeId));
    if (this.#cache.size >= CACHE_MAX) this.#cache.clear();
    this.#cache.set(jti, device);
    if (nodeId !== undefined && nodeId !== device.nodeId) throw failure('token_bound_elsewhere');
    return device;
  }

  async #lookUp(principal: Principal, userId: number, nodeId?: string): Promise<CallingDevice> {
    const bound = await findBoundDevice(this.#db, principal);
    if (bound?.user_id === userId) {
      if (bound.revoked_as === 'deleted') throw failure('device_deleted');
      if (bound.revoked_as === 'disconnected') throw failure('device_disconnected');
      return { deviceId: bound.device_id, nodeId: bound.node_id, userId };
    }
    if (nodeId !== undefined && !(await findOwnDevice(this.#db, userId, nodeId)))
      throw failure('not_found');
    throw failure('token_not_bound');
  }
}
