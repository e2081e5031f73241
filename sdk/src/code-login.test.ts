import { expect, test } from 'vitest';
import { followCodeLogin } from './code-login.ts';
import { createServerClock } from './server-clock.ts';

const URL_OF_FLOW = 'http://edge.test/oauth2/authorize?client_id=c';

const follow = (answer: () => Response | Promise<Response>) =>
  followCodeLogin(
    {
      baseUrl: 'http://edge.test',
      clientId: 'c',
      clock: createServerClock(),
      fetch: async () => answer(),
    },
    URL_OF_FLOW,
  );

test('a sign-in is followed to where its redirects end, a page or the callback', async () => {
  const end = 'http://edge.test/callback?code=abc';
  const page = new Response('<p>signed in</p>', { headers: { 'content-type': 'text/html' } });
  Object.defineProperty(page, 'url', { value: end });
  expect(await follow(() => page)).toBe(end);
});

test('a page of an error, and a service without an answer, are refusals', async () => {
  await expect(follow(() => new Response('<p>gone</p>', { status: 400 }))).rejects.toMatchObject({
    status: 400,
    code: 'refused',
  });
  await expect(follow(() => new Response('', { status: 503 }))).rejects.toMatchObject({
    status: 503,
    code: 'unavailable',
  });
  await expect(follow(() => Promise.reject(new TypeError('no network')))).rejects.toMatchObject({
    status: 0,
    code: 'unreachable',
  });
});
