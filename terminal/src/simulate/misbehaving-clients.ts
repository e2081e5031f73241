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
import type { OutcomeCounter } from './outcome-counter.ts';
import { type Closing, openRawConnection, refusedBy } from './raw-connection.ts';
import type { SimulationContext } from './simulation-context.ts';

const CLOCK_ERROR_MS = 3_600_000;
const FLOOD = 5000;

type Misuse = (
  context: SimulationContext,
  victim: SimulatedDevice,
  outcomes: OutcomeCounter,
) => Promise<void>;

/** A copied token, with the thief's key and without a key. */
const stealToken: Misuse = async (context, victim, outcomes) => {
  const thief = {
    nodeId: victim.nodeId,
    client: createEdgeClient({
      baseUrl: context.baseUrl,
      tokens: fixedToken(victim.tokens.accessToken, 'DPoP'),
      key: await createDpopKey(),
    }),
  };
  await outcomes.expectRefusal('misuse: stolen token, wrong key', () => beat(thief));
  const plain = {
    nodeId: victim.nodeId,
    client: createEdgeClient({
      baseUrl: context.baseUrl,
      tokens: fixedToken(victim.tokens.accessToken),
    }),
  };
  await outcomes.expectRefusal('misuse: stolen token, no key', () => beat(plain));
};

/** A device that registers another node ID than the thumbprint of its key. */
const claimsForeignNodeId: Misuse = async (context, victim, outcomes) => {
  const device = await createDevice(context, victim.owner);
  await outcomes.expectRefusal('misuse: key-bound token, chosen name', () =>
    registerDevice({ ...device, nodeId: `ghost-${randomUUID()}` }),
  );
  await outcomes.expectRefusal("misuse: another device's node", () =>
    registerDevice({ ...device, nodeId: victim.nodeId }),
  );
};

/** A client whose clock is an hour wrong, and stays so. */
const wrongClock: Misuse = async (context, victim, outcomes) => {
  const clock = { ...createServerClock(), now_ms: () => Date.now() + CLOCK_ERROR_MS };
  const key = await createDpopKey(clock);
  const client = createEdgeClient({
    baseUrl: context.baseUrl,
    tokens: fixedToken(victim.tokens.accessToken, 'DPoP'),
    key,
    clock,
  });
  await outcomes.expectRefusal('misuse: clock an hour ahead', () =>
    beat({ client, nodeId: victim.nodeId }),
  );
};

const unknownNode: Misuse = async (context, victim, outcomes) => {
  const [stranger] = context.people.filter((person) => person !== victim.owner);
  const path = { params: { path: { node_id: victim.nodeId } } };
  if (stranger)
    await outcomes.expectRefusal("misuse: disconnects a stranger's device", () =>
      unwrap(stranger.client.api.POST('/me/devices/{node_id}/disconnect', path)),
    );
  const unknown = { params: { path: { node_id: `unknown-${randomUUID()}` } } };
  await outcomes.expectRefusal('misuse: deletes an unknown node', () =>
    unwrap(victim.owner.client.api.POST('/me/devices/{node_id}/delete', unknown)),
  );
};

const sendsOversizedCapabilities: Misuse = async (context, victim, outcomes) => {
  const device = await createDevice(context, victim.owner);
  const capabilities = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
  const path = { params: { path: { node_id: device.nodeId } } };
  await outcomes.expectRefusal('misuse: 10,000 capabilities', () =>
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
  context: SimulationContext,
  victim: SimulatedDevice,
  act: (socket: WebSocket) => void,
): Promise<Closing | EdgeError> {
  const own = await openRawConnection(context, victim.owner);
  if (own instanceof EdgeError) return own;
  act(own.socket);
  const closing = await own.closed;
  await own.remove();
  return closing;
}

const sendsMegabyte: Misuse = async (context, victim, outcomes) => {
  const closing = await provoke(context, victim, (socket) => socket.send(randomBytes(1_000_000)));
  outcomes.count('misuse: frame of 1 MB', refusedBy(closing), closing.code === 1009);
};

const floods: Misuse = async (context, victim, outcomes) => {
  const closing = await provoke(context, victim, (socket) => {
    for (let i = 0; i < FLOOD; i++) socket.send('{"type":"beat"}');
  });
  outcomes.count('misuse: flood of beats', refusedBy(closing), closing.code === 4429);
};

export const MISUSES: readonly Misuse[] = [
  stealToken,
  claimsForeignNodeId,
  wrongClock,
  unknownNode,
  sendsOversizedCapabilities,
  sendsMegabyte,
  floods,
];
