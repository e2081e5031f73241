/** Requests and answers about a person's own account. */
import Type from 'typebox';
import { Page, Timestamp, Words } from '../../http/index.ts';
import { EmailCodeText, EmailText, factorFields, PasswordMd5, TicketText } from '../schemas.ts';
import { SECURITY_EVENTS } from '../security-log.ts';

export const NicknameBody = Type.Object({
  nickname: Type.String({ minLength: 1, maxLength: 400, description: '1 to 40 characters.' }),
});

export const PasswordBody = Type.Object({
  login_password: PasswordMd5,
  new_login_password: PasswordMd5,
  end_other_sessions: Type.Optional(
    Type.Boolean({ description: 'End all other sessions too. Default true.' }),
  ),
});

export const EmailBody = Type.Object({ email: EmailText });
export const EmailAnswer = Type.Object(
  { email: Type.String(), email_ticket: TicketText },
  { description: 'Codes are on their way to both addresses.' },
);
export const EmailVerifyBody = Type.Object({
  email_ticket: TicketText,
  validate_code: EmailCodeText,
  new_validate_code: EmailCodeText,
});

export const ReauthenticateBody = Type.Object({ login_password: PasswordMd5 });
export const ReauthenticateTicket = Type.Object({ login_ticket: TicketText });
export const ReauthenticateVerifyBody = Type.Object({ login_ticket: TicketText, ...factorFields });
export const Fresh = Type.Object(
  { fresh_until: Timestamp('Until then this session may change the account’s safety.') },
  { description: 'Password and second factor are proven again.' },
);

export const CloseBody = Type.Object({
  login_password: PasswordMd5,
  abandon_balance: Type.Optional(
    Type.Boolean({
      description:
        'Close although money is left, in whatever wallet, and give it up; or although money is owed.',
    }),
  ),
});

const Session = Type.Object({
  sid: Type.String({ description: 'Session.' }),
  is_current: Type.Boolean({ description: 'The session of the token presented.' }),
  client_id: Type.Optional(Type.String({ description: 'The application that it belongs to.' })),
  amr: Type.Array(Type.String(), { description: 'How the person signed in (RFC 8176).' }),
  ip: Type.String(),
  user_agent: Type.String(),
  auth_time: Timestamp('When the person proved who they are.'),
  created_at: Timestamp('When it began.'),
  expires_at: Timestamp('When it ends by itself.'),
});
export const SessionList = Type.Object(
  { sessions: Type.Array(Session) },
  { description: 'Live sessions, newest first.' },
);
export const SessionParams = Type.Object({ sid: Type.String({ description: 'Session.' }) });
export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'How many ended.' }) },
  { description: 'The other sessions ended.' },
);

export const SecurityEventPage = Page(
  Type.Object({
    id: Type.Integer(),
    type: Words(SECURITY_EVENTS, 'What happened.'),
    ip: Type.String({ description: 'From which address.' }),
    user_agent: Type.String({ description: 'With which program.' }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'More, by type.' }),
    created_at: Timestamp('When it happened.'),
  }),
);
