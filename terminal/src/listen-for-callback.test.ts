import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CallbackListener, listenForCallback } from './listen-for-callback.ts';

let listener: CallbackListener;
beforeEach(async () => {
  listener = await listenForCallback();
});
afterEach(() => listener.close());

const ask = async (query: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${listener.redirectUri}${query}`);
  return { status: answer.status, text: await answer.text() };
};

test('only an answer with the right state ends the wait', async () => {
  expect(await ask('?code=early&state=undefined')).toMatchObject({ status: 400 });
  const callback = listener.waitFor('the-state');
  for (const query of [
    '',
    '?',
    '?code=x',
    '?code=x&state=',
    '?code=x&state=other',
    '?error=access_denied',
    '?state=other&state=the-state',
    '#state=the-state',
  ])
    expect(await ask(query), query).toMatchObject({
      status: 400,
      text: expect.stringContaining('still waits'),
    });
  expect(await ask('-x?state=the-state')).toMatchObject({ status: 404 });
  expect(await ask('?code=good&state=the-state&iss=http%3A%2F%2Fedge.test')).toMatchObject({
    status: 200,
  });
  expect(await callback).toBe(
    `${listener.redirectUri}?code=good&state=the-state&iss=http%3A%2F%2Fedge.test`,
  );
});

test('an invalid request target is answered and does not stop the server', async () => {
  const callback = listener.waitFor('s');
  const socket = connect(Number(new URL(listener.redirectUri).port), '127.0.0.1');
  socket.write('GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n');
  const answer = Buffer.concat(await socket.toArray()).toString();
  expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
  await ask('?code=good&state=s');
  expect(await callback).toContain('code=good');
});

test('the wait ends after its timeout', async () => {
  const short = await listenForCallback(1);
  await expect(short.waitFor('s')).rejects.toThrow('the sign-in was not completed');
  short.close();
});
