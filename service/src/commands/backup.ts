/** `edge-account backup`: copies the embedded database, of a running service, too. */
import { pathOf, readArguments } from './arguments.ts';
import { CommandError } from './bootstrap.ts';
import { perform } from './perform.ts';

export const usage = `edge-account backup DIRECTORY
  for the embedded database, while the service runs or not: makes DIRECTORY, a whole DATA_DIR with
  the database and its secrets; requests wait while the files are copied
  to restore it, stop the service, put it in the place of DATA_DIR, and run restore-check`;

export async function run(args: string[]): Promise<void> {
  const { words } = readArguments(args, {});
  const [word, ...rest] = words;
  if (word === undefined || rest.length > 0) throw new CommandError(usage);
  const directory = pathOf(word);
  const { hasMasterKey } = await perform('backUp', { directory }, { mustExist: true });
  console.log(directory);
  console.log(
    hasMasterKey
      ? 'It contains the master key: who can read it can act as the service.'
      : 'It does not contain the master key, which comes from MASTER_KEY: keep that, too.',
  );
}
