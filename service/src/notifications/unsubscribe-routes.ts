/** `/unsubscribe`: a page that changes nothing, and the POST of mail programs (RFC 8058). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  type HtmlPage,
  type HttpServer,
  htmlPage,
  type PageLook,
  TextAnswer,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readLanguage, textsOf } from '../lib/language.ts';
import type { Texts } from '../lib/texts/types.ts';
import { operations } from './operations.ts';
import { readToken, type UnsubscribeTokens, unsubscribe } from './unsubscribe.ts';

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;
const FORM_MAX_BYTES = 16_384;
const HTML = 'text/html; charset=utf-8';

const LinkQuery = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 512, description: 'As the mail has it.' }),
});

export interface UnsubscribeRoutes {
  readonly database: Database;
  readonly clock: Clock;
  readonly tokens: UnsubscribeTokens;
  readonly look: () => PageLook;
}

const textsFor = ({ headers }: FastifyRequest): Texts =>
  textsOf(readLanguage(headers['accept-language']));

/** The page of a link. */
function renderLink(look: PageLook, texts: Texts, token: string, isValid: boolean): HtmlPage {
  const { title, asks, button, invalid, home } = texts.unsubscribePage;
  const main = isValid
    ? `<p>${asks}</p>
<form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
<button name="List-Unsubscribe" value="One-Click">${button}</button></form>`
    : `<p>${invalid}</p>`;
  return htmlPage(
    look,
    { ...texts, title, formTargets: ["'self'"] },
    `${main}<p><a href="/notifications">${home}</a></p>`,
  );
}

function renderDone(look: PageLook, texts: Texts): HtmlPage {
  const { doneTitle: title, done, home } = texts.unsubscribePage;
  const link = `<p><a href="/notifications">${home}</a></p>`;
  return htmlPage(look, { ...texts, title }, `<p>${done}</p>${link}`);
}

function sendPage(reply: FastifyReply, { html, policy }: HtmlPage): FastifyReply {
  reply.type(HTML).header('content-security-policy', policy);
  return reply.send(html as never);
}

function registerPage(app: HttpServer, { clock, tokens, look }: UnsubscribeRoutes): void {
  app.get(
    '/unsubscribe',
    {
      config: { access: 'open', handlesFailures: true },
      schema: {
        ...operations.showUnsubscribePage,
        querystring: LinkQuery,
        response: { 200: TextAnswer('text/html', 'The page.') },
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      const isValid = readToken(tokens, clock, token) !== undefined;
      return sendPage(reply, renderLink(look(), textsFor(request), token, isValid));
    },
  );
}

/** Registers both. Mail scanners open links, so a GET only shows a button. */
export function registerUnsubscribe(app: HttpServer, routes: UnsubscribeRoutes): void {
  const { database, clock, tokens, look } = routes;
  registerPage(app, routes);
  app.register(async (scope: HttpServer) => {
    // What the form says does not matter: the token is in the address.
    for (const form of FORMS)
      scope.addContentTypeParser(
        form,
        { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
        async () => undefined,
      );
    scope.post(
      '/unsubscribe',
      {
        config: { access: 'open' },
        schema: {
          ...operations.endNotificationMails,
          querystring: LinkQuery,
          response: { 200: TextAnswer('text/html', 'It is done.') },
        },
      },
      async (request, reply) => {
        await unsubscribe(database, clock, tokens, request.query.token);
        return sendPage(reply, renderDone(look(), textsFor(request)));
      },
    );
  });
}
