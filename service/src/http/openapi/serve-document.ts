/** `GET /openapi.json`: one text, made at the first request. */
import type { HttpServer } from '../types.ts';
import { type StoredText, sendStored, storeText } from './stored-text.ts';

const TYPE = 'application/json; charset=utf-8';

export function serveDocument(app: HttpServer): void {
  let stored: StoredText | undefined;
  app.get(
    '/openapi.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (request, reply) => {
      stored ??= storeText(Buffer.from(JSON.stringify(app.swagger())), TYPE);
      return sendStored(request, reply, stored);
    },
  );
}
