/** `/user/register*`, `/user/login*`, `/user/logout`. */
import { callerOf, type HttpServer } from '../../http/index.ts';
import { bindBrowser, originOf, readBrowser } from '../browser-cookie.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { startRegistration } from '../register/start-registration.ts';
import { HANDOVER_TTL_S, verifyRegistration } from '../register/verify-registration.ts';
import {
  EmailCodeBody,
  LoginForm,
  LoginResultVO,
  LoginVerifyForm,
  LogoutBody,
  Nothing,
  PasskeyOptions,
  RegisterAnswer,
  RegisterBody,
  RegisteredUser,
  RegisterVerifyBody,
  UserDetails,
} from '../schemas.ts';
import type { PresentedTicket } from '../tickets.ts';
import { finishLogin } from './finish-login.ts';
import { endLogin } from './log-out.ts';
import { sendEmailCode } from './send-email-code.ts';
import { startLogin } from './start-login.ts';
import { startPasskey } from './start-passkey.ts';

const open = { access: 'open' as const };
const tags = ['sign-in'];

function registerRegistration(app: HttpServer, kit: IdentityContext): void {
  const isSecure = kit.config.BASE_URL.startsWith('https:');
  app.post(
    '/user/register',
    {
      config: open,
      schema: {
        tags,
        summary: 'Begin an account',
        body: RegisterBody,
        response: { 202: RegisterAnswer },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await startRegistration(kit, request.body, originOf(request))),
  );
  app.post(
    '/user/register/verify',
    {
      config: open,
      schema: {
        tags,
        summary: 'Prove the address and make the account',
        body: RegisterVerifyBody,
        response: { 200: RegisteredUser },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const user = await verifyRegistration(
        kit,
        body,
        originOf(request),
        bindBrowser(request, reply, isSecure, HANDOVER_TTL_S),
      );
      const { userId: user_id, email, nickname, referralCode: referral_code } = user;
      return { user_id, email, nickname, referral_code, login_ticket: body.register_ticket };
    },
  );
}

function loginTicket(
  body: { email: string; login_ticket: string },
  browser: string | undefined,
): PresentedTicket {
  return {
    ticket: body.login_ticket,
    purpose: 'login',
    emailKey: readEmail(body.email).key,
    ...(browser !== undefined && { browser }),
  };
}

function registerLogin(app: HttpServer, kit: IdentityContext): void {
  const isSecure = kit.config.BASE_URL.startsWith('https:');
  app.post(
    '/user/login-with-password',
    {
      config: open,
      schema: {
        tags,
        summary: 'Begin to sign in with a password',
        body: LoginForm,
        response: { 200: LoginResultVO },
      },
    },
    async (request, reply) => {
      const browser = bindBrowser(request, reply, isSecure, kit.config.LOGIN_TICKET_TTL);
      return startLogin(kit, request.body, originOf(request), browser);
    },
  );
  app.post(
    '/user/login/email-code',
    {
      config: open,
      schema: {
        tags,
        summary: 'Send the email code of a login ticket',
        body: EmailCodeBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await sendEmailCode(
        kit,
        loginTicket(request.body, readBrowser(request, isSecure)),
        originOf(request).language,
      );
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/user/login/passkey-options',
    {
      config: open,
      schema: {
        tags,
        summary: 'Get the passkey challenge of a login ticket',
        body: EmailCodeBody,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => startPasskey(kit, loginTicket(request.body, readBrowser(request, isSecure))),
  );
  app.post(
    '/user/login/2fa',
    {
      config: open,
      schema: {
        tags,
        summary: 'Finish to sign in with a second factor',
        body: LoginVerifyForm,
        response: { 200: UserDetails },
      },
    },
    async (request) =>
      finishLogin(kit, request.body, originOf(request), readBrowser(request, isSecure)),
  );
  app.post(
    '/user/logout',
    {
      config: { access: { scopes: [], tokens: ['business', 'device'] } },
      schema: {
        tags,
        summary: 'End this session, or all sessions',
        body: LogoutBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await endLogin(kit, callerOf(request), request.body, originOf(request));
      return reply.code(204).send(null);
    },
  );
}

export function registerLoginRoutes(app: HttpServer, kit: IdentityContext): void {
  registerRegistration(app, kit);
  registerLogin(app, kit);
}
