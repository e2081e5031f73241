/** The community's records and parameters. */
import Type, { type Static } from 'typebox';
import { Day, Decimal, Id, PageParameters, StringEnum, Timestamp } from '../http/index.ts';

/** Longer than any nickname or address. */
const KEYWORD_MAX = 254;

export const CommunityMemberVO = Type.Object(
  {
    user_id: Id('The member.'),
    nickname: Type.String({ description: 'Nickname.' }),
    email: Type.String({
      description: 'Email address; masked unless the member is a direct referral.',
    }),
    level: Type.Integer({
      minimum: 1,
      description: 'Distance from the caller: 1 for direct referrals.',
    }),
    referrer_id: Id('Who referred the member.'),
    direct_count: Type.Integer({ minimum: 0, description: "The member's own direct referrals." }),
    team_count: Type.Integer({ minimum: 0, description: "The member's whole downline." }),
    joined_at: Timestamp('When the member joined.'),
    package_amount: Decimal(
      'Own confirmed package purchases net of refunds, in the reward currency.',
    ),
    team_performance: Decimal(
      "The same summed over the member's whole downline, the member not included.",
    ),
    note: Type.String({
      description: "The caller's note on this direct referral; empty for others.",
    }),
    is_closed: Type.Boolean({
      description: 'The account was closed: nickname and email address belong to no user.',
    }),
  },
  { $id: 'CommunityMemberVO', description: 'A member of the community.' },
);
export type CommunityMember = Static<typeof CommunityMemberVO>;

const filters = {
  keyword: Type.Optional(
    Type.String({
      maxLength: KEYWORD_MAX,
      description:
        'Part of the nickname, case and accent insensitive; part of the email address for direct ' +
        'referrals, the whole address for others.',
    }),
  ),
  beginDate: Type.Optional(Day('First UTC day of joining.')),
  endDate: Type.Optional(Day('Last UTC day of joining.')),
  type: Type.Optional(
    StringEnum(
      ['DIRECT', 'COMMUNITY'],
      'DIRECT: direct referrals; COMMUNITY: the whole downline. Default: DIRECT.',
    ),
  ),
};

export const MemberFilters = Type.Object(filters);
export type MemberFilters = Static<typeof MemberFilters>;
export const MembersQuery = Type.Object({ ...filters, ...PageParameters });
export type MembersQuery = Static<typeof MembersQuery>;

export const NoteForm = Type.Object({
  target_user_id: Id('The direct referral.'),
  note: Type.String({
    maxLength: 1000,
    description: 'At most 20 grapheme clusters; empty clears the note.',
  }),
});
export const NoteResult = Type.Object({
  target_user_id: Id('The direct referral.'),
  note: Type.String({ description: 'The note as it is now.' }),
});

export const SummaryQuery = Type.Object({
  beginDate: Type.Optional(Day('First UTC day of `joins`; default: 29 days before the last.')),
  endDate: Type.Optional(Day('Last UTC day of `joins`; default: today. At most 366 days in all.')),
});
export type SummaryQuery = Static<typeof SummaryQuery>;

export const CommunitySummary = Type.Object({
  direct_count: Type.Integer({ description: 'Direct referrals.' }),
  team_count: Type.Integer({ description: 'The whole downline.' }),
  package_amount: Decimal("The caller's own confirmed purchases net of refunds."),
  team_performance: Decimal('The same summed over the whole downline, the caller not included.'),
  levels: Type.Array(
    Type.Object({
      level: Type.Integer({ description: 'Distance from the caller.' }),
      members: Type.Integer({ description: 'Members at this level.' }),
      performance: Decimal('Their own purchases together.'),
    }),
  ),
  joins: Type.Array(
    Type.Object({
      date: Day('UTC day.'),
      direct: Type.Integer({ description: 'Direct referrals who joined.' }),
      community: Type.Integer({ description: 'Members of the whole downline who joined.' }),
    }),
    { description: 'Every day of the range, also those without joins.' },
  ),
});
export type CommunitySummary = Static<typeof CommunitySummary>;
