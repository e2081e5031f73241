/** `/operator/rules`, `/operator/settlements`, `/operator/held-rewards`: what is paid, when it was, and what waits. */
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  CappedPage,
  callerOf,
  Decimal,
  type HttpServer,
  Id,
  PageParameters,
  PageQuery,
  Timestamp,
  toCappedPage,
  validateWholly,
} from '../http/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import {
  activateRules,
  closeSettlement,
  draftRules,
  dryRun,
  findRules,
  listHeld,
  listRules,
  listSettlements,
  nextHour,
  RulesBody,
  type RulesDeps,
  type RulesVersion,
  releaseHeld,
  scaleOfRewards,
} from '../rewards/index.ts';

const USERS_SHOWN = 100;

const RulesVO = Type.Object({
  version: Type.Integer({ description: 'Number of the version.' }),
  draft: Type.Boolean({ description: 'True until it is activated; then its text is fixed.' }),
  active_from: Type.Array(Type.String({ format: 'date-time' }), {
    description: 'Hours from which it applies or applied.',
  }),
  hash: Type.String({ description: 'SHA-256 of its text, as proofs name it.' }),
  rules: RulesBody,
  created_by: Type.String({ description: 'Client that drafted it.' }),
  created_at: Timestamp('When it was drafted.'),
});
const Draft = Type.Object({ rules: RulesBody }, { additionalProperties: false });
const Activate = Type.Object(
  { from: Type.Optional(Timestamp('A full hour that has not begun. Default: the next one.')) },
  { additionalProperties: false },
);
const DryRunInput = Type.Object(
  {
    from: Timestamp('First hour.'),
    before: Timestamp('The hour after the last one; at most 48 hours.'),
  },
  { additionalProperties: false },
);
const DRY_RUN =
  'Nothing is written. Which addresses devices had, and whose account was active, is not kept by hour: limits and gates are judged by those of today, so that a past hour can differ from what was settled. Referral rewards: by the rules that applied, of whom settlement let count in that hour; by these rules, as if their own gates had judged everybody from the first hour on. Hours online go on from what settlement had counted by then; it counts only under rules with referral rewards, and no further than their highest gate. What would be held is left out. When these rules are activated, whoever counts already goes on counting, and whoever is held stays held until released.';
const Compared = {
  active: Decimal('By the rules that applied.'),
  draft: Decimal('By these rules.'),
  difference: Decimal('More or less.'),
};
const DryRunVO = Type.Object({
  currency: Type.String({ description: 'The reward currency.' }),
  by_reward_type: Type.Array(
    Type.Object({ reward_type: Type.String({ description: 'Reward type.' }), ...Compared }),
  ),
  users: Type.Array(Type.Object({ user_id: Type.Integer({ description: 'Who.' }), ...Compared }), {
    description: 'The 100 whom it changes most.',
  }),
  users_total: Type.Integer({ description: 'How many are paid by either.' }),
});
const SettlementVO = Type.Object({
  id: Type.Integer({ description: 'The run.' }),
  kind: Type.String({ description: '`hour`, `correction` or `release`.' }),
  hour: Timestamp('The hour settled, or in which the run was made.'),
  rule_version: Type.Integer({ description: 'Version of the rules; 0: each line names its own.' }),
  state: Type.String({ description: '`open`, `posting` or `settled`.' }),
  lines: Type.Integer({ description: 'Lines found.' }),
  posted: Type.Integer({ description: 'Lines done.' }),
  refused: Type.Integer({ description: 'Lines that the ledger refused.' }),
  amount: Decimal('Net amount.'),
  root: Type.Optional(Type.String({ description: 'Root of its tree.' })),
  settled_at: Type.Optional(Timestamp('When it was done.')),
  failure: Type.Optional(
    Type.String({ description: 'Why the last try failed; it is tried again every 30 s.' }),
  ),
  close_reason: Type.Optional(
    Type.String({ description: 'Why an operator closed it without what was left of it.' }),
  ),
});
const HeldVO = Type.Object({
  user_id: Type.Integer({ description: 'The referee.' }),
  reason: Type.String({ description: '`shared_address` or `shared_key`.' }),
  held_at: Timestamp('Since when.'),
  amount: Decimal('What waits for the referrers.'),
});

