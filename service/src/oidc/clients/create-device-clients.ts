/**
 * The clients of the reference terminal and the browser extension. They are public, so their ids
 * prove nothing and each sign-in asks for consent. An operator may change or disable them: an
 * existing client is left as it is.
 */
import { type Db, isUniqueViolation } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failures.ts';
import { findClient } from './queries.ts';
import { type ClientFields, DEVICE_CODE } from './types.ts';
import { createClient } from './write-clients.ts';

const SCOPES = ['openid', 'offline_access', 'device:connect', 'devices:read'];

const DEVICE_CLIENTS: Readonly<Record<string, ClientFields>> = {
  'edge-terminal': {
    name: 'Edge Terminal',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: SCOPES,
    grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
    isFirstParty: false,
  },
  'edge-extension': {
    name: 'Edge Extension',
    redirectUris: ['http://127.0.0.1/edge-extension'],
    scopes: SCOPES,
    grantTypes: ['authorization_code', 'refresh_token'],
    isFirstParty: false,
  },
};

/** True when another process created the client at the same time. */
function isThere(error: unknown): boolean {
  return isUniqueViolation(error) || (error instanceof Failure && error.code === 'client_exists');
}

export async function createDeviceClients(db: Db, clock: Clock): Promise<void> {
  for (const [clientId, fields] of Object.entries(DEVICE_CLIENTS)) {
    if (await findClient(db, clientId)) continue;
    await createClient(db, clock, { ...fields, clientId, isPublic: true }).catch(
      (error: unknown) => {
        if (!isThere(error)) throw error;
      },
    );
  }
}
