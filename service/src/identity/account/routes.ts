/** `/me`: the person, and what they change about themselves. */
import { callingUserId, type HttpServer, PageQuery, toPage } from '../../http/index.ts';
import type { IdentityContext } from '../context.ts';
import { sendEmailCode } from '../login/send-email-code.ts';
import { startPasskey } from '../login/start-passkey.ts';
import { LoginResultVO, Me, Nothing, PasskeyOptions } from '../schemas.ts';
import { listSecurityEvents } from '../security-log.ts';
import { finishEmailChange, startEmailChange } from './change-email.ts';
import { changeNickname } from './change-nickname.ts';
import { changePassword } from './change-password.ts';
import { closeAccount } from './close-account.ts';
import { readMe } from './read-me.ts';
import {
  finishReauthentication,
  reauthenticationTicket,
  startReauthentication,
} from './reauthenticate.ts';
import { manages, requireFullSession } from './require-reauthentication.ts';
import {
  CloseBody,
  EmailAnswer,
  EmailBody,
  EmailVerifyBody,
  EndedSessions,
  Fresh,
  NicknameBody,
  PasswordBody,
  ReauthenticateBody,
  ReauthenticateTicket,
  ReauthenticateVerifyBody,
  SecurityEventPage,
  SessionList,
  SessionParams,
} from './schemas.ts';
import { endOneSession, endOtherSessions, readSessions } from './sessions.ts';

const tags = ['account of a person'];

function registerReauthentication(app: HttpServer, kit: IdentityContext): void {
  app.post(
    '/me/reauthenticate',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Prove the password again',
        body: ReauthenticateBody,
        response: { 200: LoginResultVO },
      },
    },
    async (request) =>
      startReauthentication(kit, requireFullSession(request), request.body.login_password),
  );
  app.post(
    '/me/reauthenticate/email-code',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Send the email code of a renewed proof',
        body: ReauthenticateTicket,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const manager = requireFullSession(request);
      await sendEmailCode(
        kit,
        await reauthenticationTicket(kit, manager, request.body.login_ticket),
        manager.origin.language,
      );
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/reauthenticate/passkey-options',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Get the passkey challenge of a renewed proof',
        body: ReauthenticateTicket,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) =>
      startPasskey(
        kit,
        await reauthenticationTicket(kit, requireFullSession(request), request.body.login_ticket),
      ),
  );
  app.post(
    '/me/reauthenticate/2fa',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Prove the second factor again',
        body: ReauthenticateVerifyBody,
        response: { 200: Fresh },
      },
    },
    async (request) => finishReauthentication(kit, requireFullSession(request), request.body),
  );
}

function registerChanges(app: HttpServer, kit: IdentityContext): void {
  app.patch(
    '/me',
    {
      config: manages,
      schema: { tags, summary: 'Change the nickname', body: NicknameBody, response: { 200: Me } },
    },
    async (request) => {
      await changeNickname(kit, requireFullSession(request), request.body.nickname);
      return readMe(kit.database, kit.clock, callingUserId(request));
    },
  );
  app.post(
    '/me/password',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Change the password',
        body: PasswordBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await changePassword(kit, requireFullSession(request), request.body);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/email',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Begin to change the address',
        body: EmailBody,
        response: { 202: EmailAnswer },
      },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await startEmailChange(kit, requireFullSession(request), request.body.email)),
  );
  app.post(
    '/me/email/verify',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Prove both addresses and change',
        body: EmailVerifyBody,
        response: { 200: Me },
      },
    },
    async (request) => {
      await finishEmailChange(kit, requireFullSession(request), request.body);
      return readMe(kit.database, kit.clock, callingUserId(request));
    },
  );
  app.post(
    '/me/close',
    {
      config: manages,
      schema: {
        tags,
        summary: 'Close the account for good',
        body: CloseBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await closeAccount(kit, requireFullSession(request), request.body);
      return reply.code(204).send(null);
    },
  );
}

function registerSessions(app: HttpServer, kit: IdentityContext): void {
  app.get(
    '/me/sessions',
    {
      config: manages,
      schema: { tags, summary: 'Sessions of the person', response: { 200: SessionList } },
    },
    async (request) => ({
      sessions: await readSessions(kit.database, kit.clock, requireFullSession(request)),
    }),
  );
  app.post(
    '/me/sessions/:sid/end',
    {
      config: manages,
      schema: {
        tags,
        summary: 'End one session',
        params: SessionParams,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await endOneSession(kit, requireFullSession(request), request.params.sid);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/me/sessions/end-others',
    {
      config: manages,
      schema: { tags, summary: 'End all other sessions', response: { 200: EndedSessions } },
    },
    async (request) => endOtherSessions(kit, requireFullSession(request)),
  );
  app.get(
    '/me/security-events',
    {
      config: manages,
      schema: {
        tags,
        summary: 'What happened to the account’s safety',
        querystring: PageQuery,
        response: { 200: SecurityEventPage },
      },
    },
    async (request) => {
      const { records, total } = await listSecurityEvents(
        kit.database,
        callingUserId(request),
        request.query,
      );
      return toPage(records, total, request.query);
    },
  );
}

export function registerAccountRoutes(app: HttpServer, kit: IdentityContext): void {
  app.get(
    '/me',
    {
      config: { access: { scopes: ['profile', 'email'] } },
      schema: { tags, summary: 'The signed-in person', response: { 200: Me } },
    },
    async (request) => readMe(kit.database, kit.clock, callingUserId(request)),
  );
  registerReauthentication(app, kit);
  registerChanges(app, kit);
  registerSessions(app, kit);
}
