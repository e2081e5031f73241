/** One simulated device: a real client with a key of its own. */
import {
  createDeviceConnection,
  createDpopKey,
  createEdgeClient,
  createServerClock,
  type DeviceState,
  type DpopKey,
  type EdgeClient,
  exchangeToken,
  fixedToken,
  type TokenSet,
  unwrap,
} from '@edge-account/sdk';
import { openSocket } from '../open-socket.ts';
import type { Person, SimulationContext } from './simulation-context.ts';

export interface SimulatedDevice {
  readonly owner: Person;
  readonly client: EdgeClient;
  readonly key: DpopKey;
  readonly tokens: TokenSet;
  readonly nodeId: string;
  state: DeviceState | undefined;
  /** Why it is not online, if it is known. */
  setback: Extract<DeviceState, { status: 'waiting' | 'ended' }> | undefined;
  /** Resolves when its connection is not opened again. */
  ended: Promise<DeviceState> | undefined;
}

export const FORM = {
  device_type: 'TERMINAL' as const,
  browser: 'edge-terminal simulate',
  os: 'simulated',
  timezone: 'UTC',
  capabilities: ['relay'],
};

/** A device with a token bound to its key; not registered yet. */
export async function createDevice(
  context: SimulationContext,
  owner: Person,
): Promise<SimulatedDevice> {
  const clock = createServerClock();
  const key = await createDpopKey(clock);
  const tokens = await exchangeToken(
    { baseUrl: context.baseUrl, ...context.application, key, clock },
    owner.accessToken,
  );
  const client = createEdgeClient({
    baseUrl: context.baseUrl,
    tokens: fixedToken(tokens.accessToken, tokens.tokenType),
    key,
    clock,
  });
  return {
    owner,
    client,
    key,
    tokens,
    nodeId: key.thumbprint,
    state: undefined,
    setback: undefined,
    ended: undefined,
  };
}

export function registerDevice({
  client,
  nodeId,
}: Pick<SimulatedDevice, 'client' | 'nodeId'>): Promise<unknown> {
  return unwrap(
    client.api.PUT('/me/devices/{node_id}', { params: { path: { node_id: nodeId } }, body: FORM }),
  );
}

export function beat({
  client,
  nodeId,
}: Pick<SimulatedDevice, 'client' | 'nodeId'>): Promise<unknown> {
  return unwrap(
    client.api.POST('/me/devices/{node_id}/heartbeat', { params: { path: { node_id: nodeId } } }),
  );
}

/** Connects until the signal aborts or the device is disconnected by its owner. */
export function connectDevice(device: SimulatedDevice, signal: AbortSignal): void {
  const { client, nodeId } = device;
  const connection = createDeviceConnection({
    client,
    nodeId,
    openSocket,
    onState(state) {
      device.state = state;
      if (state.status === 'waiting' || state.status === 'ended') device.setback = state;
      else if (state.status === 'online') device.setback = undefined;
    },
  });
  device.ended = connection.run(signal);
}
