/** `/unsubscribe`: a page that changes nothing, and the POST of mail programs (RFC 8058). */
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { type HttpServer, htmlPage, pagePolicy, TextAnswer } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readLanguage, textsOf } from '../lib/language.ts';
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
}

/** The page of a link. */
function renderLink(acceptLanguage: string | undefined, token: string, isValid: boolean): string {
  const texts = textsOf(readLanguage(acceptLanguage));
  const { title, asks, button, invalid, home } = texts.unsubscribePage;
  const main = isValid
    ? `<p>${asks}</p>
<form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
<button name="List-Unsubscribe" value="One-Click">${button}</button></form>`
    : `<p>${invalid}</p>`;
  return htmlPage({ ...texts, title }, `${main}<p><a href="/notifications">${home}</a></p>`);
}

function renderDone(acceptLanguage: string | undefined): string {
  const texts = textsOf(readLanguage(acceptLanguage));
  const { doneTitle: title, done, home } = texts.unsubscribePage;
  const link = `<p><a href="/notifications">${home}</a></p>`;
  return htmlPage({ ...texts, title }, `<p>${done}</p>${link}`);
}

function registerPage(app: HttpServer, { clock, tokens }: UnsubscribeRoutes): void {
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
      reply.type(HTML).header('content-security-policy', pagePolicy(["'self'"]));
      const page = renderLink(request.headers['accept-language'], token, isValid);
      return reply.send(page as never);
    },
  );
}

/** Registers both. Mail scanners open links, so a GET only shows a button. */
export function registerUnsubscribe(app: HttpServer, routes: UnsubscribeRoutes): void {
  const { database, clock, tokens } = routes;
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
        reply.type(HTML).header('content-security-policy', pagePolicy());
        return reply.send(renderDone(request.headers['accept-language']) as never);
      },
    );
  });
}
