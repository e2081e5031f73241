/**
 * `edge-account ledger …`: the ledger for other programs and other places, and the names that it
 * knows.
 */
import type { Database } from '../db/index.ts';
import {
  ensureBusiness,
  ensureCurrency,
  ensureWalletKind,
  installLedger,
  signHead,
  WALLET_CODE,
  writeJournal,
} from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';
import { print } from './output.ts';

export const usage = `edge-account ledger journal
  prints the whole ledger as a plain-text journal, for ledger or hledger
edge-account ledger head
  signs the current state; keep it elsewhere for edge-account verify --heads
edge-account ledger currency CODE SCALE
  adds a currency with SCALE decimals, which never change
edge-account ledger business CODE [--earning]
  adds a transaction type; --earning: its bills are earnings
edge-account ledger wallet CODE [--house]
  adds a kind of wallet for users; --house: an account of the house`;

/** UNKNOWN is what deposits of tokens that are not supported are shown in. */
const CURRENCY = /^(?!UNKNOWN$)[A-Z][A-Z0-9]{1,15}$/;
const SCALE = /^([0-9]|[12][0-9]|30)$/;
const BUSINESS = /^[a-z][a-z0-9_]{1,63}$/;

type Words = readonly [what?: string, code?: string, scale?: string];

interface Flags {
  readonly isEarning: boolean;
  readonly isHouse: boolean;
}

async function addWallet(database: Database, code: string, isHouse: boolean): Promise<void> {
  const kind = await ensureWalletKind(database, code, { isHouse });
  if (!kind) throw new CommandError('the number of kinds of wallets is at its limit');
  const side = (isTheirs: boolean): string =>
    isTheirs ? 'an account of the house' : 'a wallet of people';
  if (kind.isHouse !== isHouse)
    throw new CommandError(`${code} is there already, and is ${side(kind.isHouse)}`);
  console.log(`${kind.code}: ${side(isHouse)}`);
}

/** What the words ask for, before anything is opened. @throws CommandError */
function readOrder(
  words: readonly string[],
  { isEarning, isHouse }: Flags,
): (database: Database) => Promise<void> {
  const [what, code = '', scale = ''] = words as Words;
  if (words.length === 1 && what === 'head')
    return async (database) => console.log(JSON.stringify(await signHead(database)));
  if (words.length === 1 && what === 'journal') {
    return async (database) => print(writeJournal(database));
  }
  if (words.length === 3 && what === 'currency' && CURRENCY.test(code) && SCALE.test(scale)) {
    return async (database) => {
      const currency = await ensureCurrency(database, code, Number(scale));
      if (currency.scale !== Number(scale))
        throw new CommandError(`${code} is there already, with ${currency.scale} decimals`);
      console.log(`${currency.code}: ${currency.scale} decimals`);
    };
  }
  if (words.length === 2 && what === 'business' && BUSINESS.test(code)) {
    return async (database) => {
      const business = await ensureBusiness(database, code, { isEarning });
      if (business.isEarning !== isEarning)
        throw new CommandError(
          `${code} is there already, and is ${business.isEarning ? 'an' : 'no'} earning`,
        );
      console.log(`${business.code}: ${isEarning ? 'an earning' : 'no earning'}`);
    };
  }
  if (words.length === 2 && what === 'wallet' && WALLET_CODE.test(code))
    return (database) => addWallet(database, code, isHouse);
  throw new CommandError(usage);
}

export async function run(args: string[]): Promise<void> {
  const { words, has } = readArguments(args, { flags: ['earning', 'house'] });
  const order = readOrder(words, { isEarning: has('earning'), isHouse: has('house') });
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    await order(database);
  } finally {
    await database.close();
  }
}
