/** Requests and responses about the signed-in user's account. */
import Type from 'typebox';
import { Page, StringEnum, Timestamp } from '../../http/index.ts';
import { EmailCodeText, EmailText, factorFields, PasswordMd5, TicketText } from '../schemas.ts';
import { SECURITY_EVENTS } from '../security-log.ts';

export const NicknameBody = Type.Object({
  nickname: Type.String({ minLength: 1, maxLength: 400, description: '1 to 40 characters.' }),
});

export const PasswordBody = Type.Object({
  login_password: PasswordMd5,
  new_login_password: PasswordMd5,
  end_other_sessions: Type.Optional(
    Type.Boolean({ description: 'End all other sessions. Default: true.' }),
  ),
});

export const EmailBody = Type.Object({ email: EmailText });
export const EmailAnswer = Type.Object(
  { email: Type.String(), email_ticket: TicketText },
  { description: 'Codes are mailed to both addresses.' },
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
  { fresh_until: Timestamp('Until then this session may change security settings.') },
  { description: 'Password and second factor are verified.' },
);

export const CloseBody = Type.Object({
  login_password: PasswordMd5,
  abandon_balance: Type.Optional(
    Type.Boolean({
      description:
        'Close although a wallet holds money, which is given up, or although money is owed.',
    }),
  ),
});

const Session = Type.Object({
  sid: Type.String({ description: 'Session.' }),
  is_current: Type.Boolean({ description: 'The session of the token presented.' }),
  client_id: Type.Optional(Type.String({ description: 'Application of the session.' })),
  amr: Type.Array(Type.String(), { description: 'How the user signed in (RFC 8176).' }),
  ip: Type.String(),
  user_agent: Type.String(),
  auth_time: Timestamp('When the user signed in.'),
  created_at: Timestamp('When it was created.'),
  expires_at: Timestamp('When it expires.'),
});
export const SessionList = Type.Object(
  { sessions: Type.Array(Session) },
  { description: 'Live sessions, newest first.' },
);
export const SessionParams = Type.Object({ sid: Type.String({ description: 'Session.' }) });
export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'Number of ended sessions.' }) },
  { description: 'The other sessions ended.' },
);

export const SecurityEventVO = Type.Object({
  id: Type.Integer({ description: 'The event.' }),
  type: StringEnum(SECURITY_EVENTS, 'What happened.'),
  ip: Type.String({ description: 'Network address.' }),
  user_agent: Type.String({ description: 'User agent.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Values of the event, by type.',
  }),
  created_at: Timestamp('When it happened.'),
});

export const SecurityEventPage = Page(SecurityEventVO);
