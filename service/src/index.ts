/** What the package offers to programs: the service in the caller's process. */
import { openPlatform } from './commands/bootstrap.ts';
import { startApp } from './commands/start-app.ts';

/** A service that answers requests. */
export interface RunningService {
  /** Address of the service, and issuer of its tokens. */
  readonly baseUrl: string;
  /** Ends it: what was acknowledged is committed. */
  stop(): Promise<void>;
}

/**
 * Starts the service as `edge-account serve` does.
 * @param environment settings of docs/configuration.md; they stand before `process.env`
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const platform = await openPlatform({ overrides: environment });
  const app = await startApp(platform);
  return {
    baseUrl: platform.config.BASE_URL,
    stop: async () => {
      await app.stop();
      await platform.database.close();
    },
  };
}
