/**
 * `GET /operator/deposits/unswept`: what still lies on deposit addresses, as JSON or CSV, streamed.
 */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { listUnswept, requireNetwork, type Unswept } from '../deposits/index.ts';
import { Decimal, type HttpServer, prefersCsv, streamOf } from '../http/index.ts';
import { stringifyExact, toPlainText } from '../lib/exact-json.ts';
import type { MasterKey } from '../master-key.ts';
import { operations } from './operations/chains.ts';

const UnsweptRecord = Type.Object({
  currency_network: Type.String(),
  currency: Type.String(),
  contract_address: Type.Optional(Type.String()),
  address: Type.String(),
  derivation_path: Type.String({ description: 'Below the account key that `xpub` names.' }),
  xpub: Type.String(),
  amount: Decimal('What the address holds now.'),
});

const CSV_HEADER =
  'currency_network,currency,contract_address,address,derivation_path,xpub,amount\n';

function toJson(item: Unswept, asStrings: boolean): string {
  const { network, currency, contract, address, derivationPath, xpub, amount } = item;
  return stringifyExact(
    {
      currency_network: network,
      currency,
      contract_address: contract,
      address,
      derivation_path: derivationPath,
      xpub,
      amount,
    },
    asStrings,
  );
}

/** Codes, addresses and numbers only: nothing in them needs quoting, or could be a formula. */
function toCsv({
  network,
  currency,
  contract,
  address,
  derivationPath,
  xpub,
  amount,
}: Unswept): string {
  const place = [network, currency, contract ?? '', address, derivationPath, xpub];
  return `${[...place, toPlainText(amount)].join(',')}\n`;
}

async function* write(
  first: IteratorResult<Unswept, void>,
  rest: AsyncIterable<Unswept>,
  isCsv: boolean,
  asStrings: boolean,
): AsyncGenerator<string> {
  yield isCsv ? CSV_HEADER : '[';
  let count = 0;
  const print = (item: Unswept): string =>
    isCsv ? toCsv(item) : `${count++ === 0 ? '' : ','}${toJson(item, asStrings)}`;
  if (!first.done) yield print(first.value);
  for await (const item of rest) yield print(item);
  if (!isCsv) yield ']';
}

export function registerUnswept(
  app: HttpServer,
  { database, masterKey }: { database: Database; masterKey: MasterKey },
): void {
  app.get(
    '/operator/deposits/unswept',
    {
      config: { access: { scopes: ['operator:chains'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listUnswept,
        querystring: Type.Object({
          currencyNetWork: Type.String({
            minLength: 1,
            maxLength: 32,
            description: 'Network, for example `ETHEREUM`.',
          }),
        }),
        response: {
          200: {
            description: 'What lies on the addresses.',
            content: {
              'application/json': { schema: Type.Array(UnsweptRecord) },
              'text/csv': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const network = await requireNetwork(
        database,
        request.query.currencyNetWork,
        'currencyNetWork',
      );
      const items = listUnswept(database, masterKey, network);
      // What cannot be read is refused before the answer begins.
      const first = await items.next();
      const isCsv = prefersCsv(request);
      const body = streamOf(write(first, items, isCsv, request.wantsAmountsAsStrings));
      return reply
        .type(isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
        .send(body as never);
    },
  );
}
