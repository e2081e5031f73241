/**
 * The ledger as others can check it: the journal in plain text, signed heads, and the keys that
 * signed them.
 */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { Day, type HttpServer, streamOf, TextAnswer } from '../http/index.ts';
import { listHeads, listLedgerKeys, signHead, writeJournal } from '../ledger/index.ts';
import { operations } from './operations/ledger.ts';

const HEADS_MAX = 400;

const Head = Type.Object(
  {
    day: Day('UTC day that it closes; of one made on demand, the day it was made.'),
    body: Type.String({
      description:
        'Exactly the bytes that were signed: JSON with the position and keyed hash of every shard.',
    }),
    signature: Type.String({ description: 'Ed25519 over `body`, base64url.' }),
    kid: Type.String({ description: 'Key that signed; see `/.well-known/ledger-keys.json`.' }),
  },
  {
    $id: 'LedgerHead',
    description:
      'A signed head. Keep it outside of the database: `edge-account verify --heads FILE` finds ' +
      'whether anything before it is gone.',
  },
);
const Heads = Type.Array(Head, { description: 'Newest first.' });
const HeadsQuery = Type.Object({
  before: Type.Optional(
    Day('Only heads of days before this one: the `day` of the last one of the page before.'),
  ),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: HEADS_MAX,
      default: HEADS_MAX,
      description: 'Heads at most.',
    }),
  ),
});

const Keys = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  { description: 'JWK set (Ed25519).' },
);

const ACCESS = { access: { scopes: ['operator:ledger'] } } as const;

export function registerLedgerExport(
  app: HttpServer,
  { database: db }: { database: Database },
): void {
  const showKeys = async () => ({ keys: (await listLedgerKeys(db)).map((key) => key.public_jwk) });
  app.get(
    '/operator/ledger/heads',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.listLedgerHeads,
        querystring: HeadsQuery,
        response: { 200: Heads },
      },
    },
    async ({ query: { before, size = HEADS_MAX } }) => listHeads(db, { before, limit: size }),
  );
  app.post(
    '/operator/ledger/heads',
    {
      config: ACCESS,
      schema: { ...operations.signLedgerHead, response: { 200: Head } },
    },
    async () => signHead(db),
  );
  app.get(
    '/operator/ledger/keys',
    {
      config: ACCESS,
      schema: { ...operations.listOperatorLedgerKeys, response: { 200: Keys } },
    },
    showKeys,
  );
  app.get(
    '/.well-known/ledger-keys.json',
    {
      config: { access: 'open' },
      schema: { ...operations.listLedgerKeys, response: { 200: Keys } },
    },
    showKeys,
  );
  app.get(
    '/operator/ledger/journal',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.exportJournal,
        response: { 200: TextAnswer('text/plain', 'The journal.') },
      },
    },
    async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(streamOf(writeJournal(db)) as never),
  );
}
