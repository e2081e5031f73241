/**
 * How a command reaches the running service that holds the embedded database: a Unix socket beside
 * the database. Who may open the directory, mode 0700, has the database and its key in any case.
 */
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import Fastify from 'fastify';
import { ACTIONS, type ActionInput, type ActionName, type ActionResult } from './actions.ts';
import { CommandError, type CommandPlatform } from './bootstrap.ts';
import { nameCommand } from './name-command.ts';

const NAME = 'control.sock';
const REFUSED_STATUS = 422;
const pathOf = (dataDir: string): string => join(dataDir, 'database', NAME);

/**
 * Serves the actions until the returned function is called. The caller holds the database, so that
 * a socket which is there already is one of a killed process.
 */
export async function openControlSocket(platform: CommandPlatform): Promise<() => Promise<void>> {
  const server = Fastify();
  server.setErrorHandler((error, _request, reply) => {
    const isExpected = error instanceof CommandError;
    if (!isExpected) console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    return reply.code(isExpected ? REFUSED_STATUS : 500).send({ message });
  });
  for (const [name, { input, run }] of Object.entries(ACTIONS))
    server.post(`/${name}`, { schema: { body: input } }, async ({ body }) => ({
      result: await nameCommand(name, () => run(platform, body as never)),
    }));
  const path = pathOf(platform.config.DATA_DIR);
  rmSync(path, { force: true });
  try {
    await server.listen({ path });
  } catch (error) {
    // A path may have 107 bytes at most. The service is of use without it.
    console.error(`commands cannot reach this process by ${path}: ${String(error)}`);
  }
  return () => server.close();
}

/** Has an action done by the process that holds the database. @throws CommandError */
export async function callRunningService<N extends ActionName>(
  dataDir: string,
  name: N,
  input: ActionInput<N>,
): Promise<ActionResult<N>> {
  const { status, body } = await new Promise<{ status?: number; body: unknown }>(
    (resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const call = request({
        socketPath: pathOf(dataDir),
        path: `/${name}`,
        method: 'POST',
        headers,
      });
      call.once('error', reject);
      call.once('response', (response) => {
        json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      call.end(JSON.stringify(input));
    },
  );
  if (status !== 200) throw new CommandError((body as { message: string }).message);
  return (body as { result: ActionResult<N> }).result;
}
