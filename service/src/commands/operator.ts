/** `edge-account operator …`: clients for business servers, and people who are operators. */
import { existsSync } from 'node:fs';
import { OPERATOR_SCOPES, writeSecretFile } from '../oidc/index.ts';
import { type Arguments, pathOf, readArguments } from './arguments.ts';
import { CommandError } from './bootstrap.ts';
import { perform } from './perform.ts';

export const usage = `edge-account operator create [--name NAME] [--scope SCOPE …] [--out FILE]
  creates a client with operator scopes (default: all); its secret is written to FILE (mode 0600),
  or printed this once
edge-account operator grant EMAIL [--scope SCOPE …]
  lets a user act as an operator in the console (default: all scopes), after a sign-in with an
  authenticator or a passkey
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

async function change(email: string, scopes: string[]): Promise<void> {
  await perform('setOperator', { email, scopes });
  console.log(
    scopes.length > 0
      ? `${email} may act as an operator: ${scopes.join(' ')}`
      : `${email} is no operator any more`,
  );
}

export async function run(args: string[]): Promise<void> {
  const read = readArguments(args, { values: ['name', 'scope', 'out'] });
  const [action, email] = read.words;
  if (action === 'create') return create(read);
  if (email === undefined || (action !== 'grant' && action !== 'revoke'))
    throw new CommandError(usage);
  await change(email, action === 'revoke' ? [] : scopesOf(read.all('scope')));
}