const config = { access: { scopes: ['operator:rules'] } };
const tags = ['operator: rules'];
const Closing = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; kept with the run.' }) },
  { additionalProperties: false },
);
const params = Type.Object({ version: Type.String({ description: 'Number of the version.' }) });

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw failure('not_found');
  return Number(text);
}

function toRules(rules: RulesVersion) {
  return {
    version: rules.version,
    draft: rules.isDraft,
    active_from: rules.activeFrom.map((hour) => hour.toISOString()),
    hash: rules.bodyHash,
    rules: JSON.parse(rules.body) as RulesBody,
    created_by: rules.createdBy,
    created_at: rules.createdAt.toISOString(),
  };
}

export interface OperatorRulesDeps extends RulesDeps {
  readonly database: Database;
}

function registerVersions(app: HttpServer, deps: OperatorRulesDeps): void {
  const { database, clock } = deps;
  app.post(
    '/operator/rules',
    {
      config,
      validatorCompiler: validateWholly,
      schema: { tags, summary: 'Draft rules', body: Draft, response: { 200: RulesVO } },
    },
    async (request) =>
      toRules(await draftRules(database, deps, request.body.rules, callerOf(request).clientId)),
  );
  app.get(
    '/operator/rules',
    {
      config,
      schema: { tags, summary: 'Versions, newest first', response: { 200: Type.Array(RulesVO) } },
    },
    async () => (await listRules(database)).map(toRules),
  );
  app.get(
    '/operator/rules/:version',
    { config, schema: { tags, summary: 'One version', params, response: { 200: RulesVO } } },
    async (request) => toRules(await findRules(database, numberOf(request.params.version))),
  );
  app.put(
    '/operator/rules/:version',
    {
      config,
      validatorCompiler: validateWholly,
      schema: { tags, summary: 'Replace a draft', params, body: Draft, response: { 200: RulesVO } },
    },
    async (request) =>
      toRules(
        await draftRules(
          database,
          deps,
          request.body.rules,
          callerOf(request).clientId,
          numberOf(request.params.version),
        ),
      ),
  );
  app.post(
    '/operator/rules/:version/activate',
    {
      config,
      schema: {
        tags,
        summary: 'Let a version apply from an hour on',
        params,
        body: Activate,
        response: { 200: RulesVO },
      },
    },
    async (request) => {
      const from =
        request.body.from === undefined ? nextHour(clock.now()) : new Date(request.body.from);
      return toRules(
        await activateRules(
          database,
          deps,
          numberOf(request.params.version),
          from,
          callerOf(request).clientId,
        ),
      );
    },
  );
}

function registerDryRun(app: HttpServer, { database, rewardCurrency }: OperatorRulesDeps): void {
  app.post(
    '/operator/rules/:version/dry-run',
    {
      config,
      schema: {
        tags,
        summary: 'Who would have got what',
        description: DRY_RUN,
        params,
        body: DryRunInput,
        response: { 200: DryRunVO },
      },
    },
    async (request) => {
      const { from, before } = request.body;
      const scale = await scaleOfRewards(database, rewardCurrency);
      const run = await dryRun(
        database,
        rewardCurrency,
        numberOf(request.params.version),
        new Date(from),
        new Date(before),
        USERS_SHOWN,
      );
      const compare = ({ active, draft }: { active: bigint; draft: bigint }) => ({
        active: exactAmount(active, scale),
        draft: exactAmount(draft, scale),
        difference: exactAmount(draft - active, scale),
      });
      return {
        currency: rewardCurrency,
        by_reward_type: run.byType.map((sums) => ({
          reward_type: sums.rewardType,
          ...compare(sums),
        })),
        users: run.users.map((user) => ({ user_id: user.userId, ...compare(user) })),
        users_total: run.usersTotal,
      };
    },
  );
}

