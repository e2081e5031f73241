/** `/user/login/wallet*`, `/me/upstream-identities/wallet*`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from '../../http/index.ts';
import { accountAccess, requireFullSession } from '../account/require-reauthentication.ts';
import { bindBrowser, readBrowser, readOrigin } from '../browser-cookie.ts';
import type { IdentityContext } from '../context.ts';
import { IdentityList, SecondFactorStep } from '../upstream/schemas.ts';
import { readIdentities } from '../upstream/upstream-identities.ts';
import {
  finishWalletSignIn,
  linkWallet,
  startWalletLink,
  startWalletSignIn,
} from './finish-wallet.ts';
import { walletLinkOperations, walletSignInOperations } from './operations.ts';
import { SignedChallenge, StartedChallenge, WalletOrder } from './schemas.ts';
import { WALLET_CHALLENGE_LIFETIME_S } from './wallet-challenge.ts';

/** The browser that starts and the one that finishes are the same. */
function createBinding({ config, ticketRules }: IdentityContext) {
  const isSecure = config.BASE_URL.startsWith('https:');
  const lifetime_s = WALLET_CHALLENGE_LIFETIME_S + ticketRules.login.lifetime_s;
  return {
    bind: (request: FastifyRequest, reply: FastifyReply) =>
      bindBrowser(request, reply, isSecure, lifetime_s),
    read: (request: FastifyRequest) => readBrowser(request, isSecure),
  };
}

function registerSignIn(app: HttpServer, context: IdentityContext): void {
  const browser = createBinding(context);
  app.post(
    '/user/login/wallet',
    {
      config: { access: 'open' },
      schema: {
        ...walletSignInOperations.startWalletSignIn,
        body: WalletOrder,
        response: { 200: StartedChallenge },
      },
    },
    async (request, reply) => {
      const bound = browser.bind(request, reply);
      return startWalletSignIn(context, request.body, readOrigin(request), bound);
    },
  );
  app.post(
    '/user/login/wallet/finish',
    {
      config: { access: 'open' },
      schema: {
        ...walletSignInOperations.finishWalletSignIn,
        body: SignedChallenge,
        response: { 200: SecondFactorStep },
      },
    },
    async (request) => {
      const bound = browser.read(request);
      const result = await finishWalletSignIn(context, request.body, readOrigin(request), bound);
      return { ...result, next: 'second_factor' as const };
    },
  );
}

function registerLink(app: HttpServer, context: IdentityContext): void {
  const browser = createBinding(context);
  app.post(
    '/me/upstream-identities/wallet/start',
    {
      config: accountAccess,
      schema: {
        ...walletLinkOperations.startWalletLink,
        body: WalletOrder,
        response: { 200: StartedChallenge },
      },
    },
    async (request, reply) => {
      const session = requireFullSession(request);
      return startWalletLink(context, session, request.body, browser.bind(request, reply));
    },
  );
  app.post(
    '/me/upstream-identities/wallet',
    {
      config: accountAccess,
      schema: {
        ...walletLinkOperations.linkWallet,
        body: SignedChallenge,
        response: { 200: IdentityList },
      },
    },
    async (request) => {
      const session = requireFullSession(request);
      await linkWallet(context, session, request.body, browser.read(request));
      return readIdentities(context.database, session.userId);
    },
  );
}

export function registerWalletRoutes(app: HttpServer, context: IdentityContext): void {
  registerSignIn(app, context);
  registerLink(app, context);
}
