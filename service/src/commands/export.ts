/** `edge-account export`: everything that users have, in the files that an import takes. */
import { runExport } from '../import-export/index.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account export DIR [--format csv|jsonl] [--without-bills]
  DIR: an empty or missing folder; the files are readable by their owner only
  --without-bills: leaves the history out; balances are complete without it`;

export async function run(args: string[]): Promise<void> {
  const { words, one, has } = readArguments(args, {
    values: ['format'],
    flags: ['without-bills'],
  });
  const [dir] = words;
  const format = one('format') ?? 'csv';
  if (dir === undefined || words.length > 1 || (format !== 'csv' && format !== 'jsonl'))
    throw new CommandError(usage);
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    const options = { folder: pathOf(dir), format, hasBills: !has('without-bills') } as const;
    const { files, underWay } = await runExport(database, masterKey, options);
    for (const { name, rows } of files) console.log(`${name}: ${rows} rows`);
    const { holds, payouts } = underWay;
    if (holds > 0 || payouts > 0)
      console.error(
        `under way: ${holds} holds, ${payouts} payouts. Their money is part of the balances: end ` +
          'them before the switch, or they are paid twice',
      );
  } finally {
    await database.close();
  }
}
