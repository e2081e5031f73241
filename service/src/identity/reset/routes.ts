/** `/user/password/reset*` */

import Type from 'typebox';
import type { HttpServer } from '../../http/index.ts';
import { readOrigin } from '../browser-cookie.ts';
import type { IdentityContext } from '../context.ts';
import { startPasskey } from '../login/start-passkey.ts';
import {
  ChallengeHeaders,
  EmailCodeText,
  EmailText,
  factorFields,
  Method,
  Methods,
  Nothing,
  PasskeyOptions,
  PasswordMd5,
  TicketText,
} from '../schemas.ts';
import { completeReset } from './complete-reset.ts';
import { operations } from './operations.ts';
import { presentReset, startReset, verifyReset } from './reset-password.ts';

const open = { access: 'open' as const };

const ResetBody = Type.Object({ email: EmailText });
const ResetAnswer = Type.Object(
  { email: Type.String(), reset_ticket: TicketText },
  { description: 'If the address has an account, a code is mailed to it.' },
);
const ResetTicket = { email: EmailText, reset_ticket: TicketText };
const VerifyBody = Type.Object(
  { ...ResetTicket, validate_code: EmailCodeText, login_password: Type.Optional(PasswordMd5) },
  {
    description:
      'With `login_password` the new password is checked too; if it is refused, the code stays ' +
      'usable.',
  },
);
const VerifyAnswer = Type.Object(
  { need_two_factor: Type.Boolean(), two_factor_methods: Methods },
  {
    description:
      'The mailbox is verified. A second factor is required too, unless EMAIL is the only one.',
  },
);
const CompleteBody = Type.Object({
  ...ResetTicket,
  login_password: PasswordMd5,
  ...factorFields,
  method: Type.Optional(Method),
});

export function registerResetRoutes(app: HttpServer, context: IdentityContext): void {
  app.post(
    '/user/password/reset',
    {
      config: open,
      schema: {
        ...operations.startPasswordReset,
        headers: ChallengeHeaders,
        body: ResetBody,
        response: { 202: ResetAnswer },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await startReset(context, request.body.email, readOrigin(request))),
  );
  app.post(
    '/user/password/reset/verify',
    {
      config: open,
      schema: {
        ...operations.verifyPasswordReset,
        body: VerifyBody,
        response: { 200: VerifyAnswer },
      },
    },
    async (request) => verifyReset(context, request.body, readOrigin(request)),
  );
  app.post(
    '/user/password/reset/passkey-options',
    {
      config: open,
      schema: {
        ...operations.createResetPasskeyOptions,
        body: Type.Object(ResetTicket),
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => startPasskey(context, presentReset(request.body)),
  );
  app.post(
    '/user/password/reset/complete',
    {
      config: open,
      schema: {
        ...operations.completePasswordReset,
        body: CompleteBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await completeReset(context, request.body, readOrigin(request));
      return reply.code(204).send(null);
    },
  );
}
