/** Texts that are made once, and sent compressed and revalidated by ETag. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isKnown } from '../entity-tags.ts';

export interface StoredText {
  readonly type: string;
  readonly text: Buffer;
  readonly compressed: Buffer;
  readonly etag: string;
}

export function storeText(text: Buffer, type: string): StoredText {
  const digest = createHash('sha256').update(text).digest('base64url');
  // Weak: both encodings carry it (RFC 9110 8.8.1).
  return { type, text, compressed: gzipSync(text), etag: `W/"${digest}"` };
}

export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, compressed, etag }: StoredText,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'Accept-Encoding, Origin' });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  const encoding = new Negotiator(request.raw).encoding(['gzip', 'identity']);
  if (encoding !== 'gzip') return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(compressed);
}
