/** `/operator/wallets`: operators list kinds of wallets and accounts of the house, and add them. */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import {
  ensureWalletKind,
  listWalletKinds,
  WALLET_CODE,
  type WalletKind,
} from '../ledger/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { operations } from './operations/ledger.ts';

const Wallet = Type.Object({
  wallet: Type.String({ description: 'Code, as `wallet` or `house` of an account takes it.' }),
  house: Type.Boolean({ description: 'An account of the house; otherwise every person has one.' }),
});

function toRecord({ code, isHouse }: WalletKind) {
  return { wallet: code, house: isHouse };
}

/** @throws `invalid_parameter`, `wallet_limit`, `wallet_exists` */
async function putWalletKind(database: Database, code: string, isHouse: boolean) {
  if (!WALLET_CODE.test(code))
    throw fieldError(
      'wallet',
      'malformed',
      'must be 2 to 32 small letters, digits and underscores, and not users',
    );
  const kind = await ensureWalletKind(database, code, { isHouse });
  if (!kind) throw failure('wallet_limit');
  if (kind.isHouse !== isHouse)
    throw failure('wallet_exists', {
      detail: `${code} is there already, as ${
        kind.isHouse ? 'an account of the house' : "people's"
      }.`,
    });
  return kind;
}

export function registerOperatorWallets(
  app: HttpServer,
  { database }: { database: Database },
): void {
  app.get(
    '/operator/wallets',
    {
      config: { access: { scopes: ['operator:ledger'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listWalletKinds,
        response: {
          200: Type.Array(Wallet, {
            description: "People's first, each in the order in which they were added.",
          }),
        },
      },
    },
    async () => (await listWalletKinds(database)).map(toRecord),
  );
  app.put(
    '/operator/wallets/:wallet',
    {
      config: { access: { scopes: ['operator:transfers'] } },
      schema: {
        ...operations.putWalletKind,
        params: Type.Object({
          wallet: Type.String({
            description:
              'Code: 2 to 32 small letters, digits and underscores, for example `savings`.',
          }),
        }),
        body: Type.Object(
          {
            house: Type.Optional(
              Type.Boolean({
                description: 'An account of the house. Default: false, every person has one.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Wallet },
      },
    },
    async ({ params, body }) =>
      toRecord(await putWalletKind(database, params.wallet, body.house ?? false)),
  );
}
