/** A small source: four users with balances, a history, a device and a purchase. */
import { createHash } from 'node:crypto';
import { verifyCommunity } from '../../src/community/index.ts';
import type { Database } from '../../src/db/index.ts';
import { verifyImports } from '../../src/import-export/index.ts';
import { verifyLedger } from '../../src/ledger/index.ts';
import type { ImportFolder } from './import-folder.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
export const AT = '2020-01-02T03:04:05.678901Z';

const PEOPLE_HEADER =
  'id,email,nickname,password,password_input,referrer,referral_code,created_at,status';
export const PEOPLE = `${PEOPLE_HEADER}
5,root@example.test,Root,${md5('a root password')},,,ROOT5,${AT},active
7,"kid@example.test","Kid, the ""second""",,,5,,${AT},
12,leaf@example.test,=SUM(A1),$2b$05$abcdefghijklmnopqrstuug2nbxuTxb4IkLn0bEcN1lAdHvPjnPOu,plain,7,,${AT},
13,,,,,12,,${AT},closed
`;
export const BALANCES = `user_id,wallet,currency,amount
5,asset,USDT,12.5
5,bonus,EDGE,1000000.000000000000000001
12,asset,USDT,-3
13,asset,USDT,7
7,asset,ETH,0
`;
export const bill = (id: number, direction: number, amount: string): string =>
  JSON.stringify({
    ...{ id, user_id: 5, wallet: 'asset', currency: 'USDT', amount_direction: direction },
    ...{ business_id: direction === 1 ? 'deposit' : 'withdrawal', amount, event_at: AT },
  });
export const BILLS = `${bill(1, 1, '20')}\n${bill(2, 2, '7.25')}\n`;
export const DEVICES = `node_id,user_id,device_type,name,capabilities,created_at
node-1,5,TERMINAL,"=cmd|' /C calc'!A0","[""a"",""b""]",${AT}
`;
export const PURCHASES = `id,user_id,currency,amount,refunded,created_at
p1,12,EDGE,100,25,${AT}
`;

export function writeSource(folder: ImportFolder): void {
  folder.write('people.csv', PEOPLE);
  folder.write('balances.csv', BALANCES);
  folder.write('bills.jsonl', BILLS);
  folder.write('devices.csv', DEVICES);
  folder.write('purchases.csv', PURCHASES);
}

export async function findProblems(database: Database): Promise<unknown[]> {
  const [ledger, imports, tree] = [
    await verifyLedger(database),
    await verifyImports(database),
    await verifyCommunity(database),
  ];
  return [...ledger.findings, ...imports.problems, ...tree.problems];
}

const BALANCE_OF = `select user_id || ' ' || k.code || ' ' || c.code || ' '
    || (a.credits - a.debits) as text
  from account a join wallet_kind k on k.id = a.kind_id join currency c on c.id = a.currency_id
  where user_id is not null and a.credits <> a.debits order by a.wallet_id, a.currency_id`;

export async function readBalances(database: Database): Promise<string[]> {
  return (await database.query<{ text: string }>(BALANCE_OF)).rows.map(({ text }) => text);
}

export const MOVED = [
  '5 asset USDT 12500000',
  '5 bonus EDGE 1000000000000000000000001',
  '12 asset USDT -3000000',
  '13 asset USDT 7000000',
];

/** Everything that an import could change. */
export async function readState(database: Database): Promise<unknown> {
  const count = async (table: string): Promise<unknown> =>
    (await database.query(`select count(*)::int as rows from ${table}`)).rows[0];
  const tables = ['app_user', 'transfer', 'device', 'package_purchase', 'imported_row'];
  const counts = await Promise.all(tables.map(count));
  return [counts, await readBalances(database)];
}
