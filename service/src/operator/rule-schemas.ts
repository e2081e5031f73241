/** What the routes of rules share: schemas, scope, tag and dependencies. */
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { Decimal, PathId, Timestamp } from '../http/index.ts';
import { RulesBody, type RulesDeps, type RulesVersion } from '../rewards/index.ts';

export const config = { access: { scopes: ['operator:rules'] } };

export interface OperatorRulesDeps extends RulesDeps {
  readonly database: Database;
}

export const RulesVO = Type.Object({
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
export const Draft = Type.Object({ rules: RulesBody }, { additionalProperties: false });
export const Activate = Type.Object(
  { from: Type.Optional(Timestamp('A full hour that has not begun. Default: the next one.')) },
  { additionalProperties: false },
);
export const DryRunInput = Type.Object(
  {
    from: Timestamp('First hour.'),
    before: Timestamp('The hour after the last one; at most 48 hours.'),
  },
  { additionalProperties: false },
);
const Compared = {
  active: Decimal('By the rules that applied.'),
  draft: Decimal('By these rules.'),
  difference: Decimal('More or less.'),
};
export const DryRunVO = Type.Object({
  currency: Type.String({ description: 'The reward currency.' }),
  by_reward_type: Type.Array(
    Type.Object({ reward_type: Type.String({ description: 'Reward type.' }), ...Compared }),
  ),
  users: Type.Array(Type.Object({ user_id: Type.Integer({ description: 'Who.' }), ...Compared }), {
    description: 'The 100 users whose reward changes most.',
  }),
  users_total: Type.Integer({ description: 'How many are paid by either.' }),
});
export const RulesParams = Type.Object({
  version: PathId('Number of the version.'),
});

export function toRules(rules: RulesVersion) {
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
