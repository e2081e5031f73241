import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { createTestServer } from '../../test/support/test-server.ts';
import { linkExtensionStore, registerExtensionFile } from './extension-download.ts';

const app = createTestServer();
let name = 'Acme "&" Co';
registerExtensionFile(app, { baseUrl: 'https://acme.example:8443', readName: () => name });
afterAll(() => app.close());

async function readManifest(): Promise<Record<string, unknown>> {
  const answer = await app.inject('/edge-extension.zip');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="edge-extension.zip"',
    'cache-control': 'no-cache',
  });
  const { 'manifest.json': manifest } = unzipSync(answer.rawPayload);
  return JSON.parse(strFromU8(manifest ?? new Uint8Array()));
}

test('belongs to its service and has the name of the network of now', async () => {
  expect(await readManifest()).toMatchObject({
    name,
    homepage_url: 'https://acme.example:8443',
    host_permissions: ['https://acme.example:8443/*', 'http://127.0.0.1/*'],
    permissions: ['storage', 'alarms'],
    action: { default_popup: 'popup.html', default_title: name },
  });
  name = 'Other';
  expect(await readManifest()).toMatchObject({ name });
});

test('the same extension is the same archive, and HEAD tells its size', async () => {
  const [one, other] = [
    await app.inject('/edge-extension.zip'),
    await app.inject('/edge-extension.zip'),
  ];
  expect(one.rawPayload.equals(other.rawPayload)).toBe(true);
  const head = await app.inject({ method: 'HEAD', url: '/edge-extension.zip' });
  expect(head.headers['content-length']).toBe(String(one.rawPayload.length));
});

test('a page names the store, escaped; without one it stays as it is', () => {
  const page = '<head></head>';
  expect(linkExtensionStore(page, undefined)).toBe(page);
  expect(linkExtensionStore(page, 'https://s.example/?a="b"&c=$&')).toBe(
    '<head><meta name="edge-extension-store" ' +
      'content="https://s.example/?a=&quot;b&quot;&amp;c=$&amp;"></head>',
  );
});
