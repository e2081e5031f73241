/**
 * `GET /me/devices/connect`: the live connection of a device, and the tickets that let browsers
 * open one.
 */

import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  acceptUpgrade,
  consumeRateLimit,
  getCaller,
  type HttpServer,
  installUpgrades,
  isUpgrade,
  type Principal,
} from '../http/index.ts';
import { type TokenState, tokenRevoked } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { toSubnet } from '../lib/rate-limit-subnet.ts';
import {
  createConnectTicket,
  readTicket,
  redeemConnectTicket,
  SUBPROTOCOL,
  TICKET_TTL_S,
} from './connect-ticket.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import type { CallingDevices } from './find-calling-device.ts';
import type { ConnectAttempts } from './limit-connect-attempts.ts';
import type { DeviceList } from './list-devices.ts';
import type { LiveConnections } from './live-connections.ts';
import { operations } from './operations.ts';

const TICKETS_PER_MINUTE = { name: 'connect-ticket', hits: 30, window_s: 60 };

/** Browser extensions have origins of their own, and send no cookie of a page. */
const EXTENSION_ORIGIN = /^(chrome|moz|safari-web)-extension:\/\/[A-Za-z0-9-]+$/;

const Ticket = Type.Object(
  {
    ticket: Type.String({ description: 'Opens one live connection.' }),
    subprotocols: Type.Array(Type.String(), {
      description: 'Second argument of `new WebSocket(url, subprotocols)`.',
    }),
    expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
  },
  { description: 'A single-use ticket.' },
);

export interface ConnectRoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calling: CallingDevices;
  readonly connections: LiveConnections;
  readonly attempts: ConnectAttempts;
  readonly registry: ConnectionRegistry;
  readonly list: DeviceList;
  readonly tokenState: Pick<TokenState, 'check' | 'known' | 'onRevoked'>;
  isAllowedOrigin(origin: string): boolean | Promise<boolean>;
}

const ACCESS = { scopes: ['device:connect'], tokens: ['device' as const], isNodeRoute: true };

/** Checks what needs no authentication; then redeems the ticket, if there is one. */
async function findCaller(
  deps: ConnectRoutesDeps,
  request: FastifyRequest,
): Promise<Principal | undefined> {
  if (!isUpgrade(request))
    throw failure('upgrade_required', {
      detail: 'Connect with WebSocket.',
      headers: { upgrade: 'websocket' },
    });
  deps.attempts.consume(toSubnet(request.ip));
  const { origin, 'sec-websocket-protocol': protocols } = request.headers;
  if (
    origin !== undefined &&
    !EXTENSION_ORIGIN.test(origin) &&
    !(await deps.isAllowedOrigin(origin))
  )
    throw failure('origin_refused');
  const ticket = request.headers.authorization === undefined ? readTicket(protocols) : undefined;
  if (ticket === undefined) return undefined;
  const principal = await redeemConnectTicket(deps.database, deps.clock, ticket);
  if (!principal || principal.expiresAt <= deps.clock.now())
    throw failure('invalid_connect_ticket');
  const reason = await deps.tokenState.check(principal);
  if (reason !== undefined) throw tokenRevoked(reason);
  return principal;
}

function registerConnect(app: HttpServer, deps: ConnectRoutesDeps): void {
  app.get(
    '/me/devices/connect',
    {
      logLevel: 'warn',
      config: {
        access: { ...ACCESS, findCaller: (request) => findCaller(deps, request) },
        roles: ['gateway'],
      },
      schema: {
        ...operations.connectDevice,
        response: {
          101: Type.Null({ description: 'Switching to WebSocket.' }),
          200: Type.Null({
            description: 'The same over HTTP/2, where a proxy translates (RFC 8441, 5).',
          }),
        },
      },
    },
    async (request, reply) => {
      const principal = getCaller(request);
      const device = await deps.calling.find(principal);
      const address = toSubnet(request.ip);
      const { number, others } = await deps.registry.reserve(device, address);
      // No await from here on: a revocation is either known now, or finds the connection.
      const reason = deps.tokenState.known({ ...principal, nodeId: device.nodeId });
      if (reason !== undefined) throw tokenRevoked(reason);
      deps.registry.assertWithinLimits(device, address, others);
      deps.connections.accept({
        ...acceptUpgrade(request, reply),
        principal,
        device,
        address,
        register: () => deps.registry.register(device, address, number),
      });
      deps.list.invalidate(device.userId);
    },
  );
}

export function registerConnectRoutes(app: HttpServer, deps: ConnectRoutesDeps): void {
  installUpgrades(app);
  app.addHook('preClose', async () => deps.connections.stop());
  deps.tokenState.onRevoked((revocation) => deps.connections.handleRevocation(revocation));
  registerConnect(app, deps);
  app.post(
    '/me/devices/connect-ticket',
    {
      config: { access: ACCESS },
      schema: { ...operations.createConnectTicket, response: { 200: Ticket } },
    },
    async (request) => {
      const principal = getCaller(request);
      const { nodeId } = await deps.calling.find(principal);
      await consumeRateLimit(deps.database, deps.clock, TICKETS_PER_MINUTE, nodeId);
      const ticket = await createConnectTicket(deps.database, deps.clock, { ...principal, nodeId });
      return { ticket, subprotocols: [SUBPROTOCOL, ticket], expires_in: TICKET_TTL_S };
    },
  );
}
