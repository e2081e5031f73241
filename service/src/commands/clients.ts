/** `edge-account clients …`: the registry of OAuth clients. */
import type { Database } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import {
  authMethodOf,
  type Client,
  type ClientChanges,
  createClient,
  deleteClient,
  GRANT_TYPES,
  type GrantType,
  listClients,
  rotateClientSecret,
  updateClient,
} from '../oidc/index.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account clients list
edge-account clients create --name NAME [--id ID] [--public] [--first-party] [--redirect-uri URI …]
    --scope SCOPE … --grant GRANT …
edge-account clients update ID [--name NAME] [--redirect-uri URI …] [--scope SCOPE …]
    [--grant GRANT …] [--enable | --disable]
edge-account clients secret ID     gives a new secret; the old one ends at once
edge-account clients delete ID     removes the client and revokes its tokens
grants: ${GRANT_TYPES.join(', ')}`;

function readGrants(names: readonly string[]): GrantType[] {
  return names.map((name) => {
    const grant = GRANT_TYPES.find((known) => known === name || known.endsWith(`:${name}`));
    if (!grant) throw new CommandError(`unknown grant ${name}; known: ${GRANT_TYPES.join(', ')}`);
    return grant;
  });
}

function describeClient(client: Client): Record<string, unknown> {
  return {
    client_id: client.clientId,
    name: client.name,
    type: authMethodOf(client) === 'none' ? 'public' : 'confidential',
    first_party: client.isFirstParty,
    enabled: client.isEnabled,
    redirect_uris: client.redirectUris,
    scopes: client.scopes,
    grant_types: client.grantTypes,
  };
}

function readChanges({ one, all, has }: Arguments): ClientChanges {
  const name = one('name');
  return {
    ...(name !== undefined && { name }),
    ...(all('redirect-uri').length > 0 && { redirectUris: all('redirect-uri') }),
    ...(all('scope').length > 0 && { scopes: all('scope') }),
    ...(all('grant').length > 0 && { grantTypes: readGrants(all('grant')) }),
    ...(has('enable') && { isEnabled: true }),
    ...(has('disable') && { isEnabled: false }),
  };
}

async function create(database: Database, { one, all, has }: Arguments): Promise<unknown> {
  const id = one('id');
  const { client, secret } = await createClient(database, systemClock, {
    ...(id !== undefined && { clientId: id }),
    name: one('name') ?? '',
    isPublic: has('public'),
    isFirstParty: has('first-party'),
    redirectUris: all('redirect-uri'),
    scopes: all('scope'),
    grantTypes: readGrants(all('grant')),
  });
  return { ...describeClient(client), ...(secret !== undefined && { client_secret: secret }) };
}

/** What can be seen before anything is opened. @throws CommandError */
function refuseEmptyOrders(args: Arguments): void {
  const [action, id] = args.words;
  if (action === 'create' && (args.one('name') === undefined || args.all('grant').length === 0))
    throw new CommandError(usage);
  if (action === 'update' && Object.keys(readChanges(args)).length === 0)
    throw new CommandError(`nothing was said about ${id}\n${usage}`);
}

async function runAction(database: Database, args: Arguments): Promise<unknown> {
  const [action, id] = args.words;
  if (action === 'list') return (await listClients(database)).map(describeClient);
  if (action === 'create') return create(database, args);
  if (id === undefined) throw new CommandError(usage);
  if (action === 'update')
    return describeClient(await updateClient(database, systemClock, id, readChanges(args)));
  if (action === 'secret')
    return { client_id: id, client_secret: await rotateClientSecret(database, systemClock, id) };
  if (action === 'delete') {
    await deleteClient(database, systemClock, id);
    return { client_id: id, deleted: true };
  }
  throw new CommandError(usage);
}

export async function run(args: string[]): Promise<void> {
  const read = readArguments(args, {
    values: ['name', 'id', 'redirect-uri', 'scope', 'grant'],
    flags: ['public', 'first-party', 'enable', 'disable'],
  });
  refuseEmptyOrders(read);
  const { database } = await openPlatform();
  try {
    console.log(JSON.stringify(await runAction(database, read), undefined, 2));
  } catch (error) {
    if (error instanceof Error && error.name === 'Failure') throw new CommandError(error.message);
    throw error;
  } finally {
    await database.close();
  }
}
