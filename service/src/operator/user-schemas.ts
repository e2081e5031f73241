/** Requests and responses of `/operator/users/{user_id}/…`. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Decimal, getCaller, Id, Page, PathId, parsePathId, Timestamp } from '../http/index.ts';
import { readOrigin, SecurityEventVO, type StatusChange } from '../identity/index.ts';

export const UserParams = Type.Object({ user_id: PathId('The person.') });

export const ReasonBody = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Kept in the person’s security log.',
  }),
});

/** A change of an account by an operator, with the reason for it. */
export function readStatusChange(
  request: FastifyRequest,
  pathId: string,
  reason: string,
): StatusChange {
  const { clientId, userId } = getCaller(request);
  return {
    userId: parsePathId(pathId),
    clientId,
    ...(userId !== undefined && { operatorId: userId }),
    reason,
    origin: readOrigin(request),
  };
}

export const UserSessions = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        sid: Type.String({ description: 'Session.' }),
        client_id: Type.Optional(Type.String({ description: 'Application of the session.' })),
        amr: Type.Array(Type.String(), { description: 'How the person signed in (RFC 8176).' }),
        ip: Type.String({ description: 'Network address of the sign-in.' }),
        user_agent: Type.String({ description: 'User agent of the sign-in.' }),
        auth_time: Timestamp('When the person signed in.'),
        created_at: Timestamp('When the session was created.'),
        expires_at: Timestamp('When it expires.'),
      }),
    ),
  },
  { description: 'Live sessions, newest first; at most 200.' },
);

export const EndedUserSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'Number of sessions that ended.' }) },
  { description: 'All sessions ended.' },
);

export const UserSecurityEvents = Page(SecurityEventVO);

export const UserTeam = Type.Object(
  {
    referrer: Type.Optional(
      Type.Object(
        { user_id: Id('The referrer.'), nickname: Type.String({ description: 'Nickname.' }) },
        { description: 'Who referred the person; absent: no referrer.' },
      ),
    ),
    direct_count: Type.Integer({ minimum: 0, description: 'People whom this person referred.' }),
    team_count: Type.Integer({ minimum: 0, description: 'People below this person, all levels.' }),
    levels: Type.Array(
      Type.Object({
        level: Type.Integer({ minimum: 1, description: '1: referred by the person directly.' }),
        members: Type.Integer({ minimum: 0, description: 'People at this level.' }),
      }),
      { description: 'Every level that has people.' },
    ),
  },
  { description: 'Place of the person in the referral tree.' },
);

export const UserReferrals = Page(
  Type.Object({
    user_id: Id('Who was referred.'),
    nickname: Type.String({ description: 'Nickname.' }),
    is_closed: Type.Boolean({ description: 'The account was closed: the nickname is of no user.' }),
    joined_at: Timestamp('When the account was created.'),
    direct_count: Type.Integer({ minimum: 0, description: 'People whom they referred.' }),
    team_count: Type.Integer({ minimum: 0, description: 'People below them, all levels.' }),
  }),
);

export const UserWallets = Type.Object(
  {
    wallets: Type.Array(
      Type.Object({
        wallet: Type.String({ description: '`asset`, `bonus`, or another that was added.' }),
        balances: Type.Array(
          Type.Object({
            currency: Type.String({ description: 'Currency code.' }),
            balance: Decimal('Available: credits minus debits minus what is held.'),
            hold: Decimal('Held for withdrawals.'),
            deposited: Decimal('All that was ever deposited.'),
            withdrawal: Decimal('All that was ever withdrawn.'),
          }),
          { description: 'One for each currency.' },
        ),
      }),
    ),
  },
  { description: 'All wallets of the person.' },
);

const NOTE_MAX = 2000;

export const UserNoteVO = Type.Object(
  {
    id: Id('The note.'),
    text: Type.String({ description: 'Text; empty once the data of the person are erased.' }),
    author: Type.Optional(
      Type.Object(
        { user_id: Id('The operator.'), nickname: Type.String({ description: 'Nickname.' }) },
        { description: 'Who wrote it; absent: a server, named by `client_id`.' },
      ),
    ),
    client_id: Type.String({ description: 'Client with which it was written.' }),
    created_at: Timestamp('When it was written.'),
  },
  { description: 'A note of an operator about a person.' },
);
export const UserNotes = Page(UserNoteVO);
export const NoteBody = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: NOTE_MAX,
    description: `1 to ${NOTE_MAX} characters. The person sees it in the archive of their data.`,
  }),
});
