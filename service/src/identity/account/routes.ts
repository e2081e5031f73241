/** `/me`: the person, and what they change about themselves. */
import { callingUserId, type HttpServer } from '../../http/index.ts';
import type { IdentityKit } from '../kit.ts';
import { Me } from '../schemas.ts';
import { readMe } from './read-me.ts';

const tags = ['account of a person'];

export function registerAccountRoutes(app: HttpServer, kit: IdentityKit): void {
  app.get(
    '/me',
    { config: { access: { scopes: ['profile', 'email'] } }, schema: { tags, summary: 'The signed-in person', response: { 200: Me } } },
    async (request) => readMe(kit.database, kit.clock, callingUserId(request)),
  );
}
