/** Routes of logout that applications and the page of the logout call. */
import type { HttpServer } from '../../http/index.ts';
import { describe, type ProtocolDeps, readForm, serve } from '../provider/protocol-route.ts';
import { REQUESTS } from '../provider/request-schemas.ts';
import { Page, Redirect } from '../provider/schemas.ts';
import { operations } from './operations.ts';

export function registerLogout(app: HttpServer, deps: ProtocolDeps): void {
  const page = { 200: Page, 302: Redirect };
  app.get(
    '/oauth2/logout',
    describe({
      operation: operations.startLogout,
      response: page,
      documents: REQUESTS.logout,
    }),
    async (request, reply) => serve(deps, request, reply),
  );
  // A form of another site brings no cookies, but the redirect after it does.
  app.post(
    '/oauth2/logout',
    describe({
      operation: operations.postLogout,
      response: { 303: Redirect },
      documents: REQUESTS.postedLogout,
    }),
    async (request, reply) => {
      const location = `${deps.baseUrl}/oauth2/logout?${new URLSearchParams(readForm(request))}`;
      return reply.code(303).header('location', location).send();
    },
  );
  app.post(
    '/oauth2/logout/confirm',
    describe({
      operation: operations.confirmLogout,
      response: { 303: Redirect },
      documents: REQUESTS.logoutDecision,
    }),
    async (request, reply) => serve(deps, request, reply, readForm(request)),
  );
  app.get(
    '/oauth2/logout/success',
    describe({ operation: operations.showLogout, response: { 200: Page } }),
    async (request, reply) => serve(deps, request, reply),
  );
}
