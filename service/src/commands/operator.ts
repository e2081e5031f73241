/** `edge-account operator …`: clients for business servers, and people who are operators. */
import { existsSync } from 'node:fs';
import type { Database } from '../db/index.ts';
import { setOperatorScopes } from '../identity/index.ts';
import { systemClock } from '../lib/clock.ts';
import { createClient, OPERATOR_SCOPES, writeSecretFile } from '../oidc/index.ts';
import { type Arguments, pathOf, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account operator create [--name NAME] [--scope SCOPE …] [--out FILE]
  creates a client with operator scopes (default: all); its secret is written to FILE (mode 0600),
  or printed this once
edge-account operator grant EMAIL [--scope SCOPE …]
  lets a user act as an operator in the console (default: all scopes), after a sign-in with an
  authenticator or a passkey
edge-account operator revoke EMAIL
  takes it back, and ends the person's sessions`;

async function create(database: Database, { one, all }: Arguments): Promise<void> {
  const file = one('out');
  // Before the client exists: overwriting the file would lose the only copy of the other client's
  // secret, while the client keeps its scopes.
  if (file !== undefined && existsSync(file))
    throw new CommandError(`${file} is there already, with the secret of another client`);
  const { client, secret } = await createClient(database, systemClock, {
    name: one('name') ?? 'Operator',
    isPublic: false,
    redirectUris: [],
    scopes: all('scope').length > 0 ? all('scope') : OPERATOR_SCOPES,
    grantTypes: ['client_credentials'],
    isFirstParty: true,
  });
  const content = { client_id: client.clientId, client_secret: secret };
  if (file === undefined) console.log(JSON.stringify(content));
  else {
    writeSecretFile(pathOf(file), content);
    console.log(pathOf(file));
  }
}

async function change(database: Database, email: string, scopes: readonly string[]): Promise<void> {
  const unknown = scopes.find((scope) => !OPERATOR_SCOPES.some((known) => known === scope));
  if (unknown !== undefined)
    throw new CommandError(`unknown scope ${unknown}; known: ${OPERATOR_SCOPES.join(', ')}`);
  if (!(await setOperatorScopes(database, systemClock, email, scopes)))
    throw new CommandError(`there is no account with the address ${email}`);
  console.log(
    scopes.length > 0
      ? `${email} may act as an operator: ${scopes.join(' ')}`
      : `${email} is no operator any more`,
  );
}

export async function run(args: string[]): Promise<void> {
  const read = readArguments(args, { values: ['name', 'scope', 'out'] });
  const [action, email] = read.words;
  if (action !== 'create' && (email === undefined || (action !== 'grant' && action !== 'revoke')))
    throw new CommandError(usage);
  const { database } = await openPlatform();
  try {
    if (action === 'create') await create(database, read);
    else
      await change(
        database,
        email ?? '',
        action === 'revoke'
          ? []
          : read.all('scope').length > 0
            ? read.all('scope')
            : OPERATOR_SCOPES,
      );
  } finally {
    await database.close();
  }
}
