/** `/me/payout-addresses`, `/payouts` */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  callingUserId,
  getCaller,
  type HttpServer,
  IdempotencyHeaders,
  OptionalBody,
  PathId,
  parsePathId,
  readIdempotencyKey,
  readRequestKey,
  sendIdempotent,
  toPage,
} from '../http/index.ts';
import { hasStrongSecondFactor, readOrigin, requireStepUp } from '../identity/index.ts';
import { withIdempotencyKey } from '../ledger/index.ts';
import type { PayoutsDeps } from './context.ts';
import { operations } from './operations.ts';
import { addAddress, listAddresses, removeAddress } from './payout-addresses.ts';
import { listPayouts, requirePayout, toPayout, toRequestedPayout } from './queries.ts';
import { quotePayout } from './quote-payout.ts';
import { endPayout } from './release-payout.ts';
import { requestPayout } from './request-payout.ts';
import {
  AddressBody,
  Payout,
  PayoutAddress,
  PayoutOrder,
  PayoutPage,
  PayoutQuery,
  PayoutQuote,
  PayoutRequest,
  QuoteQuery,
  SigningOptions,
} from './schemas.ts';
import {
  createSigningOptions,
  type OrderOfUser,
  type RequestOrder,
  UnprovenError,
} from './sign-order.ts';

const MAY_READ = { access: { scopes: ['account:read'] } } as const;
const MAY_WRITE = { access: { scopes: ['wallet:write'], tokens: ['business'] } } as const;
const params = Type.Object({ id: PathId('The payout.') });

function registerAddresses(app: HttpServer, deps: PayoutsDeps): void {
  const { database: db, clock } = deps;
  app.get(
    '/me/payout-addresses',
    {
      config: { ...MAY_READ, readsFrom: 'standby' },
      schema: {
        ...operations.listPayoutAddresses,
        response: { 200: Type.Array(PayoutAddress) },
      },
    },
    async (request) => listAddresses(db, callingUserId(request)),
  );
  app.post(
    '/me/payout-addresses',
    {
      config: MAY_WRITE,
      schema: {
        ...operations.addPayoutAddress,
        body: AddressBody,
        response: { 200: PayoutAddress },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      await requireStepUp(db, deps, getCaller(request));
      return addAddress(db, clock, readOrigin(request), { userId, ...request.body });
    },
  );
  app.delete(
    '/me/payout-addresses/:id',
    {
      config: MAY_WRITE,
      schema: {
        ...operations.removePayoutAddress,
        params: Type.Object({ id: PathId('The address.') }),
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      const target = { userId: callingUserId(request), id: parsePathId(request.params.id) };
      await removeAddress(db, clock, readOrigin(request), target);
      return reply.code(204).send(null);
    },
  );
}

const toOrder = (request: FastifyRequest, order: RequestOrder): OrderOfUser => ({
  userId: callingUserId(request),
  requestId: readIdempotencyKey(request),
  order,
});

function registerRequest(app: HttpServer, deps: PayoutsDeps): void {
  const { database: db, clock } = deps;
  app.get(
    '/payouts/quote',
    {
      config: MAY_READ,
      schema: {
        ...operations.quotePayout,
        querystring: QuoteQuery,
        response: { 200: PayoutQuote },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      const stepUp = (await hasStrongSecondFactor(db, userId)) ? 'strong' : 'email';
      return quotePayout(db, clock, { userId, stepUp }, request.query);
    },
  );
  app.post(
    '/payouts',
    {
      config: MAY_WRITE,
      schema: {
        ...operations.requestPayout,
        headers: IdempotencyHeaders,
        body: PayoutRequest,
        response: { 200: Payout },
      },
    },
    async (request) => {
      const { passkey_credential: credential, ...order } = request.body;
      const key = readRequestKey(request, 'payout', order);
      // Not recorded under the key: the same request may succeed once the caller has proven it.
      const stepUp = credential ? 'strong' : await requireStepUp(db, deps, getCaller(request));
      const origin = readOrigin(request);
      const common = { ...toOrder(request, order), origin, key, stepUp } as const;
      const proven = { ...common, ...(credential && { credential }) };
      return withIdempotencyKey(
        db,
        key,
        async (tx) => toRequestedPayout(await requestPayout(tx, deps, proven)),
        { locksKey: true },
      ).catch((error: unknown) => {
        throw error instanceof UnprovenError ? error.failure : error;
      });
    },
  );
  app.post(
    '/payouts/signing-options',
    {
      config: { ...MAY_WRITE, keepsNoAnswer: true },
      schema: {
        ...operations.createPayoutSigningOptions,
        headers: IdempotencyHeaders,
        body: PayoutOrder,
        response: { 200: SigningOptions },
      },
    },
    async (request) => createSigningOptions(deps, toOrder(request, request.body)),
  );
}

function registerCancel(app: HttpServer, { database: db, clock }: PayoutsDeps): void {
  app.post(
    '/payouts/:id/cancel',
    {
      config: MAY_WRITE,
      schema: {
        ...operations.cancelPayout,
        headers: IdempotencyHeaders,
        params,
        body: OptionalBody({}),
        response: { 200: Payout },
      },
    },
    async (request, reply) => {
      const target = { userId: callingUserId(request), id: parsePathId(request.params.id) };
      const ending = { status: 'cancelled', reason: 'cancelled_by_user' } as const;
      await sendIdempotent(db, request, reply, async (tx) => ({
        status: 200,
        body: toPayout(await endPayout(tx, clock, target, ending)),
      }));
    },
  );
}

/** Registers what people call. */
export function registerPersonRoutes(app: HttpServer, deps: PayoutsDeps): void {
  const { database: db } = deps;
  registerAddresses(app, deps);
  registerRequest(app, deps);
  registerCancel(app, deps);
  app.get(
    '/payouts',
    {
      config: { ...MAY_READ, readsFrom: 'standby' },
      schema: {
        ...operations.listPayouts,
        querystring: PayoutQuery,
        response: { 200: PayoutPage },
      },
    },
    async (request) => {
      const { rows, total } = await listPayouts(db, callingUserId(request), request.query);
      return toPage(rows.map(toPayout), total, request.query);
    },
  );
  app.get(
    '/payouts/:id',
    {
      config: { ...MAY_READ, readsFrom: 'standby' },
      schema: { ...operations.getPayout, params, response: { 200: Payout } },
    },
    async (request) =>
      toPayout(await requirePayout(db, parsePathId(request.params.id), callingUserId(request))),
  );
}