function registerClosing(app: HttpServer, { database, clock }: OperatorRulesDeps): void {
  app.post(
    '/operator/settlements/:id/close',
    {
      config,
      schema: {
        tags,
        summary: 'Close a run that cannot go on',
        description:
          'Ends it without what is left: lines that were not posted become `refused`, with the reason `settlement_closed`; a run that could not be computed pays nothing. What was paid stays. Pay the rest by `POST /operator/rewards`.',
        params: Type.Object({ id: Type.String({ description: 'The run.' }) }),
        body: Closing,
        response: { 202: Type.Object({ id: Type.Integer({ description: 'The run.' }) }) },
      },
    },
    async (request, reply) => {
      const id = numberOf(request.params.id);
      await closeSettlement(database, clock, id, callerOf(request).clientId, request.body.reason);
      return reply.code(202).send({ id });
    },
  );
}

function registerSettlements(
  app: HttpServer,
  { database, clock, rewardCurrency }: OperatorRulesDeps,
): void {
  app.get(
    '/operator/settlements',
    {
      config,
      schema: {
        tags,
        summary: 'Runs of settlement, newest first',
        querystring: PageQuery,
        response: { 200: CappedPage(SettlementVO) },
      },
    },
    async (request) => {
      const scale = await scaleOfRewards(database, rewardCurrency);
      const { settlements, total } = await listSettlements(
        database,
        request.query.current,
        request.query.size,
      );
      const records = settlements.map(
        ({ ruleVersion, settledAt, root, amount, hour, failure, closeReason, ...rest }) => ({
          ...rest,
          hour: hour.toISOString(),
          rule_version: ruleVersion,
          amount: exactAmount(BigInt(amount), scale),
          ...(root !== null && { root }),
          ...(settledAt !== null && { settled_at: settledAt.toISOString() }),
          ...(failure !== null && { failure }),
          ...(closeReason !== null && { close_reason: closeReason }),
        }),
      );
      return toCappedPage(records, total, request.query);
    },
  );
  registerClosing(app, { database, clock, rewardCurrency });
  app.get(
    '/operator/held-rewards',
    {
      config,
      schema: {
        tags,
        summary: 'Referees whose rewards are held',
        querystring: Type.Object(PageParameters),
        response: { 200: CappedPage(HeldVO) },
      },
    },
    async (request) => {
      const scale = await scaleOfRewards(database, rewardCurrency);
      const { held, total } = await listHeld(database, request.query.current, request.query.size);
      const records = held.map(({ userId, reason, heldAt, amount }) => ({
        user_id: userId,
        reason,
        held_at: heldAt.toISOString(),
        amount: exactAmount(BigInt(amount), scale),
      }));
      return toCappedPage(records, total, request.query);
    },
  );
  const Release = Type.Object({ user_id: Id('The referee.') }, { additionalProperties: false });
  const Released = Type.Object({
    settlement_id: Type.Integer({ description: 'The run that pays what was held.' }),
  });
  app.post(
    '/operator/held-rewards/release',
    {
      config,
      schema: {
        tags,
        summary: 'Pay what was held for a referee, and hold no more',
        body: Release,
        response: { 202: Released },
      },
    },
    async (request, reply) =>
      reply.code(202).send({
        settlement_id: await releaseHeld(
          database,
          clock,
          request.body.user_id,
          callerOf(request).clientId,
        ),
      }),
  );
}

export function registerOperatorRules(app: HttpServer, deps: OperatorRulesDeps): void {
  registerVersions(app, deps);
  registerDryRun(app, deps);
  registerSettlements(app, deps);
}
