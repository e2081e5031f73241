/** Clients that misbehave; each must be refused without an effect on other clients. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  createDpopKey,
  createEdgeClient,
  createServerClock,
  EdgeError,
  fixedToken,
  unwrap,
} from '@edge-account/sdk';
import type { WebSocket } from 'ws';
import { beat, createDevice, registerDevice, type SimulatedDevice } from './device.ts';
import type { Tally } from './outcome-counter.ts';
import { type Closing, openRawConnection, refusedBy } from './raw-connection.ts';
import type { Lab } from './simulation-context.ts';

const CLOCK_ERROR_MS = 3_600_000;
const FLOOD = 5000;

type Misfit = (lab: Lab, victim: SimulatedDevice, tally: Tally) => Promise<void>;

/** A copied token, with the thief's key and without a key. */
const stealToken: Misfit = async (lab, victim, tally) => {
  const thief = {
    nodeId: victim.nodeId,
    client: createEdgeClient({
      baseUrl: lab.baseUrl,
      tokens: fixedToken(victim.tokens.accessToken, 'DPoP'),
      key: await createDpopKey(),
    }),
  };
  await tally.expectRefusal('misfit: stolen token, wrong key', () => beat(thief));
  const plain = {
    nodeId: victim.nodeId,
    client: createEdgeClient({
      baseUrl: lab.baseUrl,
      tokens: fixedToken(victim.tokens.accessToken),
    }),
  };
  await tally.expectRefusal('misfit: stolen token, no key', () => beat(plain));
};

/** A device that registers another node ID than the thumbprint of its key. */
const claimsForeignNodeId: Misfit = async (lab, victim, tally) => {
  const device = await createDevice(lab, victim.owner);
  await tally.expectRefusal('misfit: key-bound token, chosen name', () =>
    registerDevice({ ...device, nodeId: `ghost-${randomUUID()}` }),
  );
  await tally.expectRefusal("misfit: another device's node", () =>
    registerDevice({ ...device, nodeId: victim.nodeId }),
  );
};

/** A client whose clock is an hour wrong, and stays so. */
const wrongClock: Misfit = async (lab, victim, tally) => {
  const clock = { ...createServerClock(), now_ms: () => Date.now() + CLOCK_ERROR_MS };
  const key = await createDpopKey(clock);
  const client = createEdgeClient({
    baseUrl: lab.baseUrl,
    tokens: fixedToken(victim.tokens.accessToken, 'DPoP'),
    key,
    clock,
  });
  await tally.expectRefusal('misfit: clock an hour ahead', () =>
    beat({ client, nodeId: victim.nodeId }),
  );
};

const unknownNode: Misfit = async (lab, victim, tally) => {
  const [stranger] = lab.people.filter((person) => person !== victim.owner);
  const path = { params: { path: { node_id: victim.nodeId } } };
  if (stranger)
    await tally.expectRefusal("misfit: disconnects a stranger's device", () =>
      unwrap(stranger.client.api.POST('/me/devices/{node_id}/disconnect', path)),
    );
  const unknown = { params: { path: { node_id: `unknown-${randomUUID()}` } } };
  await tally.expectRefusal('misfit: deletes an unknown node', () =>
    unwrap(victim.owner.client.api.POST('/me/devices/{node_id}/delete', unknown)),
  );
};

const sendsOversizedCapabilities: Misfit = async (lab, victim, tally) => {
  const device = await createDevice(lab, victim.owner);
  const capabilities = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
  const path = { params: { path: { node_id: device.nodeId } } };
  await tally.expectRefusal('misfit: 10,000 capabilities', () =>
    unwrap(
      device.client.api.PUT('/me/devices/{node_id}', {
        ...path,
        body: { device_type: 'TERMINAL', capabilities },
      }),
    ),
  );
};

/** Opens a connection of its own, and returns how the service ends it. */
async function provoke(
  lab: Lab,
  victim: SimulatedDevice,
  act: (socket: WebSocket) => void,
): Promise<Closing | EdgeError> {
  const own = await openRawConnection(lab, victim.owner);
  if (own instanceof EdgeError) return own;
  act(own.socket);
  const closing = await own.closed;
  await own.remove();
  return closing;
}

const sendsMegabyte: Misfit = async (lab, victim, tally) => {
  const closing = await provoke(lab, victim, (socket) => socket.send(randomBytes(1_000_000)));
  tally.count('misfit: frame of 1 MB', refusedBy(closing), closing.code === 1009);
};

const floods: Misfit = async (lab, victim, tally) => {
  const closing = await provoke(lab, victim, (socket) => {
    for (let i = 0; i < FLOOD; i++) socket.send('{"type":"beat"}');
  });
  tally.count('misfit: flood of beats', refusedBy(closing), closing.code === 4429);
};

export const MISFITS: readonly Misfit[] = [
  stealToken,
  claimsForeignNodeId,
  wrongClock,
  unknownNode,
  sendsOversizedCapabilities,
  sendsMegabyte,
  floods,
];
