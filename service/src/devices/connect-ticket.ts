/**
 * Connect tickets: a browser cannot send the Authorization header with a WebSocket, and a token in
 * its address would end up in logs. A ticket lives for 30 seconds and opens one connection.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { hashSecret, newSecret } from '../lib/ids.ts';

export const TICKET_TTL_S = 30;
/** The subprotocol of the service; browsers offer it together with the ticket. */
export const SUBPROTOCOL = 'edge-account';

const TICKET = /^[A-Za-z0-9_-]{43}$/;

type StoredPrincipal = Omit<Principal, 'scopes' | 'issuedAt' | 'expiresAt' | 'authTime'> & {
  scopes: string[];
  issuedAt: string;
  expiresAt: string;
};

function toStored({
  scopes,
  issuedAt,
  expiresAt,
  authTime: _,
  ...rest
}: Principal): StoredPrincipal {
  return {
    ...rest,
    scopes: [...scopes],
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function fromStored({ scopes, issuedAt, expiresAt, ...rest }: StoredPrincipal): Principal {
  return {
    ...rest,
    scopes: new Set(scopes),
    issuedAt: new Date(issuedAt),
    expiresAt: new Date(expiresAt),
  };
}

const INSERT_TICKET = defineStatement(
  'connect-ticket-insert',
  'insert into connect_ticket (hash, caller, expires_at) values (:hash, :caller, :expires_at)',
);
const REDEEM_TICKET = defineStatement(
  'connect-ticket-redeem',
  'delete from connect_ticket where hash = :hash returning caller, expires_at',
);

/** Creates a ticket for the caller. */
export async function createConnectTicket(
  db: Db,
  clock: Clock,
  caller: Principal,
): Promise<string> {
  const ticket = newSecret();
  const expires_at = new Date(clock.now().getTime() + TICKET_TTL_S * 1000);
  await execute(db, INSERT_TICKET, {
    hash: hashSecret(ticket),
    caller: toStored(caller),
    expires_at,
  });
  return ticket;
}

/** The ticket among the offered subprotocols. */
export function readTicket(protocols: string | undefined): string | undefined {
  return protocols
    ?.split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => TICKET.test(protocol));
}

/** Redeems a ticket, once. */
export async function redeemConnectTicket(
  db: Db,
  clock: Clock,
  ticket: string,
): Promise<Principal | undefined> {
  const { rows } = await execute<{ caller: StoredPrincipal; expires_at: Date }>(db, REDEEM_TICKET, {
    hash: hashSecret(ticket),
  });
  const found = rows[0];
  return found && found.expires_at > clock.now() ? fromStored(found.caller) : undefined;
}
