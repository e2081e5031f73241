/** `edge-account operator create`: an operator's client, for business servers. */
import { systemClock } from '../lib/clock.ts';
import { createClient, OPERATOR_SCOPES, writeSecretFile } from '../oidc/index.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './open-platform.ts';

const USAGE = `edge-account operator create [--name NAME] [--scope SCOPE …] [--out FILE]
  makes a client with operators' scopes (default: all); its secret is written to FILE (mode 0600), or printed this once`;

export async function run(args: string[]): Promise<void> {
  const { words, one, all } = readArguments(args, { values: ['name', 'scope', 'out'] });
  if (words[0] !== 'create') throw new CommandError(USAGE);
  const { database } = await openPlatform();
  try {
    const { client, secret } = await createClient(database, systemClock, {
      name: one('name') ?? 'Operator',
      isPublic: false,
      redirectUris: [],
      scopes: all('scope').length > 0 ? all('scope') : OPERATOR_SCOPES,
      grantTypes: ['client_credentials'],
      isFirstParty: true,
    });
    const content = { client_id: client.clientId, client_secret: secret };
    const file = one('out');
    if (file === undefined) console.log(JSON.stringify(content));
    else {
      writeSecretFile(file, content);
      console.log(file);
    }
  } finally {
    await database.close();
  }
}
