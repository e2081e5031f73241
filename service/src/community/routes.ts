/** The community's endpoints. */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  callingUserId,
  consumeRateLimit,
  type HttpServer,
  Page,
  prefersCsv,
  streamOf,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exportMembers } from './export-members.ts';
import { listMembers, type MemberSource } from './list-members.ts';
import { operations } from './operations.ts';
import {
  CommunityMemberVO,
  CommunitySummary,
  MemberFilters,
  MembersQuery,
  NoteForm,
  NoteResult,
  SummaryQuery,
} from './schemas.ts';
import { createMatchCache } from './search-cache.ts';
import { setNote } from './set-note.ts';
import { summarizeCommunity } from './summarize-community.ts';

export interface CommunityDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Rows that an export holds at most. */
  readonly exportCap: number;
  /** Decimals of the reward currency. */
  rewardScale(): Promise<number>;
}

const MAY_READ = {
  config: { access: { scopes: ['community:read'] }, readsFrom: 'standby' },
} as const;
const MAY_WRITE = { config: { access: { scopes: ['community:write'] } } };

/** Limits the guessing of email addresses. */
const ADDRESSES_PER_HOUR = { name: 'community-address', hits: 120, window_s: 3600 };

/** Counts searches for a whole address in the downline. @throws `rate_limited` */
async function limitGuesses(
  { database, clock }: CommunityDeps,
  userId: number,
  { keyword = '', type }: MemberFilters,
): Promise<void> {
  if (type === 'COMMUNITY' && keyword.includes('@'))
    await consumeRateLimit(database, clock, ADDRESSES_PER_HOUR, String(userId));
}

type Source = () => Promise<MemberSource>;

function registerExport(app: HttpServer, deps: CommunityDeps, source: Source): void {
  app.get(
    '/community/members/export',
    {
      ...MAY_READ,
      schema: {
        ...operations.exportMembers,
        querystring: MemberFilters,
        response: {
          200: {
            description: 'The members.',
            content: {
              'application/json': { schema: Type.Array(CommunityMemberVO) },
              'text/csv': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      await limitGuesses(deps, callingUserId(request), request.query);
      const format = prefersCsv(request) ? 'csv' : 'json';
      const { total, isCapped, text } = await exportMembers(
        await source(),
        callingUserId(request),
        request.query,
        {
          format,
          amountsAsStrings: request.wantsAmountsAsStrings,
          cap: deps.exportCap,
        },
      );
      reply.header('x-total-count', String(total)).header('vary', 'Accept');
      if (isCapped) reply.header('x-result-capped', 'true');
      if (format === 'csv')
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="community-members.csv"');
      else reply.type('application/json; charset=utf-8');
      return reply.send(streamOf(text) as never);
    },
  );
}

export function registerCommunity(app: HttpServer, deps: CommunityDeps): void {
  const { database, clock } = deps;
  const matches = createMatchCache();
  const source: Source = async () => ({ db: database, matches, scale: await deps.rewardScale() });
  app.get(
    '/community/members',
    {
      ...MAY_READ,
      schema: {
        ...operations.listMembers,
        querystring: MembersQuery,
        response: { 200: Page(CommunityMemberVO) },
      },
    },
    async (request) => {
      await limitGuesses(deps, callingUserId(request), request.query);
      return listMembers(await source(), callingUserId(request), request.query);
    },
  );
  registerExport(app, deps, source);
  app.post(
    '/community/members/note',
    {
      ...MAY_WRITE,
      schema: { ...operations.setMemberNote, body: NoteForm, response: { 200: NoteResult } },
    },
    async (request) => {
      const { target_user_id, note } = request.body;
      return {
        target_user_id,
        note: await setNote(database, clock, {
          userId: callingUserId(request),
          targetUserId: target_user_id,
          note,
        }),
      };
    },
  );
  app.get(
    '/community/summary',
    {
      ...MAY_READ,
      schema: {
        ...operations.getCommunitySummary,
        querystring: SummaryQuery,
        response: { 200: CommunitySummary },
      },
    },
    async (request) =>
      summarizeCommunity(
        { db: database, now: clock.now(), scale: await deps.rewardScale() },
        callingUserId(request),
        request.query,
      ),
  );
}
