/** `/user/login/upstream*`, `/user/register/upstream`, `/me/upstream-identities*`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { callingUserId, type HttpServer, PathId, parsePathId } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { accountAccess, requireFullSession } from '../account/require-reauthentication.ts';
import { bindBrowser, readBrowser, readOrigin } from '../browser-cookie.ts';
import type { IdentityContext } from '../context.ts';
import { ChallengeHeaders, Nothing, RegisterAnswer } from '../schemas.ts';
import { finishUpstreamSignIn } from './finish-sign-in.ts';
import { registerFormPost } from './form-post.ts';
import { identityOperations, signInOperations } from './operations.ts';
import { listProviders, toOffers } from './provider-store.ts';
import { registerUpstream } from './register-upstream.ts';
import {
  CallbackBody,
  IdentityList,
  ProviderList,
  RegisterUpstreamBody,
  StartAnswer,
  StartBody,
  UpstreamResult,
} from './schemas.ts';
import { startLink, startUpstreamSignIn } from './start-upstream.ts';
import { linkIdentity, readIdentities, unlinkIdentity } from './upstream-identities.ts';
import { REGISTRATION_LIFETIME_S, REQUEST_LIFETIME_S } from './upstream-request.ts';

/** The cookie lasts until what the browser starts now has ended. */
function createBrowserBinding({ config: { BASE_URL }, ticketRules }: IdentityContext) {
  const isSecure = BASE_URL.startsWith('https:');
  const { lifetime_s } = ticketRules.login;
  return {
    bind: (request: FastifyRequest, reply: FastifyReply) =>
      bindBrowser(
        request,
        reply,
        isSecure,
        Math.max(REQUEST_LIFETIME_S, REGISTRATION_LIFETIME_S + lifetime_s),
      ),
    read: (request: FastifyRequest) => readBrowser(request, isSecure),
    /** @throws `invalid_ticket` for a page of a browser that has started nothing */
    readStarted: (request: FastifyRequest) => {
      const browser = readBrowser(request, isSecure);
      const isPage = request.headers['sec-fetch-site'] !== undefined;
      if (browser === undefined && isPage) throw failure('invalid_ticket');
      return browser;
    },
  };
}

function registerSignIn(app: HttpServer, context: IdentityContext): void {
  const config = { access: 'open' } as const;
  const browser = createBrowserBinding(context);
  app.get(
    '/user/login/upstream',
    {
      config,
      schema: { ...signInOperations.listSignInProviders, response: { 200: ProviderList } },
    },
    async () => ({
      providers: toOffers(await listProviders(context.database)),
    }),
  );
  app.post(
    '/user/login/upstream',
    {
      config,
      schema: {
        ...signInOperations.startUpstreamSignIn,
        body: StartBody,
        response: { 200: StartAnswer },
      },
    },
    async (request, reply) => {
      const { provider } = request.body;
      const bound = browser.bind(request, reply);
      return startUpstreamSignIn(context, provider, readOrigin(request), bound);
    },
  );
  app.post(
    '/user/login/upstream/finish',
    {
      config,
      schema: {
        ...signInOperations.finishUpstreamSignIn,
        body: CallbackBody,
        response: { 200: UpstreamResult },
      },
    },
    async (request) =>
      finishUpstreamSignIn(
        context,
        request.body,
        readOrigin(request),
        browser.readStarted(request),
      ),
  );
}

function registerRegistration(app: HttpServer, context: IdentityContext): void {
  const config = { access: 'open' } as const;
  const browser = createBrowserBinding(context);
  app.post(
    '/user/register/upstream',
    {
      config,
      schema: {
        ...signInOperations.registerUpstream,
        headers: ChallengeHeaders,
        body: RegisterUpstreamBody,
        response: { 202: RegisterAnswer },
      },
    },
    async (request, reply) => {
      const started = browser.readStarted(request);
      const answer = await registerUpstream(context, request.body, readOrigin(request), started);
      return reply.code(202).send(answer);
    },
  );
}

const IdentityParams = Type.Object({ id: PathId('Linked account.') });

function registerLinks(app: HttpServer, context: IdentityContext): void {
  const config = accountAccess;
  const browser = createBrowserBinding(context);
  app.get(
    '/me/upstream-identities',
    {
      config,
      schema: { ...identityOperations.listUpstreamIdentities, response: { 200: IdentityList } },
    },
    async (request) => readIdentities(context.database, callingUserId(request)),
  );
  app.post(
    '/me/upstream-identities/start',
    {
      config,
      schema: {
        ...identityOperations.startUpstreamLink,
        body: StartBody,
        response: { 200: StartAnswer },
      },
    },
    async (request, reply) => {
      const session = requireFullSession(request);
      return startLink(context, session, request.body.provider, browser.bind(request, reply));
    },
  );
  app.post(
    '/me/upstream-identities',
    {
      config,
      schema: {
        ...identityOperations.linkUpstreamIdentity,
        body: CallbackBody,
        response: { 200: IdentityList },
      },
    },
    async (request) => {
      const session = requireFullSession(request);
      await linkIdentity(context, session, request.body, browser.read(request));
      return readIdentities(context.database, session.userId);
    },
  );
  app.post(
    '/me/upstream-identities/:id/delete',
    {
      config,
      schema: {
        ...identityOperations.unlinkUpstreamIdentity,
        params: IdentityParams,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.id);
      await unlinkIdentity(context, requireFullSession(request), id);
      return reply.code(204).send(null);
    },
  );
}

export function registerUpstreamRoutes(app: HttpServer, context: IdentityContext): void {
  registerSignIn(app, context);
  registerRegistration(app, context);
  registerFormPost(app, context.config.BASE_URL);
  registerLinks(app, context);
}
