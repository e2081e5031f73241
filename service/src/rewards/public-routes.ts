/** Public routes: the key that signs proofs, and the roots of settlements. */

import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  CappedPage,
  type HttpServer,
  PageParameters,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import { listRoots, type SettledRoot } from './list-roots.ts';
import { operations } from './operations.ts';
import type { ProofKey } from './proofs/proof-key.ts';

const Keys = Type.Object({
  keys: Type.Array(
    Type.Object(
      {
        kty: Type.String(),
        crv: Type.String(),
        alg: Type.String(),
        use: Type.String(),
        kid: Type.String(),
        x: Type.String(),
      },
      { description: 'Ed25519.' },
    ),
  ),
});

const Root = Type.Object({
  batch: Type.Integer({ description: 'Settlement; `line.batch` of a proof.' }),
  kind: Type.String({ description: '`hour`, `correction` or `release`.' }),
  hour: Timestamp(
    'The hour that was settled; for corrections and releases, the hour in which they were made.',
  ),
  root: Type.String({ description: 'Root of its tree, hexadecimal; `tree.root` of a proof.' }),
  settled_at: Timestamp('When it was settled.'),
});

const RootQuery = Type.Object({
  hour: Type.Optional(Timestamp('Only settlements of this hour.')),
  batch: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only this settlement.',
    }),
  ),
  ...PageParameters,
});

function toRoot({ batch, kind, hour, root, settledAt }: SettledRoot) {
  return { batch, kind, hour: hour.toISOString(), root, settled_at: settledAt.toISOString() };
}

/** Registers the routes that need no token. */
export function registerPublished(
  app: HttpServer,
  { db, proofKey }: { db: Db; proofKey: ProofKey },
): void {
  const config = { access: 'open' as const };
  app.get(
    '/.well-known/reward-keys.json',
    {
      config: { ...config, handlesFailures: true },
      schema: { ...operations.listRewardKeys, response: { 200: Keys } },
    },
    async () => ({
      keys: [proofKey.published],
    }),
  );
  app.get(
    '/.well-known/reward-roots',
    {
      config,
      schema: {
        ...operations.listRewardRoots,
        querystring: RootQuery,
        response: { 200: CappedPage(Root) },
      },
    },
    async ({ query }) => {
      const { hour, ...filter } = query;
      const { roots, total } = await listRoots(db, {
        ...filter,
        hour: hour === undefined ? undefined : new Date(hour),
      });
      return toCappedPage(roots.map(toRoot), total, query);
    },
  );
}
