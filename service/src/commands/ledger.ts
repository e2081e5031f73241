/**
 * `edge-account ledger …`: the ledger for other programs and other places, and the names that it
 * knows.
 */
import { mkdirSync } from 'node:fs';
import type { Database } from '../db/index.ts';
import {
  archivePeriods,
  ensureBusiness,
  ensureCurrency,
  ensureWalletKind,
  installLedger,
  LedgerDisagrees,
  signHead,
  WALLET_CODE,
  writeJournal,
} from '../ledger/index.ts';
import { isCalendarDay } from '../lib/calendar.ts';
import { systemClock } from '../lib/clock.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';
import { print } from './output.ts';

export const usage = `edge-account ledger journal
  prints the whole ledger as a plain-text journal, for ledger or hledger
edge-account ledger head
  signs the current state; keep it elsewhere for edge-account verify --heads
edge-account ledger archive DIR [--from DAY] [--until DAY]
  writes a file ledger-DAY.parquet (Apache Parquet) for each signed head that DIR lacks: all that
  was posted since the head before it; check it by edge-account verify --archive
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

interface Options {
  readonly isEarning: boolean;
  readonly isHouse: boolean;
  /** Days, `yyyy-MM-dd`. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

async function archive(
  database: Database,
  directory: string,
  { from, until }: Options,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    const days = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
    for await (const { file, rows } of archivePeriods(database, directory, days))
      console.log(rows === 0 ? `${file}: nothing was posted` : `${file}: ${rows} rows`);
  } catch (error) {
    if (error instanceof LedgerDisagrees) throw new CommandError(error.message);
    throw error;
  }
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
  options: Options,
): (database: Database) => Promise<void> {
  const [what, code = '', scale = ''] = words as Words;
  const { isEarning, isHouse } = options;
  if (words.length === 2 && what === 'archive')
    return (database) => archive(database, pathOf(code), options);
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
  const { words, one, has } = readArguments(args, {
    values: ['from', 'until'],
    flags: ['earning', 'house'],
  });
  const [from, until] = [one('from'), one('until')];
  for (const day of [from, until])
    if (day !== undefined && !isCalendarDay(day)) throw new CommandError(`${day} is no day`);
  const order = readOrder(words, {
    ...{ isEarning: has('earning'), isHouse: has('house'), from, until },
  });
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    await order(database);
  } finally {
    await database.close();
  }
}
