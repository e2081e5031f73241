/** `edge-account operator …`: clients for business servers, and people who are operators. */
import { existsSync } from 'node:fs';
import { OPERATOR_ROLES, scopesOfGrants, toGrant } from '../http/index.ts';
import { OPERATOR_SCOPES, writeSecretFile } from '../oidc/index.ts';
import { type Arguments, pathOf, readArguments } from './arguments.ts';
import { CommandError } from './bootstrap.ts';
import { perform } from './perform.ts';

export const usage = `edge-account operator create [--name NAME] [--scope SCOPE …] [--out FILE]
  creates a client with operator scopes (default: all); its secret is written to FILE (mode 0600),
  or printed this once
edge-account operator grant EMAIL [--role ROLE …] [--scope SCOPE …]
  lets a user act as an operator in the console, after a sign-in with an authenticator or a passkey,
  with these roles and scopes only (default: the role admin); a role is one of
  ${Object.keys(OPERATOR_ROLES).join(', ')}
edge-account operator revoke EMAIL
  takes it back, and ends the person's sessions`;

async function create({ one, all }: Arguments): Promise<void> {
  const file = one('out');
  // Before the client exists: overwriting the file would lose the only copy of the other client's
  // secret, while the client keeps its scopes.
  if (file !== undefined && existsSync(file))
    throw new CommandError(`${file} is there already, with the secret of another client`);
  const content = await perform('createOperatorClient', {
    name: one('name') ?? 'Operator',
    scopes: scopesOf(all('scope')),
  });
  if (file === undefined) console.log(JSON.stringify(content));
  else {
    writeSecretFile(pathOf(file), content);
    console.log(pathOf(file));
  }
}

const scopesOf = (given: readonly string[]): string[] => [
  ...(given.length > 0 ? given : OPERATOR_SCOPES),
];

function grantsIn({ all }: Arguments): string[] {
  const grants = [...all('role').map(toGrant), ...all('scope')];
  return grants.length > 0 ? grants : [toGrant('admin')];
}

async function change(email: string, grants: string[]): Promise<void> {
  await perform('setOperator', { email, grants });
  if (grants.length === 0) return console.log(`${email} is no operator any more`);
  const scopes = scopesOfGrants(grants, OPERATOR_SCOPES).join(' ');
  const named = grants.join(' ');
  console.log(
    `${email} may act as an operator: ${named === scopes ? scopes : `${named} (${scopes})`}`,
  );
}

export async function run(args: string[]): Promise<void> {
  const read = readArguments(args, { values: ['name', 'role', 'scope', 'out'] });
  const [action, email] = read.words;
  if (action === 'create') return create(read);
  if (email === undefined || (action !== 'grant' && action !== 'revoke'))
    throw new CommandError(usage);
  await change(email, action === 'revoke' ? [] : grantsIn(read));
}
