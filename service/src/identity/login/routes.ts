/** `/user/register*`, `/user/login*`, `/user/logout`. */

import { getCaller, type HttpServer } from '../../http/index.ts';
import { bindBrowser, readBrowser, readOrigin } from '../browser-cookie.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { showInvitation } from '../register/show-invitation.ts';
import { startRegistration } from '../register/start-registration.ts';
import { verifyRegistration } from '../register/verify-registration.ts';
import {
  ChallengeHeaders,
  EmailCodeBody,
  InvitationParams,
  InvitationVO,
  LoginForm,
  LoginResultVO,
  LoginVerifyForm,
  LogoutBody,
  Nothing,
  PasskeyOptions,
  PasskeySignInForm,
  RegisterAnswer,
  RegisterBody,
  RegisteredUser,
  RegisterVerifyBody,
  StartedPasskeySignIn,
  UserDetails,
} from '../schemas.ts';
import type { PresentedTicket } from '../tickets.ts';
import { finishLogin } from './finish-login.ts';
import { logOut } from './log-out.ts';
import { operations } from './operations.ts';
import { PASSKEY_CHALLENGE_LIFETIME_S } from './passkey-challenge.ts';
import { sendEmailCode } from './send-email-code.ts';
import { finishPasskeySignIn, startPasskeySignIn } from './sign-in-by-passkey.ts';
import { startLogin } from './start-login.ts';
import { startPasskey } from './start-passkey.ts';

const open = { access: 'open' as const };

function registerRegistration(app: HttpServer, context: IdentityContext): void {
  const isSecure = context.config.BASE_URL.startsWith('https:');
  app.post(
    '/user/register',
    {
      config: open,
      schema: {
        ...operations.startRegistration,
        headers: ChallengeHeaders,
        body: RegisterBody,
        response: { 202: RegisterAnswer },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await startRegistration(context, request.body, readOrigin(request))),
  );
  app.get(
    '/user/invitations/:referral_code',
    {
      config: open,
      schema: {
        ...operations.getInvitation,
        params: InvitationParams,
        response: { 200: InvitationVO },
      },
    },
    async (request) => showInvitation(context, request.params.referral_code, request.ip),
  );
  app.post(
    '/user/register/verify',
    {
      config: open,
      schema: {
        ...operations.verifyRegistration,
        body: RegisterVerifyBody,
        response: { 200: RegisteredUser },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const user = await verifyRegistration(
        context,
        body,
        readOrigin(request),
        bindBrowser(request, reply, isSecure, context.ticketRules.registered.lifetime_s),
      );
      const { userId: user_id, email, nickname, referralCode: referral_code } = user;
      return { user_id, email, nickname, referral_code, login_ticket: body.register_ticket };
    },
  );
}

function loginTicket(
  body: { email: string; login_ticket: string },
  browser: string | undefined,
): PresentedTicket & { readonly purpose: 'login' } {
  return {
    ticket: body.login_ticket,
    purpose: 'login',
    emailKey: readEmail(body.email).key,
    ...(browser !== undefined && { browser }),
  };
}

function registerPassword(app: HttpServer, context: IdentityContext): void {
  const isSecure = context.config.BASE_URL.startsWith('https:');
  const { lifetime_s } = context.ticketRules.login;
  app.post(
    '/user/login-with-password',
    {
      config: open,
      schema: {
        ...operations.startLogin,
        headers: ChallengeHeaders,
        body: LoginForm,
        response: { 200: LoginResultVO },
      },
    },
    async (request, reply) => {
      const browser = bindBrowser(request, reply, isSecure, lifetime_s);
      return startLogin(context, request.body, readOrigin(request), browser);
    },
  );
  app.post(
    '/user/login/email-code',
    {
      config: open,
      schema: {
        ...operations.sendLoginCode,
        headers: ChallengeHeaders,
        body: EmailCodeBody,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await sendEmailCode(
        context,
        loginTicket(request.body, readBrowser(request, isSecure)),
        readOrigin(request),
      );
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/user/login/passkey-options',
    {
      config: open,
      schema: {
        ...operations.createLoginPasskeyOptions,
        body: EmailCodeBody,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) =>
      startPasskey(context, loginTicket(request.body, readBrowser(request, isSecure))),
  );
}

function registerPasskey(app: HttpServer, context: IdentityContext): void {
  const isSecure = context.config.BASE_URL.startsWith('https:');
  app.post(
    '/user/login/passkey',
    {
      config: { ...open, handlesFailures: true },
      schema: { ...operations.startPasskeySignIn, response: { 200: StartedPasskeySignIn } },
    },
    async (request, reply) => {
      const browser = bindBrowser(request, reply, isSecure, PASSKEY_CHALLENGE_LIFETIME_S);
      return startPasskeySignIn(context, browser);
    },
  );
  app.post(
    '/user/login/passkey/finish',
    {
      config: open,
      schema: {
        ...operations.finishPasskeySignIn,
        body: PasskeySignInForm,
        response: { 200: UserDetails },
      },
    },
    async (request) => {
      const browser = readBrowser(request, isSecure);
      return finishPasskeySignIn(context, request.body, readOrigin(request), browser);
    },
  );
}

function registerSecondFactor(app: HttpServer, context: IdentityContext): void {
  const isSecure = context.config.BASE_URL.startsWith('https:');
  app.post(
    '/user/login/2fa',
    {
      config: open,
      schema: { ...operations.finishLogin, body: LoginVerifyForm, response: { 200: UserDetails } },
    },
    async (request) =>
      finishLogin(context, request.body, readOrigin(request), readBrowser(request, isSecure)),
  );
  app.post(
    '/user/logout',
    {
      config: { access: { scopes: [], tokens: ['business', 'device'] } },
      schema: { ...operations.logOut, body: LogoutBody, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await logOut(context, getCaller(request), request.body, readOrigin(request));
      return reply.code(204).send(null);
    },
  );
}

export function registerLoginRoutes(app: HttpServer, context: IdentityContext): void {
  registerRegistration(app, context);
  registerPassword(app, context);
  registerPasskey(app, context);
  registerSecondFactor(app, context);
}
