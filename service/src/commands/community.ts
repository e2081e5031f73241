/** `edge-account community rebuild`: the referral tree made anew from its edges. */
import { rebuildCommunity, verifyCommunity } from '../community/index.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage =
  'edge-account community rebuild   makes the referral tree anew from people and purchases; it ' +
  'is read as it was until then';

export async function run(args: string[]): Promise<void> {
  const { words } = readArguments(args, {});
  if (words.length !== 1 || words[0] !== 'rebuild') throw new CommandError(usage);
  const { database } = await openPlatform({ mustExist: true, isOwner: true });
  try {
    await rebuildCommunity(database);
    const { members, lists, problems } = await verifyCommunity(database);
    for (const problem of problems) console.log(problem);
    console.log(`${members} members, ${lists} lists`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
