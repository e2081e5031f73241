/** `/operator/users/{user_id}/…`: what support sees of a person beside the record. */
import { listReferrals, type TeamCounts } from '../community/index.ts';
import type { Database } from '../db/index.ts';
import { type HttpServer, PageQuery, parsePathId, toPage } from '../http/index.ts';
import { findUser, listSecurityEvents, listUserSessions, type User } from '../identity/index.ts';
import { listWalletKinds, readBalances } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations/people.ts';
import { registerUserActions } from './user-actions.ts';
import {
  UserParams,
  UserReferrals,
  UserSecurityEvents,
  UserSessions,
  UserTeam,
  UserWallets,
} from './user-schemas.ts';

export interface UserDetailsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Figures of a user's downline. */
  countTeam(userId: number): Promise<TeamCounts>;
}

const config = { access: { scopes: ['operator:users'] } };

/** @throws `not_found` */
async function getUser(database: Database, id: string): Promise<User> {
  const user = await findUser(database, parsePathId(id));
  if (!user) throw failure('not_found');
  return user;
}

async function readWallets(database: Database, userId: number) {
  const kinds = (await listWalletKinds(database)).filter(({ isHouse }) => !isHouse);
  return Promise.all(
    kinds.map(async ({ code }) => ({
      wallet: code,
      balances: (await readBalances(database, userId, code)).map(
        ({ currency, scale, balance, hold, deposited, withdrawal }) => ({
          currency,
          balance: exactAmount(balance, scale),
          hold: exactAmount(hold, scale),
          deposited: exactAmount(deposited, scale),
          withdrawal: exactAmount(withdrawal, scale),
        }),
      ),
    })),
  );
}

function registerSignIns(app: HttpServer, { database, clock }: UserDetailsDeps): void {
  app.get(
    '/operator/users/:user_id/sessions',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listUserSessions,
        params: UserParams,
        response: { 200: UserSessions },
      },
    },
    async ({ params }) => {
      const { userId } = await getUser(database, params.user_id);
      const sessions = await listUserSessions(database, clock, userId);
      return {
        sessions: sessions.map((session) => ({
          sid: session.sid,
          ...(session.clientId !== undefined && { client_id: session.clientId }),
          amr: [...session.amr],
          ip: session.ip,
          user_agent: session.userAgent,
          auth_time: session.authTime.toISOString(),
          created_at: session.createdAt.toISOString(),
          expires_at: session.expiresAt.toISOString(),
        })),
      };
    },
  );
  app.get(
    '/operator/users/:user_id/security-events',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listUserSecurityEvents,
        params: UserParams,
        querystring: PageQuery,
        response: { 200: UserSecurityEvents },
      },
    },
    async ({ params, query }) => {
      const { userId } = await getUser(database, params.user_id);
      const { records, total } = await listSecurityEvents(database, userId, query);
      return toPage(records, total, query);
    },
  );
}

export function registerUserDetails(app: HttpServer, deps: UserDetailsDeps): void {
  const { database } = deps;
  registerSignIns(app, deps);
  registerUserActions(app, deps);
  app.get(
    '/operator/users/:user_id/team',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.getUserTeam, params: UserParams, response: { 200: UserTeam } },
    },
    async ({ params }) => {
      const { userId, referrerId } = await getUser(database, params.user_id);
      const referrer = referrerId === undefined ? undefined : await findUser(database, referrerId);
      const { direct_count, team_count, levels } = await deps.countTeam(userId);
      return {
        ...(referrer && { referrer: { user_id: referrer.userId, nickname: referrer.nickname } }),
        direct_count,
        team_count,
        levels: [...levels],
      };
    },
  );
  app.get(
    '/operator/users/:user_id/referrals',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listUserReferrals,
        params: UserParams,
        querystring: PageQuery,
        response: { 200: UserReferrals },
      },
    },
    async ({ params, query }) => {
      const { userId } = await getUser(database, params.user_id);
      const { referrals, total } = await listReferrals(database, userId, query);
      return toPage(referrals, total, query);
    },
  );
  app.get(
    '/operator/users/:user_id/wallets',
    {
      config: { access: { scopes: ['operator:ledger'] }, readsFrom: 'standby' },
      schema: { ...operations.listUserWallets, params: UserParams, response: { 200: UserWallets } },
    },
    async ({ params }) => {
      const { userId } = await getUser(database, params.user_id);
      return { wallets: await readWallets(database, userId) };
    },
  );
}
