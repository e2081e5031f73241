/** `/operator/payouts…`: the policy, the queue, approvals, and the stop of a currency. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  callingUserId,
  getCaller,
  type HttpServer,
  type Outgoing,
  OutgoingError,
  PathId,
  parsePathId,
  toCappedPage,
} from '../http/index.ts';
import { createApprovalOptions, listApproverKeys, PasskeyOptions } from '../identity/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { approvePayout, type RejectionOrder, rejectPayout } from './approve-payout.ts';
import type { PayoutsDeps } from './context.ts';
import { decideMismatch } from './decide-mismatch.ts';
import { listDecisions } from './decisions.ts';
import { findTokens } from './find-tokens.ts';
import { listReviewedPayouts, QueueQuery } from './list-reviewed-payouts.ts';
import { nameCaller } from './name-caller.ts';
import { operations } from './operations.ts';
import {
  ApproveBody,
  ApproverKeys,
  MismatchBody,
  PolicyBody,
  PolicyVO,
  RejectBody,
  ReleaseBody,
  ReviewedPage,
  ReviewedPayout,
  toPolicyVO,
  toReviewed,
} from './operator-schemas.ts';
import { findPolicy, putPolicy } from './policy.ts';
import { type PayoutRow, requirePayout } from './queries.ts';
import { releasePayout } from './release-from-signer.ts';
import { registerStops } from './stop-routes.ts';

const ACCESS = { access: { scopes: ['operator:payouts'] } } as const;
/** Approving and giving back need a person: clients have no passkeys, and are not four eyes. */
const PERSON = { access: { scopes: ['operator:payouts'], tokens: ['business'] } } as const;
const params = Type.Object({ id: PathId('The payout.') });

/** @throws `invalid_parameter` */
function checkSanctionsUrl(outgoing: Outgoing, url: string | undefined): void {
  if (url === undefined) return;
  try {
    outgoing.checkUrl(url);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw fieldError('sanctions_url', error.problem, error.message);
  }
}

function registerPolicy(app: HttpServer, { database: db, clock, outgoing }: PayoutsDeps): void {
  app.get(
    '/operator/payout-policy',
    {
      config: ACCESS,
      schema: { ...operations.getPayoutPolicy, response: { 200: PolicyVO } },
    },
    async () => {
      const policy = await findPolicy(db);
      if (!policy) throw failure('not_found', { detail: 'There is no payout policy yet.' });
      return toPolicyVO(policy);
    },
  );
  app.put(
    '/operator/payout-policy',
    {
      config: ACCESS,
      schema: { ...operations.putPayoutPolicy, body: PolicyBody, response: { 200: PolicyVO } },
    },
    async (request) => {
      checkSanctionsUrl(outgoing, request.body.sanctions_url);
      return toPolicyVO(await putPolicy(db, clock, request.body, nameCaller(request)));
    },
  );
}

function registerQueue(app: HttpServer, deps: PayoutsDeps): void {
  const { database: db, config } = deps;
  app.get(
    '/operator/payouts',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.listReviewedPayouts,
        querystring: QueueQuery,
        response: { 200: ReviewedPage },
      },
    },
    async (request) => {
      const { rows, total } = await listReviewedPayouts(db, request.query);
      const ids = rows.map(({ id }) => id);
      const decisions = await listDecisions(db, ids);
      const tokens = await findTokens(db, ids);
      const records = rows.map((row) => toReviewed(row, decisions, tokens.get(row.id)));
      return toCappedPage(records, total, request.query);
    },
  );
  app.get(
    '/operator/payouts/:id',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.getReviewedPayout, params, response: { 200: ReviewedPayout } },
    },
    async (request) => withDecisions(deps, await requirePayout(db, parsePathId(request.params.id))),
  );
  app.post(
    '/operator/payouts/:id/approval-options',
    {
      config: PERSON,
      schema: {
        ...operations.createApprovalOptions,
        params,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => {
      const { document_hash } = await requirePayout(db, parsePathId(request.params.id));
      const userId = callingUserId(request);
      return createApprovalOptions(db, config, { userId, hash: document_hash });
    },
  );
}

async function withDecisions({ database }: PayoutsDeps, row: PayoutRow) {
  const tokens = await findTokens(database, [row.id]);
  return toReviewed(row, await listDecisions(database, [row.id]), tokens.get(row.id));
}

interface RemarkedRequest extends FastifyRequest {
  readonly params: { readonly id: string | number };
  readonly body: { readonly remark: string };
}

/** Who decides about which payout, and why. */
function toOrder(request: RemarkedRequest): RejectionOrder {
  const { userId } = getCaller(request);
  return {
    payoutId: parsePathId(String(request.params.id)),
    by: nameCaller(request),
    ...(userId !== undefined && { userId }),
    remark: request.body.remark,
  };
}

function registerDecisions(app: HttpServer, deps: PayoutsDeps): void {
  app.post(
    '/operator/payouts/:id/approve',
    {
      config: PERSON,
      schema: {
        ...operations.approvePayout,
        params,
        body: ApproveBody,
        response: { 200: ReviewedPayout },
      },
    },
    async (request) =>
      withDecisions(
        deps,
        await approvePayout(deps, {
          payoutId: parsePathId(request.params.id),
          userId: callingUserId(request),
          response: request.body.passkey_credential,
        }),
      ),
  );
  app.post(
    '/operator/payouts/:id/reject',
    {
      config: ACCESS,
      schema: {
        ...operations.rejectPayout,
        params,
        body: RejectBody,
        response: { 200: ReviewedPayout },
      },
    },
    async (request) => {
      const { reason } = request.body;
      const order = { ...toOrder(request), ...(reason !== undefined && { reason }) };
      return withDecisions(deps, await rejectPayout(deps, order));
    },
  );
  app.post(
    '/operator/payouts/:id/release',
    {
      config: ACCESS,
      schema: {
        ...operations.releasePayout,
        params,
        body: ReleaseBody,
        response: { 200: ReviewedPayout },
      },
    },
    async (request) => withDecisions(deps, await releasePayout(deps, toOrder(request))),
  );
  registerMismatch(app, deps);
}

function registerMismatch(app: HttpServer, deps: PayoutsDeps): void {
  app.post(
    '/operator/payouts/:id/mismatch',
    {
      config: PERSON,
      schema: {
        ...operations.decidePayoutMismatch,
        params,
        body: MismatchBody,
        response: { 200: ReviewedPayout },
      },
    },
    async (request) => {
      const { outcome } = request.body;
      const order = { ...toOrder(request), userId: callingUserId(request), outcome };
      return withDecisions(deps, await decideMismatch(deps, order));
    },
  );
}

function registerApproverKeys(app: HttpServer, deps: PayoutsDeps): void {
  app.get(
    '/operator/payout-approver-keys',
    {
      config: PERSON,
      schema: { ...operations.listApproverKeys, response: { 200: ApproverKeys } },
    },
    async (request) => listApproverKeys(deps.database, callingUserId(request)),
  );
}

/** Registers the routes of operators, without the signer's. */
export function registerOperatorRoutes(app: HttpServer, deps: PayoutsDeps): void {
  registerPolicy(app, deps);
  registerQueue(app, deps);
  registerDecisions(app, deps);
  registerApproverKeys(app, deps);
  registerStops(app, deps);
}
