/** `/operator/users`: operators find people, keep one or their money out, and let them in again. */

import Type, { type Static } from 'typebox';
import type { Database, Db } from '../db/index.ts';
import {
  CappedPage,
  type HttpServer,
  Id,
  PageParameters,
  parsePathId,
  StringEnum,
  splitGrants,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import {
  assignGroups,
  disableUser,
  enableUser,
  findUser,
  freezeUserMoney,
  GROUP_NAME,
  listMethods,
  listUsers,
  readMoneyFreeze,
  readOperatorGrants,
  releaseUserMoney,
  type User,
} from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations/people.ts';
import { ReasonBody, readStatusChange, UserParams } from './user-schemas.ts';

const STATUSES = ['active', 'disabled', 'closed'] as const;
const config = { access: { scopes: ['operator:users'] } };

const UserRecord = Type.Object({
  user_id: Id('The person.'),
  email: Type.String(),
  nickname: Type.String(),
  referral_code: Type.String(),
  referrer_id: Type.Optional(Id('Who brought this person.')),
  status: StringEnum(
    STATUSES,
    'Disabled people cannot sign in; closed accounts are gone for good.',
  ),
  groups: Type.Array(Type.String(), { description: 'Groups, in the claim `groups`.' }),
  two_factor_methods: Type.Optional(
    Type.Array(Type.String(), { description: 'Second factors; on a single person only.' }),
  ),
  money_frozen_since: Type.Optional(
    Timestamp('When an operator froze the money; on a single person only.'),
  ),
  money_frozen_by: Type.Optional(
    Id('The operator who froze the money; absent: a server did, or it is no longer known.'),
  ),
  money_frozen_reason: Type.Optional(
    Type.String({ description: 'The reason that was given for it, as long as it is known.' }),
  ),
  operator_roles: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Roles of an operator: `viewer`, `support`, `finance`, `admin`; on a single ' +
        'person only, who is an operator.',
    }),
  ),
  operator_scopes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Scopes that an operator has beside them; where `operator_roles` is.',
    }),
  ),
  created_at: Timestamp('When the account was made.'),
});

const UserQuery = Type.Object({
  keyword: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description:
        'Substring of address or nickname; of fewer than three characters, how either begins. ' +
        'Digits also find the person of this number.',
    }),
  ),
  status: Type.Optional(StringEnum(STATUSES, 'Only people of this status.')),
  ids: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$',
      description: 'Only people with these numbers: up to 20, separated by commas, on one page.',
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only people listed after this `user_id`: the last one of a page. Reads a list of any ' +
        'length to its end, with `current` 1.',
    }),
  ),
  ...PageParameters,
});

const GroupsBody = Type.Object({
  groups: Type.Array(
    Type.String({
      pattern: GROUP_NAME,
      description: '1 to 64 letters, digits and `._:/-`.',
    }),
    { maxItems: 50, uniqueItems: true, description: 'All groups of the person.' },
  ),
});

function toRecord(user: User): Static<typeof UserRecord> {
  return {
    user_id: user.userId,
    email: user.email,
    nickname: user.nickname,
    referral_code: user.referralCode,
    ...(user.referrerId !== undefined && { referrer_id: user.referrerId }),
    status: user.status,
    groups: [...user.groups],
    created_at: user.createdAt.toISOString(),
  };
}

/** The record of a single person. */
async function describe(db: Db, clock: Clock, user: User): Promise<Static<typeof UserRecord>> {
  const freeze = await readMoneyFreeze(db, user.userId);
  const grants = await readOperatorGrants(db, user.userId);
  const { roles, scopes } = splitGrants(grants);
  return {
    ...toRecord(user),
    two_factor_methods: await listMethods(db, clock, user.userId),
    ...(freeze && {
      money_frozen_since: freeze.since.toISOString(),
      ...(freeze.operatorId !== undefined && { money_frozen_by: freeze.operatorId }),
      ...(freeze.reason !== undefined && { money_frozen_reason: freeze.reason }),
    }),
    ...(grants.length > 0 && { operator_roles: roles, operator_scopes: scopes }),
  };
}

function registerGroups(app: HttpServer, database: Database): void {
  app.put(
    '/operator/users/:user_id/groups',
    {
      config,
      schema: {
        ...operations.setUserGroups,
        params: UserParams,
        body: GroupsBody,
        response: { 200: UserRecord },
      },
    },
    async ({ params, body }) =>
      toRecord(await assignGroups(database, parsePathId(params.user_id), body.groups)),
  );
}

function registerStatusChanges(app: HttpServer, database: Database, clock: Clock): void {
  const changes = [
    { verb: 'disable', operation: operations.disableUser, apply: disableUser },
    { verb: 'enable', operation: operations.enableUser, apply: enableUser },
    { verb: 'freeze-money', operation: operations.freezeUserMoney, apply: freezeUserMoney },
    { verb: 'release-money', operation: operations.releaseUserMoney, apply: releaseUserMoney },
  ] as const;
  for (const { verb, operation, apply } of changes) {
    app.post(
      `/operator/users/:user_id/${verb}`,
      {
        config,
        schema: {
          ...operation,
          params: UserParams,
          body: ReasonBody,
          response: { 200: UserRecord },
        },
      },
      async (request) => {
        const change = readStatusChange(request, request.params.user_id, request.body.reason);
        return describe(database, clock, await apply(database, clock, change));
      },
    );
  }
}

export function registerOperatorUsers(
  app: HttpServer,
  { database, clock }: { database: Database; clock: Clock },
): void {
  app.get(
    '/operator/users',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listUsers,
        querystring: UserQuery,
        response: { 200: CappedPage(UserRecord) },
      },
    },
    async ({ query }) => {
      const { ids, ...filter } = query;
      const { users, total, estimate } = await listUsers(database, {
        ...filter,
        ...(ids !== undefined && { ids: ids.split(',').map(Number) }),
      });
      return toCappedPage(users.map(toRecord), total, query, estimate);
    },
  );
  app.get(
    '/operator/users/:user_id',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.getUser, params: UserParams, response: { 200: UserRecord } },
    },
    async ({ params }) => {
      const user = await findUser(database, parsePathId(params.user_id));
      if (!user) throw failure('not_found');
      return describe(database, clock, user);
    },
  );
  registerGroups(app, database);
  registerStatusChanges(app, database, clock);
}
