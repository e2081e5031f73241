/** `GET /openapi.json`: one text, made at the first request, compressed and revalidated by ETag. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import type { HttpServer } from '../types.ts';

interface StoredDocument {
  readonly text: Buffer;
  readonly compressed: Buffer;
  readonly etag: string;
}

function storeDocument(document: unknown): StoredDocument {
  const text = Buffer.from(JSON.stringify(document));
  const digest = createHash('sha256').update(text).digest('base64url');
  // Weak: both encodings carry it (RFC 9110 8.8.1).
  return { text, compressed: gzipSync(text), etag: `W/"${digest}"` };
}

/** `If-None-Match` lists the tag (RFC 9110 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim() === etag);
}

export function serveDocument(app: HttpServer): void {
  let stored: StoredDocument | undefined;
  app.get(
    '/openapi.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (request, reply) => {
      stored ??= storeDocument(app.swagger());
      reply.headers({
        'cache-control': 'no-cache',
        etag: stored.etag,
        vary: 'Accept-Encoding, Origin',
      });
      if (isKnown(request.headers['if-none-match'], stored.etag)) return reply.code(304).send();
      reply.type('application/json; charset=utf-8');
      const encoding = new Negotiator(request.raw).encoding(['gzip', 'identity']);
      if (encoding !== 'gzip') return reply.send(stored.text);
      return reply.header('content-encoding', 'gzip').send(stored.compressed);
    },
  );
}
