/** `GET /operator/holds`: withdrawals of all people that are still held, oldest first. */
import Type from 'typebox';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { type HoldPlace, listOpenHolds } from '../ledger/index.ts';
import { CursorParameters, malformedCursor, Next, SIZE } from './cursor-pages.ts';
import { operations } from './operations/money.ts';
import { toWithdrawal, WITHDRAWAL_BUSINESS, Withdrawal } from './withdrawal-schemas.ts';

const HoldPage = Type.Object(
  { holds: Type.Array(Withdrawal, { description: 'Oldest first.' }), next: Next },
  { description: 'A page of withdrawals that are held.' },
);

const CURSOR = /^(\d{1,15})-(\d{1,15})$/;
const writeCursor = ({ at, id }: HoldPlace): string => `${at.getTime()}-${id}`;

/** @throws `invalid_parameter` */
function readCursor(text: string): HoldPlace {
  const [, at_ms, id] = CURSOR.exec(text) ?? [];
  const at = new Date(Number(at_ms));
  if (Number.isNaN(at.getTime())) throw malformedCursor();
  return { at, id: Number(id) };
}

export function registerHoldList(app: HttpServer, { database: db }: { database: Database }): void {
  app.get(
    '/operator/holds',
    {
      config: { access: { scopes: ['operator:withdrawals'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listHolds,
        querystring: Type.Object(CursorParameters, { additionalProperties: false }),
        response: { 200: HoldPage },
      },
    },
    async ({ query: { size = SIZE, cursor } }) => {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const holds = await listOpenHolds(db, WITHDRAWAL_BUSINESS, { size, after });
      const last = holds[size - 1];
      return {
        holds: holds.map(toWithdrawal),
        ...(last && { next: writeCursor({ at: last.createdAt, id: last.id }) }),
      };
    },
  );
}
