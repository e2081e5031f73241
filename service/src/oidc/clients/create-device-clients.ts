/**
 * The clients that devices sign in with: the reference terminal and the browser extension. They are public, so their
 * names prove nothing and each sign-in asks the person. An operator may change or disable them; they are made once.
 */
import { type Db, isUniqueViolation } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failures.ts';
import { findClient } from './queries.ts';
import type { ClientFields } from './types.ts';
import { createClient } from './write-clients.ts';

const SCOPES = ['openid', 'offline_access', 'device:connect', 'devices:read'];

const DEVICE_CLIENTS: Readonly<Record<string, ClientFields>> = {
  'edge-terminal': {
    name: 'Edge terminal',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: SCOPES,
    grantTypes: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    isFirstParty: false,
  },
  'edge-extension': {
    name: 'Edge extension',
    redirectUris: ['http://127.0.0.1/edge-extension'],
    scopes: SCOPES,
    grantTypes: ['authorization_code', 'refresh_token'],
    isFirstParty: false,
  },
};

/** True when another process made the client at the same time. */
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
