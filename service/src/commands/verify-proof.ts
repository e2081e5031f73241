/**
 * `edge-account verify-proof FILE`: checks the proof of a bill, with no network and no database.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROOF_CHECKS, type ProofCheck, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { createProofKey, type PublicProofKey } from '../rewards/index.ts';
import { pathOf, readArguments } from './arguments.ts';
import { CommandError, loadOwnMasterKey } from './bootstrap.ts';

const CHECKS: Readonly<Record<ProofCheck, string>> = {
  whole: 'the file is a proof, as it was sent',
  signed: 'a published key signed it',
  billed: 'the bill is for the amount of its lines',
  calculated: 'the amount follows from quantity, rate and rules',
  ruled: 'the rules are those that the line names',
  reported: 'the usage reports are those that were settled, and make up the quantity',
  rooted: 'line and bill lead to the root',
  sealed: 'the reference in the ledger names the root and the size of its tree',
};

const KEYS_FILE = 'reward-keys.json';
export const usage = `edge-account verify-proof FILE [--keys KEYS]
  FILE  the answer of GET /me/rewards/{bill_id}/proof, byte for byte
  KEYS  the answer of GET /.well-known/${KEYS_FILE}; default: ${KEYS_FILE} beside FILE, or else
        the key of this installation`;

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read: ${(error as { code?: string }).code ?? String(error)}`,
    );
  }
}

function readKeys(path: string): PublicProofKey[] {
  try {
    const { keys } = JSON.parse(readFile(path)) as { keys: PublicProofKey[] };
    return keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} is no JWK set`);
  }
}

function ownKeys(): PublicProofKey[] {
  return [createProofKey(loadOwnMasterKey(`no published key was given\n${usage}`)).published];
}

export async function run(args: string[]): Promise<void> {
  const { words, one } = readArguments(args, { values: ['keys'] });
  const [word] = words;
  if (word === undefined || words.length > 1) throw new CommandError(usage);
  const file = pathOf(word);
  const beside = join(dirname(file), KEYS_FILE);
  const named = one('keys');
  const given = named !== undefined ? pathOf(named) : existsSync(beside) ? beside : undefined;
  const outcome = await verifyRewardProof(
    readFile(file),
    given === undefined ? ownKeys() : readKeys(given),
  );
  for (const check of PROOF_CHECKS)
    console.log(`${outcome[check] ? 'ok    ' : 'FAILED'}  ${CHECKS[check]}`);
  if (!PROOF_CHECKS.every((check) => outcome[check]))
    throw new CommandError('the proof does not hold');
  console.log('The proof holds.');
}
