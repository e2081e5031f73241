/**
 * `edge-account migrate`: applies the migrations as the owner of the schema, and grants the roles
 * that instances run with what they need.
 */
import { addApplicationRole } from '../db/index.ts';
import { removeStaging } from '../import-export/index.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account migrate [--application-role ROLE]
  connects by DATABASE_OWNER_URL, or by DATABASE_URL when that is not set
  ROLE: a role that instances connect as. It is granted what they need, now and by each later
  migrate; it cannot change the schema, nor update or delete what is only added to`;

export async function run(args: string[]): Promise<void> {
  const { words, one } = readArguments(args, { values: ['application-role'] });
  if (words.length > 0) throw new CommandError(usage);
  const role = one('application-role');
  const { database } = await openPlatform({ isOwner: true, migrates: true });
  try {
    await removeStaging(database);
    if (role !== undefined) {
      if (database.kind === 'embedded')
        throw new CommandError('the embedded database has no roles');
      await addApplicationRole(database, role);
    }
  } finally {
    await database.close();
  }
  console.log('The database is up to date.');
}
