/** A device without a browser: its owner confirms a code elsewhere, then it registers and runs. */
import { platform } from 'node:os';
import * as edge from '@edge-account/sdk';

const baseUrl = process.env.SERVICE ?? 'http://localhost:8080';
const clock = edge.createServerClock();
// Store the key and the tokens: the same key is the same device. The key's thumbprint is its
// node_id.
const key = await edge.createDpopKey(clock);
const oauth = { baseUrl, clientId: 'edge-terminal', key, clock, userAgent: 'example-device/1.0' };

const scope = 'openid offline_access device:connect devices:read';
const login = await edge.startDeviceLogin(oauth, { scope });
console.log(`enter the code ${login.userCode} at ${login.verificationUri}`);
let tokens: edge.TokenSet = await login.wait();
const source = edge.createTokenSource(oauth, {
  load: async () => tokens,
  save: async (renewed) => {
    tokens = renewed;
  },
});
const client = edge.createEdgeClient({ ...oauth, tokens: source });

const device = await edge.registerDevice(client, key.thumbprint, {
  device_type: 'TERMINAL',
  browser: 'example-device',
  extension_version: '1.0',
  os: platform(),
});
console.log(`registered as ${device.name}`);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const connection = edge.createDeviceConnection({
  client,
  nodeId: device.node_id,
  onState: ({ status }) => console.log(status),
});
await connection.run(stop.signal);
