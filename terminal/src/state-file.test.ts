import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CommandError } from './command-error.ts';
import { openIdentity } from './open-terminal.ts';
import { readState, type TerminalState, tokenStoreOf, writeState } from './state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'edge-terminal-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STATE: TerminalState = {
  service: 'http://edge.test',
  clientId: 'edge-terminal',
  key: { kty: 'EC', d: 'secret' },
};
const TOKENS = { accessToken: 'a', tokenType: 'DPoP', scope: '', expiresAt_ms: 1 } as const;

test('only its owner can read the file, whatever its mode was before', async () => {
  const path = join(folder, 'deep', 'state.json');
  expect(await readState(path)).toBeUndefined();
  await writeState(path, STATE);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  chmodSync(path, 0o644);
  expect(await readState(path)).toEqual(STATE);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['state.json']);
});

test('new tokens replace old ones and nothing else', async () => {
  const path = join(folder, 'tokens.json');
  await writeState(path, STATE);
  await tokenStoreOf(path).save(TOKENS);
  expect(await readState(path)).toEqual({ ...STATE, tokens: TOKENS });
  expect(await tokenStoreOf(path).load()).toEqual(TOKENS);
  await expect(tokenStoreOf(join(folder, 'gone.json')).save(TOKENS)).rejects.toThrow(
    'sign in again',
  );
});

test('a damaged file is reported, not replaced', async () => {
  const path = join(folder, 'damaged.json');
  writeFileSync(path, '{"service":');
  await expect(readState(path)).rejects.toThrow('cannot be read');
  for (const text of [
    '{}',
    'null',
    '[]',
    '{"service":"http://edge.test","clientId":"x","key":{"kty":"EC"}}',
    `${JSON.stringify({ ...STATE, tokens: {} })}`,
  ]) {
    writeFileSync(path, text);
    await expect(readState(path), text).rejects.toThrow('not a state file of a terminal');
  }
});

test('an invalid key is reported, not thrown', async () => {
  const path = join(folder, 'broken-key.json');
  await writeState(path, { ...STATE, key: { d: 'AA' } });
  const opened = openIdentity({ state: path });
  await expect(opened).rejects.toThrow(`${path} holds no valid key`);
  await expect(opened).rejects.toBeInstanceOf(CommandError);
});

test('an error of a file that cannot be written contains its path', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const path of [
    join(file, 'state.json'),
    join(file, 'deeper', 'state.json'),
    '/proc/nowhere/state.json',
  ])
    await expect(writeState(path, STATE)).rejects.toThrow(`${path} cannot be written: E`);
});
