/** `/me/reauthenticate*` */

import type { HttpServer } from '../../http/index.ts';
import type { IdentityContext } from '../context.ts';
import { sendEmailCode } from '../login/send-email-code.ts';
import { startPasskey } from '../login/start-passkey.ts';
import { LoginResultVO, Nothing, PasskeyOptions } from '../schemas.ts';
import { operations } from './operations.ts';
import {
  finishReauthentication,
  reauthenticationTicket,
  startReauthentication,
} from './reauthenticate.ts';
import { accountAccess, requireFullSession } from './require-reauthentication.ts';
import {
  Fresh,
  ReauthenticateBody,
  ReauthenticateTicket,
  ReauthenticateVerifyBody,
} from './schemas.ts';

function registerStart(app: HttpServer, context: IdentityContext): void {
  app.post(
    '/me/reauthenticate',
    {
      config: accountAccess,
      schema: {
        ...operations.startReauthentication,
        body: ReauthenticateBody,
        response: { 200: LoginResultVO },
      },
    },
    async (request) =>
      startReauthentication(context, requireFullSession(request), request.body.login_password),
  );
}

export function registerReauthentication(app: HttpServer, context: IdentityContext): void {
  registerStart(app, context);
  app.post(
    '/me/reauthenticate/email-code',
    {
      config: accountAccess,
      schema: {
        ...operations.sendReauthenticationCode,
        body: ReauthenticateTicket,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const session = requireFullSession(request);
      await sendEmailCode(
        context,
        await reauthenticationTicket(context, session, request.body.login_ticket),
        session.origin,
      );
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/reauthenticate/passkey-options',
    {
      config: accountAccess,
      schema: {
        ...operations.createReauthenticationPasskeyOptions,
        body: ReauthenticateTicket,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) =>
      startPasskey(
        context,
        await reauthenticationTicket(
          context,
          requireFullSession(request),
          request.body.login_ticket,
        ),
      ),
  );
  app.post(
    '/me/reauthenticate/2fa',
    {
      config: accountAccess,
      schema: {
        ...operations.finishReauthentication,
        body: ReauthenticateVerifyBody,
        response: { 200: Fresh },
      },
    },
    async (request) => finishReauthentication(context, requireFullSession(request), request.body),
  );
}
