/** `edge-account ledger journal|head`: the ledger for other programs and other places. */
import { installLedger, signHead, writeJournal } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './open-platform.ts';

export const usage = `edge-account ledger journal   writes the whole ledger as a plain-text journal, for the program ledger or hledger
edge-account ledger head      signs where the ledger stands now; keep it elsewhere for edge-account verify --heads`;

export async function run(args: string[]): Promise<void> {
  const { words } = readArguments(args, {});
  const [what] = words;
  if (words.length !== 1 || (what !== 'journal' && what !== 'head')) throw new CommandError(usage);
  const { database, masterKey } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    if (what === 'head') console.log(JSON.stringify(await signHead(database)));
    else for await (const piece of writeJournal(database)) process.stdout.write(piece);
  } finally {
    await database.close();
  }
}
