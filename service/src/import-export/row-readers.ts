/** What the rows of each file mean: keys, amounts, and the checks that a schema cannot express. */
import { readAddress, readDevice } from './read-device-rows.ts';
import { readBalance, readBill, readPurchase } from './read-money-rows.ts';
import { readPerson } from './read-person.ts';
import type { ReaderContext, RowReaders } from './row-values.ts';

export function createRowReaders(context: ReaderContext): RowReaders {
  return {
    people: (row) => readPerson(context, row),
    balances: (row) => readBalance(context, row),
    bills: (row) => readBill(context, row),
    devices: (row) => readDevice(context, row),
    deposit_addresses: (row) => readAddress(context, row),
    purchases: (row) => readPurchase(context, row),
  };
}
