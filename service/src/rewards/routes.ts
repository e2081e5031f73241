/** Routes of users: every reward line with its reason, and the proof of a bill. */

import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  CappedPage,
  callingUserId,
  Day,
  Decimal,
  type HttpServer,
  PageParameters,
  PathId,
  parsePathId,
  StringEnum,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import { dayRange } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { LINE_STATUSES, type ListedLine, listLines } from './list-lines.ts';
import { scaleOfRewards } from './manage-rules.ts';
import { operations } from './operations.ts';
import { buildProof } from './proofs/build-proof.ts';
import { Proof } from './proofs/proof.ts';
import type { ProofKey } from './proofs/proof-key.ts';
import { registerPublished } from './public-routes.ts';
import { readSchedule, type ScheduleSettings } from './read-schedule.ts';
import { checkRewardType } from './reward-types.ts';
import { REWARD_PERIODS } from './settlements.ts';

const RewardLine = Type.Object({
  hour: Timestamp('The hour it was earned in.'),
  reward_type: Type.String({ description: 'Reward type.' }),
  node_id: Type.Optional(Type.String({ description: 'The device.' })),
  level: Type.Optional(Type.Integer({ description: 'Referral level.' })),
  part: Type.Optional(
    Type.String({ description: 'Category of the traffic, or name of the campaign.' }),
  ),
  status: StringEnum(
    LINE_STATUSES,
    '`accrued`: earned, and paid with the other hours of its UTC day; `held`: waits for an ' +
      'operator; `released`: was held, then paid by `bill_id`; `rejected`: ' +
      'not paid, see the reason; `refused`: the ledger refused it, or its run was closed, see ' +
      'the reason.',
  ),
  reason: Type.Optional(
    Type.String({ description: 'Why it was limited, held, rejected or refused.' }),
  ),
  quantity: Type.String({
    description: 'Milliseconds online, bytes, minor units of the base, or implausible reports.',
  }),
  currency: Type.String({ description: 'The reward currency.' }),
  amount: Decimal('Signed; for a correction, the difference.'),
  is_correction: Type.Boolean({ description: 'True when the hour had been settled before.' }),
  rule_version: Type.Integer({ description: 'Version of the rules.' }),
  bill_id: Type.Optional(
    Type.Integer({
      description: 'The bill that paid it; its proof is at `/me/rewards/{bill_id}/proof`.',
    }),
  ),
});

const LineQuery = Type.Object({
  status: Type.Optional(StringEnum(LINE_STATUSES, 'Only lines with this status.')),
  rewardType: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only this reward type.' }),
  ),
  nodeId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only this device.' }),
  ),
  beginTime: Type.Optional(Day('First day.')),
  endTime: Type.Optional(Day('Last day, included.')),
  ...PageParameters,
});

const Schedule = Type.Object({
  is_paying: Type.Boolean({
    description:
      'Whether the rules that are active now pay devices anything. Otherwise they earn nothing.',
  }),
  has_uptime: Type.Boolean({
    description: 'Whether they pay for hours online.',
  }),
  has_traffic: Type.Boolean({ description: 'Whether they pay for traffic.' }),
  has_referral: Type.Boolean({
    description: 'Whether they pay referrers a part of what their referees’ devices earn.',
  }),
  period: StringEnum(
    REWARD_PERIODS,
    '`hour`: each hour is paid some time after its end; `day`: the hours of a UTC day are paid ' +
      'together, after its end.',
  ),
  next_payment_at: Type.Optional(
    Timestamp('When rewards are paid next, at the earliest; absent without active rules.'),
  ),
  settled_until: Type.Optional(
    Timestamp(
      'End of the last hour whose rewards were computed: they are paid, or accrued until their ' +
        'day is paid. Absent before the first one.',
    ),
  ),
});

export interface RewardRoutes extends ScheduleSettings {
  readonly db: Db;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  readonly proofKey: ProofKey;
  /** `file:///DIRECTORY` of the archive of settlements; absent: there is none. */
  readonly archivedTo?: string | undefined;
}

function toRewardLine(line: ListedLine, currency: string, scale: number) {
  return {
    hour: line.hour.toISOString(),
    reward_type: line.rewardType,
    ...(line.nodeId !== '' && { node_id: line.nodeId }),
    ...(line.level > 0 && { level: line.level }),
    ...(line.part !== '' && { part: line.part }),
    status: line.status,
    ...(line.reason !== null && { reason: line.reason }),
    quantity: line.quantity,
    currency,
    amount: exactAmount(BigInt(line.amount), scale),
    is_correction: line.settledBefore !== '0',
    rule_version: line.ruleVersion,
    ...(line.billId !== null && { bill_id: line.billId }),
  };
}

function registerSchedule(app: HttpServer, routes: RewardRoutes): void {
  const { db, clock } = routes;
  app.get(
    '/me/rewards/schedule',
    {
      // It says nothing of its reader: each device may show it.
      config: { access: { scopes: [], isNodeRoute: true }, readsFrom: 'standby' },
      schema: { ...operations.getRewardSchedule, response: { 200: Schedule } },
    },
    async () => {
      const schedule = await readSchedule(db, clock.now(), routes);
      const { nextPaymentAt, settledUntil } = schedule;
      return {
        is_paying: schedule.isPaying,
        has_uptime: schedule.hasUptime,
        has_traffic: schedule.hasTraffic,
        has_referral: schedule.hasReferral,
        period: schedule.period,
        ...(nextPaymentAt && { next_payment_at: nextPaymentAt.toISOString() }),
        ...(settledUntil && { settled_until: settledUntil.toISOString() }),
      };
    },
  );
}

export function registerRewards(app: HttpServer, routes: RewardRoutes): void {
  const { db, rewardCurrency, proofKey, archivedTo } = routes;
  const archive = archivedTo === undefined ? undefined : fileURLToPath(archivedTo);
  registerPublished(app, { db, proofKey });
  registerSchedule(app, routes);
  app.get(
    '/me/rewards',
    {
      config: { access: { scopes: ['dashboard:read'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listRewardLines,
        querystring: LineQuery,
        response: { 200: CappedPage(RewardLine) },
      },
    },
    async (request) => {
      const { current, size, beginTime, endTime, ...filter } = request.query;
      const range = dayRange(beginTime, endTime, 'beginTime');
      const userId = callingUserId(request);
      await checkRewardType(db, userId, filter.rewardType);
      const scale = await scaleOfRewards(db, rewardCurrency);
      const { lines, total } = await listLines(
        db,
        { userId, ...filter, ...range },
        { current, size },
      );
      return toCappedPage(
        lines.map((line) => toRewardLine(line, rewardCurrency, scale)),
        total,
        request.query,
      );
    },
  );
  app.get(
    '/me/rewards/:bill_id/proof',
    {
      config: { access: { scopes: ['account:read'] }, readsFrom: 'standby' },
      schema: {
        ...operations.getRewardProof,
        params: Type.Object({ bill_id: PathId('Id of the bill.') }),
        response: { 200: Proof },
      },
    },
    async (request) => {
      const billId = parsePathId(request.params.bill_id);
      return buildProof({ db, key: proofKey, archive }, callingUserId(request), billId);
    },
  );
}
