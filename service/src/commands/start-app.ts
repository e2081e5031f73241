/** Starts the parts of an instance and opens its port. */
import { type App, createApp } from '../app.ts';
import { runAsService } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import { createFirstOperator } from '../oidc/index.ts';
import { CommandError, type CommandPlatform } from './bootstrap.ts';

async function listen(app: App, host: string, port: number): Promise<void> {
  try {
    await app.http.listen({ host, port });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'EADDRINUSE')
      throw new CommandError(
        `port ${port} on ${host} is busy: stop the other program, or choose another PORT`,
      );
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new CommandError(`cannot listen on ${host} port ${port}: ${code}`);
    throw error;
  }
}

/** @param onCreated called before anything is started, so that a signal can end it at any time */
export async function startApp(
  platform: CommandPlatform,
  onCreated: (app: App) => void = () => {},
): Promise<App> {
  const { config, database } = platform;
  const app = await createApp(platform);
  onCreated(app);
  await app.start();
  if (config.DATABASE_URL === undefined)
    await runAsService('start', () => createFirstOperator(database, systemClock, config.DATA_DIR));
  await listen(app, config.HOST, config.PORT);
  return app;
}
