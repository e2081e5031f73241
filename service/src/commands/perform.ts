/** Performs an action here, or by the running service where that holds the embedded database. */
import { readConfig } from '../config.ts';
import { DataDirectoryInUse } from '../db/index.ts';
import { ACTIONS, type ActionInput, type ActionName, type ActionResult } from './actions.ts';
import { type CommandPlatform, type OpenOptions, openPlatform } from './bootstrap.ts';
import { callRunningService } from './control-socket.ts';

type Run<N extends ActionName> = (
  platform: CommandPlatform,
  input: ActionInput<N>,
) => Promise<ActionResult<N>>;

/** @throws CommandError; DataDirectoryInUse when another command holds the database */
export async function perform<N extends ActionName>(
  name: N,
  input: ActionInput<N>,
  options: OpenOptions = {},
): Promise<ActionResult<N>> {
  let platform: CommandPlatform;
  try {
    platform = await openPlatform(options);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    return await callRunningService(readConfig(process.env).DATA_DIR, name, input).catch(
      (failure: unknown) => {
        const code = (failure as { code?: string }).code;
        throw code === 'ENOENT' || code === 'ECONNREFUSED' ? error : failure;
      },
    );
  }
  try {
    return await (ACTIONS[name].run as Run<N>)(platform, input);
  } finally {
    await platform.database.close();
  }
}
