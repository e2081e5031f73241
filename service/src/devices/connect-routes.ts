/** `GET /me/devices/connect`: the live connection of a device, and the tickets that let browsers open one. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  acceptUpgrade,
  callerOf,
  type HttpServer,
  installUpgrades,
  isUpgrade,
  type Principal,
  takeHit,
} from '../http/index.ts';
import { type TokenState, tokenRevoked } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { networkOf } from '../lib/rate-limit-subnet.ts';
import type { ConnectLimits } from './connect-limits.ts';
import {
  createConnectTicket,
  readTicket,
  redeemConnectTicket,
  SUBPROTOCOL,
  TICKET_TTL_S,
} from './connect-ticket.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import type { CallingDevices } from './find-calling-device.ts';
import type { DeviceList } from './list-devices.ts';
import type { LiveConnections } from './live-connections.ts';

const TICKETS_PER_MINUTE = { name: 'connect-ticket', hits: 30, window_s: 60 };

/** An extension has an origin of its own, and no cookie or other authority of a page comes with it. */
const EXTENSION_ORIGIN = /^(chrome|moz|safari-web)-extension:\/\/[A-Za-z0-9-]+$/;

const Ticket = Type.Object(
  {
    ticket: Type.String({ description: 'Opens one live connection.' }),
    subprotocols: Type.Array(Type.String(), {
      description: 'What to hand to `new WebSocket(url, subprotocols)`.',
    }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { description: 'A single-use ticket.' },
);

export interface ConnectRoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calling: CallingDevices;
  readonly connections: LiveConnections;
  readonly limits: ConnectLimits;
  readonly registry: ConnectionRegistry;
  readonly list: DeviceList;
  readonly tokenState: Pick<TokenState, 'check' | 'known' | 'onRevoked'>;
  isAllowedOrigin(origin: string): boolean | Promise<boolean>;
}

const ACCESS = { scopes: ['device:connect'], tokens: ['device' as const], isNodeRoute: true };

/** Everything that can be refused before anybody is authenticated; then the ticket, if there is one. */
async function findCaller(
  deps: ConnectRoutesDeps,
  request: FastifyRequest,
): Promise<Principal | undefined> {
  if (!isUpgrade(request))
    throw failure('upgrade_required', {
      detail: 'Connect with WebSocket.',
      headers: { upgrade: 'websocket' },
    });
  deps.limits.attempt(networkOf(request.ip));
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
        tags: ['devices'],
        summary: 'Open the live connection of the calling device (WebSocket)',
        description: `With the Authorization header, or from a browser with the subprotocols \`${SUBPROTOCOL}\` and a ticket. The service sends \`{"type":"state"}\`, pings, and \`{"type":"disconnect","code","reason"}\` before it closes: 4400 not understood, 4401 expired or revoked, 4403 disconnected, 4408 not reading, 4409 connected again, 4429 flood or one connection too many, 1002 no WebSocket, 1007 no UTF-8, 1008 too many fragments, 1009 too large, 1012 restart. The device may send \`{"type":"beat"}\`.`,
        response: { 101: Type.Null({ description: 'Switching to WebSocket.' }) },
      },
    },
    async (request, reply) => {
      const principal = callerOf(request);
      const device = await deps.calling.find(principal);
      const address = networkOf(request.ip);
      const { number, others } = await deps.registry.opening(device, address);
      // Nothing is awaited from here on: a revocation either is known now or will find the connection.
      const reason = deps.tokenState.known({ ...principal, nodeId: device.nodeId });
      if (reason !== undefined) throw tokenRevoked(reason);
      const discount = deps.limits.open({
        userId: device.userId,
        address,
        others,
        replaces: deps.connections.addressOf(device.deviceId),
      });
      const register = (): (() => void) => deps.registry.opened(device, address, number);
      deps.connections.accept({
        ...acceptUpgrade(request, reply),
        principal,
        device,
        address,
        register,
        release: discount,
      });
      deps.list.forget(device.userId);
    },
  );
}

export function registerConnectRoutes(app: HttpServer, deps: ConnectRoutesDeps): void {
  installUpgrades(app as unknown as FastifyInstance);
  app.addHook('preClose', async () => deps.connections.stop());
  deps.tokenState.onRevoked((revocation) => deps.connections.handleRevocation(revocation));
  registerConnect(app, deps);
  app.post(
    '/me/devices/connect-ticket',
    {
      config: { access: ACCESS },
      schema: {
        tags: ['devices'],
        summary: 'Get a ticket for the live connection',
        response: { 200: Ticket },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const { nodeId } = await deps.calling.find(principal);
      await takeHit(deps.database, deps.clock, TICKETS_PER_MINUTE, nodeId);
      const ticket = await createConnectTicket(deps.database, deps.clock, { ...principal, nodeId });
      return { ticket, subprotocols: [SUBPROTOCOL, ticket], expires_in: TICKET_TTL_S };
    },
  );
}
