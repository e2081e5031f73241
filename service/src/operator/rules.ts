/** `/operator/rules`: the versions of the reward rules, and what a version would have paid. */

import Type from 'typebox';
import {
  getCaller,
  type HttpServer,
  INTEGER_ID,
  parsePathId,
  validateWholly,
} from '../http/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import {
  activateRules,
  draftRules,
  dryRun,
  findRules,
  listRules,
  nextHour,
  replaceDraft,
  scaleOfRewards,
} from '../rewards/index.ts';
import { registerHeldRewards } from './held-rewards.ts';
import { operations } from './operations/rules.ts';
import {
  Activate,
  config,
  Draft,
  DryRunInput,
  DryRunVO,
  type OperatorRulesDeps,
  RulesParams,
  RulesVO,
  toRules,
} from './rule-schemas.ts';
import { registerSettlements } from './settlements.ts';

const USERS_SHOWN = 100;

function parseVersion({ params }: { readonly params: { readonly version: string } }): number {
  return parsePathId(params.version, INTEGER_ID);
}

function registerVersions(app: HttpServer, deps: OperatorRulesDeps): void {
  const { database } = deps;
  app.post(
    '/operator/rules',
    {
      config,
      validatorCompiler: validateWholly,
      schema: { ...operations.createRules, body: Draft, response: { 200: RulesVO } },
    },
    async (request) =>
      toRules(await draftRules(database, deps, request.body.rules, getCaller(request).clientId)),
  );
  app.get(
    '/operator/rules',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.listRules, response: { 200: Type.Array(RulesVO) } },
    },
    async () => (await listRules(database)).map(toRules),
  );
  app.get(
    '/operator/rules/:version',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.getRules, params: RulesParams, response: { 200: RulesVO } },
    },
    async (request) => toRules(await findRules(database, parseVersion(request))),
  );
  app.put(
    '/operator/rules/:version',
    {
      config,
      validatorCompiler: validateWholly,
      schema: {
        ...operations.replaceRules,
        params: RulesParams,
        body: Draft,
        response: { 200: RulesVO },
      },
    },
    async (request) =>
      toRules(await replaceDraft(database, deps, parseVersion(request), request.body.rules)),
  );
}

function registerActivation(app: HttpServer, deps: OperatorRulesDeps): void {
  const { database, clock } = deps;
  app.post(
    '/operator/rules/:version/activate',
    {
      config,
      schema: {
        ...operations.activateRules,
        params: RulesParams,
        body: Activate,
        response: { 200: RulesVO },
      },
    },
    async (request) => {
      const from =
        request.body.from === undefined ? nextHour(clock.now()) : new Date(request.body.from);
      return toRules(
        await activateRules(database, deps, {
          version: parseVersion(request),
          from,
          by: getCaller(request).clientId,
        }),
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
        ...operations.dryRunRules,
        params: RulesParams,
        body: DryRunInput,
        response: { 200: DryRunVO },
      },
    },
    async (request) => {
      const { from, before } = request.body;
      const scale = await scaleOfRewards(database, rewardCurrency);
      const run = await dryRun(database, rewardCurrency, {
        version: parseVersion(request),
        from: new Date(from),
        before: new Date(before),
        limit: USERS_SHOWN,
      });
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

export function registerOperatorRules(app: HttpServer, deps: OperatorRulesDeps): void {
  registerVersions(app, deps);
  registerActivation(app, deps);
  registerDryRun(app, deps);
  registerSettlements(app, deps);
  registerHeldRewards(app, deps);
}
