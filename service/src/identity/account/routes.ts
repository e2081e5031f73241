/** `/me`: the signed-in user, and changes of their account. */

import { callingUserId, type HttpServer, PageQuery, toPage } from '../../http/index.ts';
import type { IdentityContext } from '../context.ts';
import { Me, Nothing } from '../schemas.ts';
import { listSecurityEvents } from '../security-log.ts';
import { finishEmailChange, startEmailChange } from './change-email.ts';
import { changeNickname } from './change-nickname.ts';
import { changePassword } from './change-password.ts';
import { closeAccount } from './close-account.ts';
import { operations } from './operations.ts';
import { readMe } from './read-me.ts';
import { registerReauthentication } from './reauthentication-routes.ts';
import { accountAccess, requireFullSession } from './require-reauthentication.ts';
import {
  CloseBody,
  EmailAnswer,
  EmailBody,
  EmailVerifyBody,
  EndedSessions,
  NicknameBody,
  PasswordBody,
  SecurityEventPage,
  SessionList,
  SessionParams,
} from './schemas.ts';
import { endOneSession, endOtherSessions, readSessions } from './sessions.ts';

function registerChanges(app: HttpServer, context: IdentityContext): void {
  app.patch(
    '/me',
    {
      config: accountAccess,
      schema: { ...operations.updateMe, body: NicknameBody, response: { 200: Me } },
    },
    async (request) => {
      await changeNickname(context, requireFullSession(request), request.body.nickname);
      return readMe(context.database, context.clock, callingUserId(request));
    },
  );
  app.post(
    '/me/password',
    {
      config: accountAccess,
      schema: { ...operations.changePassword, body: PasswordBody, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await changePassword(context, requireFullSession(request), request.body);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/email',
    {
      config: accountAccess,
      schema: { ...operations.startEmailChange, body: EmailBody, response: { 202: EmailAnswer } },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await startEmailChange(context, requireFullSession(request), request.body.email)),
  );
  app.post(
    '/me/email/verify',
    {
      config: accountAccess,
      schema: { ...operations.finishEmailChange, body: EmailVerifyBody, response: { 200: Me } },
    },
    async (request) => {
      await finishEmailChange(context, requireFullSession(request), request.body);
      return readMe(context.database, context.clock, callingUserId(request));
    },
  );
  app.post(
    '/me/close',
    {
      config: accountAccess,
      schema: { ...operations.closeAccount, body: CloseBody, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await closeAccount(context, requireFullSession(request), request.body);
      return reply.code(204).send(null);
    },
  );
}

function registerSessions(app: HttpServer, context: IdentityContext): void {
  app.get(
    '/me/sessions',
    {
      config: accountAccess,
      schema: { ...operations.listSessions, response: { 200: SessionList } },
    },
    async (request) => ({
      sessions: await readSessions(context.database, context.clock, requireFullSession(request)),
    }),
  );
  app.post(
    '/me/sessions/:sid/end',
    {
      config: accountAccess,
      schema: { ...operations.endSession, params: SessionParams, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await endOneSession(context, requireFullSession(request), request.params.sid);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/sessions/end-others',
    {
      config: accountAccess,
      schema: { ...operations.endOtherSessions, response: { 200: EndedSessions } },
    },
    async (request) => endOtherSessions(context, requireFullSession(request)),
  );
  app.get(
    '/me/security-events',
    {
      config: accountAccess,
      schema: {
        ...operations.listSecurityEvents,
        querystring: PageQuery,
        response: { 200: SecurityEventPage },
      },
    },
    async (request) => {
      const { records, total } = await listSecurityEvents(
        context.database,
        callingUserId(request),
        request.query,
      );
      return toPage(records, total, request.query);
    },
  );
}

export function registerAccountRoutes(app: HttpServer, context: IdentityContext): void {
  app.get(
    '/me',
    {
      config: { access: { scopes: ['profile', 'email'] } },
      schema: { ...operations.getMe, response: { 200: Me } },
    },
    async (request) => readMe(context.database, context.clock, callingUserId(request)),
  );
  registerReauthentication(app, context);
  registerChanges(app, context);
  registerSessions(app, context);
}
