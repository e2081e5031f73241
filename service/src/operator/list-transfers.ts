/** `GET /operator/transfers`: transfers, newest first. */
import Type, { type Static } from 'typebox';
import type { Database, Db } from '../db/index.ts';
import { type HttpServer, Id } from '../http/index.ts';
import {
  listTransfers,
  referenceOf,
  type TransferFilter,
  type TransferPlaces,
} from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';
import { CursorParameters, malformedCursor, Next, SIZE } from './cursor-pages.ts';
import { accountIn, CODE_MAX } from './money-schemas.ts';
import { operations } from './operations/money.ts';
import { TransferVO, toTransferRecord } from './transfer-schemas.ts';

const Query = Type.Object(
  {
    user_id: Type.Optional(Id('Only from and to wallets of this person.')),
    house: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CODE_MAX,
        description:
          'Only from and to this account of the house, for example `adjustment`. Not with ' +
          '`user_id`.',
      }),
    ),
    ...CursorParameters,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

const TransferPage = Type.Object(
  {
    transfers: Type.Array(TransferVO, { description: 'Newest first, by the time of posting.' }),
    next: Next,
  },
  { description: 'A page of transfers.' },
);

const CURSOR = /^\d{1,2}\.\d{1,15}(-\d{1,2}\.\d{1,15}){0,30}$/;

const writeCursor = (places: TransferPlaces): string =>
  [...places].map(([key, left]) => `${key}.${left}`).join('-');

/** @throws `invalid_parameter` */
function readCursor(text: string): TransferPlaces {
  if (!CURSOR.test(text)) throw malformedCursor();
  return new Map(
    text.split('-').map((place) => {
      const [key, left] = place.split('.');
      return [Number(key), Number(left)];
    }),
  );
}

/** @throws `invalid_parameter` */
async function readFilter(db: Db, { user_id: userId, house }: Query): Promise<TransferFilter> {
  if (house === undefined) return userId === undefined ? undefined : { userId };
  if (userId !== undefined) throw fieldError('house', 'not_allowed', 'is not for one person');
  accountIn(await referenceOf(db, { kinds: [house] }), '', { house });
  return { house };
}

export function registerTransferList(
  app: HttpServer,
  { database: db }: { database: Database },
): void {
  app.get(
    '/operator/transfers',
    {
      config: { access: { scopes: ['operator:ledger'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listTransfers,
        querystring: Query,
        response: { 200: TransferPage },
      },
    },
    async ({ query }) => {
      const { size = SIZE, cursor } = query;
      const from = cursor === undefined ? undefined : readCursor(cursor);
      const { transfers, next } = await listTransfers(db, await readFilter(db, query), {
        size,
        from,
      });
      return {
        transfers: transfers.map(toTransferRecord),
        ...(next && { next: writeCursor(next) }),
      };
    },
  );
}
