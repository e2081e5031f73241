/**
 * The anchor of the reads: a bare Fastify, whose routes select one row by its primary key with a
 * prepared statement and answer a JSON document of the given size. No guard, no schema, no log.
 * `node bare-reads-server.ts URL FILE`: the documents of `/0`, `/1` and so on as a JSON array; each
 * is serialized anew for each request.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';

export interface BareReads {
  readonly port: number;
  readonly pid: number;
}

const POOL_SIZE = 10;
const SELECT = 'select id, email, nickname, created_at from app_user where id = $1';

const [databaseUrl = '', file = ''] = process.argv.slice(2);
const documents = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE });
const app = fastify();
for (const [i, document] of documents.entries())
  app.get(`/${i}`, async () => {
    await pool.query({ name: 'bare', text: SELECT, values: [1] });
    return document;
  });
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(
  JSON.stringify({
    port: (app.server.address() as AddressInfo).port,
    pid: process.pid,
  } satisfies BareReads),
);

process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
  process.exit(0);
});
