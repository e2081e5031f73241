/**
 * What a command does by itself while the service is stopped, and has done by the running service
 * where that holds the embedded database. Each takes plain JSON.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { recordVerification } from '../audit/index.ts';
import { copyEmbedded } from '../db/index.ts';
import { OPERATOR_ROLES, toGrant } from '../http/index.ts';
import { setOperatorGrants } from '../identity/index.ts';
import { systemClock } from '../lib/clock.ts';
import { createClient, OPERATOR_SCOPES } from '../oidc/index.ts';
import { CommandError, type CommandPlatform } from './bootstrap.ts';

interface Action<I extends TSchema = TSchema, R = unknown> {
  readonly input: I;
  run(platform: CommandPlatform, input: Static<I>): Promise<R>;
}

const defineAction = <I extends TSchema, R>(action: Action<I, R>): Action<I, R> => action;

const Scopes = Type.Array(Type.String());
/** Scopes, and roles as `toGrant` names them. */
const Grants = Type.Array(Type.String());

/** Files of `DATA_DIR` without which the database cannot be used. */
const SECRETS = ['master.key', 'operator.json'];

/** @throws CommandError */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'EEXIST') throw new CommandError(`cannot make ${path}: ${code}`);
    throw new CommandError(
      `${path} is there already: another backup is under way, or one was killed; remove it then`,
    );
  }
}

/** A whole `DATA_DIR` in a new directory. @throws CommandError */
const backUp = defineAction({
  input: Type.Object({ directory: Type.String() }),
  async run({ config, database }, { directory }) {
    if (database.kind !== 'embedded')
      throw new CommandError('this is for the embedded database: see docs/operations.md');
    if (existsSync(directory)) throw new CommandError(`${directory} is there already`);
    const unfinished = `${directory}.unfinished`;
    await makeDirectory(unfinished);
    await copyEmbedded(database, join(config.DATA_DIR, 'database'), join(unfinished, 'database'));
    const files = SECRETS.filter((name) => existsSync(join(config.DATA_DIR, name)));
    for (const name of files) {
      const content = await readFile(join(config.DATA_DIR, name));
      await writeFile(join(unfinished, name), content, { mode: 0o600, flag: 'wx', flush: true });
    }
    await rename(unfinished, directory);
    return { hasMasterKey: files.includes('master.key') };
  },
});

const createOperatorClient = defineAction({
  input: Type.Object({ name: Type.String(), scopes: Scopes }),
  async run({ database }, { name, scopes }) {
    const { client, secret } = await createClient(database, systemClock, {
      name,
      isPublic: false,
      redirectUris: [],
      scopes,
      grantTypes: ['client_credentials'],
      isFirstParty: true,
    });
    return { client_id: client.clientId, client_secret: secret };
  },
});

const GRANTS: readonly string[] = [...Object.keys(OPERATOR_ROLES).map(toGrant), ...OPERATOR_SCOPES];

/** Without grants: the person is no operator any more. @throws CommandError */
const setOperator = defineAction({
  input: Type.Object({ email: Type.String(), grants: Grants }),
  async run({ database }, { email, grants }) {
    const unknown = grants.find((grant) => !GRANTS.includes(grant));
    if (unknown !== undefined)
      throw new CommandError(`unknown ${unknown}; known: ${GRANTS.join(', ')}`);
    if (!(await setOperatorGrants(database, systemClock, email, grants)))
      throw new CommandError(`there is no account with the address ${email}`);
    return null;
  },
});

/** The result of `verify`, for the audit log and the home of operators. */
const verify = defineAction({
  input: Type.Object({
    since: Type.Union([Type.String(), Type.Null()]),
    parts: Type.Array(Type.String()),
    findings: Type.Integer(),
    verified_until: Type.Optional(Type.String()),
    place: Type.Optional(Type.Object({ body: Type.String(), mac: Type.String() })),
  }),
  async run({ database }, verification) {
    await recordVerification(database, verification);
    return null;
  },
});

export const ACTIONS = { backUp, createOperatorClient, setOperator, verify };
export type ActionName = keyof typeof ACTIONS;
export type ActionInput<N extends ActionName> = Static<(typeof ACTIONS)[N]['input']>;
export type ActionResult<N extends ActionName> = Awaited<ReturnType<(typeof ACTIONS)[N]['run']>>;
