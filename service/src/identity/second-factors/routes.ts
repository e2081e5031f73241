/** `/me/second-factors` and their changes. */

import Type from 'typebox';
import { callingUserId, type HttpServer, PathId, parsePathId } from '../../http/index.ts';
import { accountAccess, requireFullSession } from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { Nothing, PasskeyOptions } from '../schemas.ts';
import {
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  setEmailFactor,
} from './change-factors.ts';
import { confirmAuthenticator, startAuthenticator } from './enrol-authenticator.ts';
import { operations } from './operations.ts';
import { relyingParty } from './passkeys.ts';
import { readSecondFactors } from './read-second-factors.ts';
import { addPasskey, startPasskeyRegistration } from './register-passkey.ts';
import {
  AuthenticatorSecret,
  ConfirmBody,
  EmailFactorBody,
  FactorAnswer,
  PasskeyBody,
  RecoveryCodes,
  RemoveBody,
  SecondFactors,
} from './schemas.ts';

function registerAuthenticator(app: HttpServer, context: IdentityContext): void {
  app.post(
    '/me/authenticator',
    {
      config: accountAccess,
      schema: { ...operations.startAuthenticatorEnrolment, response: { 200: AuthenticatorSecret } },
    },
    async (request) => startAuthenticator(context, requireFullSession(request)),
  );
  app.post(
    '/me/authenticator/confirm',
    {
      config: accountAccess,
      schema: {
        ...operations.confirmAuthenticator,
        body: ConfirmBody,
        response: { 200: FactorAnswer },
      },
    },
    async (request) => confirmAuthenticator(context, requireFullSession(request), request.body),
  );
  app.post(
    '/me/authenticator/remove',
    {
      config: accountAccess,
      schema: { ...operations.removeAuthenticator, body: RemoveBody, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await removeAuthenticator(
        context,
        requireFullSession(request),
        request.body.end_other_sessions,
      );
      return reply.code(204).send(null);
    },
  );
}

const PasskeyParams = Type.Object({ id: PathId('Passkey.') });

function registerPasskeys(app: HttpServer, context: IdentityContext): void {
  app.post(
    '/me/passkeys/options',
    {
      config: accountAccess,
      schema: { ...operations.createPasskeyOptions, response: { 200: PasskeyOptions } },
    },
    async (request) => startPasskeyRegistration(context, requireFullSession(request)),
  );
  app.post(
    '/me/passkeys',
    {
      config: accountAccess,
      schema: { ...operations.addPasskey, body: PasskeyBody, response: { 200: FactorAnswer } },
    },
    async (request) => addPasskey(context, requireFullSession(request), request.body),
  );
  app.post(
    '/me/passkeys/:id/delete',
    {
      config: accountAccess,
      schema: {
        ...operations.deletePasskey,
        params: PasskeyParams,
        body: RemoveBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await removePasskey(
        context,
        requireFullSession(request),
        parsePathId(request.params.id),
        request.body.end_other_sessions,
      );
      return reply.code(204).send(null);
    },
  );
}

const RelatedOrigins = Type.Object(
  { origins: Type.Array(Type.String()) },
  { description: 'Origins that may use the passkeys of this host (WebAuthn 3, related origins).' },
);

export function registerSecondFactorRoutes(app: HttpServer, context: IdentityContext): void {
  app.get(
    '/.well-known/webauthn',
    {
      config: { access: 'open', handlesFailures: true },
      schema: { ...operations.getRelatedOrigins, response: { 200: RelatedOrigins } },
    },
    async () => ({ origins: relyingParty(context.config).origins }),
  );
  app.get(
    '/me/second-factors',
    {
      config: accountAccess,
      schema: { ...operations.listSecondFactors, response: { 200: SecondFactors } },
    },
    async (request) => readSecondFactors(context.database, context.clock, callingUserId(request)),
  );
  registerAuthenticator(app, context);
  registerPasskeys(app, context);
  app.post(
    '/me/recovery-codes',
    {
      config: accountAccess,
      schema: { ...operations.replaceRecoveryCodes, response: { 200: RecoveryCodes } },
    },
    async (request) => ({
      recovery_codes: await renewRecoveryCodes(context, requireFullSession(request)),
    }),
  );
  app.post(
    '/me/email-factor',
    {
      config: accountAccess,
      schema: {
        ...operations.updateEmailFactor,
        body: EmailFactorBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await setEmailFactor(context, requireFullSession(request), request.body.enabled);
      return reply.code(204).send(null);
    },
  );
}
