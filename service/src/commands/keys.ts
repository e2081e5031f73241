/** `edge-account keys list|rotate|emergency`: the signing keys. */
import { systemClock } from '../lib/clock.ts';
import { dropKey, keyPolicyOf, listKeys, maintainKeys, rotateKeys } from '../oidc/index.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account keys list
  lists the keys: current, next, retiring
edge-account keys rotate
  makes the next key sign, as soon as it has been published for 24 h
edge-account keys emergency [--kid KID]
  drops a key at once (default: the one that signs), and ends every sign-in, token and grant`;

export async function run(args: string[]): Promise<void> {
  const { words, one } = readArguments(args, { values: ['kid'] });
  const { config, database, masterKey } = await openPlatform();
  const policy = keyPolicyOf(config);
  try {
    await maintainKeys(database, systemClock, masterKey, policy);
    if (words[0] === 'list') {
      for (const key of await listKeys(database)) console.log(JSON.stringify(key));
    } else if (words[0] === 'rotate') {
      const at = await rotateKeys(database, systemClock, masterKey, policy);
      console.log(
        at > systemClock.now()
          ? `the next key signs from ${at.toISOString()}: it has to be published for 24 h first`
          : 'rotated',
      );
    } else if (words[0] === 'emergency') {
      const kid = one('kid');
      if (kid !== undefined && !(await listKeys(database)).some((key) => key.kid === kid))
        throw new CommandError(`there is no key ${kid}: see edge-account keys list`);
      const options = { ...policy, kid };
      console.log(`dropped ${await dropKey(database, systemClock, masterKey, options)}`);
    } else throw new CommandError(usage);
  } finally {
    await database.close();
  }
}
