/** A simulation: devices connect, some clients misbehave, and the outcomes are counted. */
import { setTimeout as wait } from 'node:timers/promises';
import { delay, toMinorUnits, unwrap } from '@edge-account/sdk';
import { CommandError } from '../command-error.ts';
import { connectDevice, createDevice, registerDevice, type SimulatedDevice } from './device.ts';
import { MISUSES } from './misbehaving-clients.ts';
import { accepted, type Outcome, type OutcomeCounter, outcomeOf } from './outcome-counter.ts';
import type { Person, SimulationContext } from './simulation-context.ts';
import { startSlowReader } from './slow-reader.ts';
import { Relay } from './traffic-relay.ts';

const ROUND_MS = 5000;
const ONLINE_TIMEOUT_MS = 30_000;
const GIGABYTE_SCALE = 9;
/** After the answer to the disconnection. */
const CLOSED_WITHIN_MS = 1000;
const TRAFFIC_SHOWN = 'owner: traffic shown';

export interface Plan {
  readonly baseUrl: string;
  readonly operatorFile: string;
  readonly devices: number;
  /** How long the devices stay connected after all of them are. */
  readonly minutes: number;
  /** New devices a second. */
  readonly rate: number;
}

export interface Simulation {
  readonly context: SimulationContext;
  readonly plan: Plan;
  readonly outcomes: OutcomeCounter;
  readonly signal: AbortSignal;
}

/** Registers the devices at a bounded rate, and connects them. */
async function connectFleet({
  context,
  plan,
  outcomes,
  signal,
}: Simulation): Promise<SimulatedDevice[]> {
  const fleet: SimulatedDevice[] = [];
  const startedAt_ms = performance.now();
  for (let i = 0; i < plan.devices; i++) {
    signal.throwIfAborted();
    const owner = context.people[i % context.people.length];
    if (!owner) throw new CommandError('a simulation needs people');
    const device = await outcomes.expectOk('device: sign-in', () => createDevice(context, owner));
    if (!device) continue;
    await outcomes.expectOk('device: registration', () => registerDevice(device));
    connectDevice(device, signal);
    fleet.push(device);
    if (fleet.length % 100 === 0) console.log(`${fleet.length} devices registered`);
    await delay(
      Math.max(0, startedAt_ms + ((i + 1) * 1000) / plan.rate - performance.now()),
      signal,
    );
  }
  return fleet;
}

const isOnline = (device: SimulatedDevice): boolean => device.state?.status === 'online';

/** True for a device that does not try again for so long: it has to wait, or has ended. */
function isOutFor({ setback }: SimulatedDevice, ms: number): boolean {
  return setback !== undefined && (setback.status === 'ended' || setback.wait_ms >= ms);
}

/** Why a device is not online: the answer of the service, if there was one. */
function absenceOf({ setback }: SimulatedDevice): Outcome {
  if (setback?.status === 'waiting' && setback.refusal) return outcomeOf(setback.refusal);
  return { kind: 'failed', words: setback?.reason ?? 'not connected in time' };
}

/** Counts the devices that are online, and the others by cause. */
function countOnline(
  what: string,
  fleet: readonly SimulatedDevice[],
  outcomes: OutcomeCounter,
): void {
  for (const device of fleet) {
    if (isOnline(device)) outcomes.count(what, accepted(), true);
    else outcomes.count(what, absenceOf(device), false);
  }
}

async function waitUntilOnline(
  { outcomes, signal }: Simulation,
  fleet: readonly SimulatedDevice[],
): Promise<void> {
  const deadline_ms = performance.now() + ONLINE_TIMEOUT_MS;
  while (
    !fleet.every((device) => isOnline(device) || isOutFor(device, ONLINE_TIMEOUT_MS)) &&
    performance.now() < deadline_ms
  )
    await delay(100, signal);
  signal.throwIfAborted();
  countOnline('device: online', fleet, outcomes);
}

async function misbehave(
  { context, outcomes, signal }: Simulation,
  relay: Relay,
  fleet: readonly SimulatedDevice[],
): Promise<void> {
  for (const [i, misuse] of MISUSES.entries()) {
    signal.throwIfAborted();
    const victim = fleet[i % fleet.length];
    if (victim)
      await outcomes.guard('misuse: could not misbehave', () => misuse(context, victim, outcomes));
  }
  signal.throwIfAborted();
  if (fleet[0]) await relay.misreport(fleet[0]);
}

/**
 * An owner disconnects a device: its connection must end within a second after the answer, and stay
 * closed.
 */
async function disconnectOne(
  { outcomes }: Simulation,
  fleet: readonly SimulatedDevice[],
): Promise<void> {
  const device = fleet.findLast(isOnline);
  if (!device) return;
  await unwrap(
    device.owner.client.api.POST('/me/devices/{node_id}/disconnect', {
      params: { path: { node_id: device.nodeId } },
    }),
  );
  const end = await Promise.race([device.ended, wait(CLOSED_WITHIN_MS, undefined)]);
  const isClosed = end?.status === 'ended';
  const words = isClosed ? `closed within a second, "${end.reason}"` : 'not closed within a second';
  const outcome: Outcome = isClosed ? accepted(words) : { kind: 'failed', words };
  outcomes.count('device: cut off by its owner', outcome, isClosed);
  await outcomes.expectRefusal('device: back with its old token', () => registerDevice(device));
}

/** The owner must read the traffic that the service accepted from the relay. */
async function compareTraffic(
  { client }: Person,
  relay: Relay,
  outcomes: OutcomeCounter,
): Promise<void> {
  const { devices } = await unwrap(client.api.GET('/me/devices'));
  for (const { node_id, traffic_gb } of devices) {
    const isSame = toMinorUnits(traffic_gb, GIGABYTE_SCALE) === (relay.accepted.get(node_id) ?? 0n);
    outcomes.count(
      TRAFFIC_SHOWN,
      isSame
        ? accepted('as reported, to the byte')
        : { kind: 'failed', words: 'not what was reported' },
      isSame,
    );
  }
}

/** Connected devices must stay online: each round counts them, and the relay reports. */
async function holdConnections(
  { plan, outcomes, signal }: Simulation,
  relay: Relay,
  fleet: readonly SimulatedDevice[],
): Promise<void> {
  const endsAt_ms = performance.now() + plan.minutes * 60_000;
  const joined = fleet.filter(isOnline);
  while (performance.now() < endsAt_ms) {
    await delay(Math.min(ROUND_MS, Math.max(1, endsAt_ms - performance.now())), signal);
    signal.throwIfAborted();
    countOnline('device: stays online, round by round', joined, outcomes);
    await relay.report(fleet);
    const left_s = Math.max(0, Math.ceil((endsAt_ms - performance.now()) / 1000));
    console.log(`${fleet.filter(isOnline).length} of ${fleet.length} online, ${left_s} s to go`);
  }
}

/** Runs the simulation to its end; failures are counted. */
export async function runNetwork(simulation: Simulation): Promise<void> {
  const { context, outcomes } = simulation;
  const fleet = await connectFleet(simulation);
  await waitUntilOnline(simulation, fleet);
  const [victim] = fleet;
  const reader =
    victim && (await outcomes.guard('misuse: never reads', () => startSlowReader(context, victim)));
  const relay = new Relay(context, outcomes);
  await misbehave(simulation, relay, fleet);
  await holdConnections(simulation, relay, fleet);
  countOnline('device: still online at the end', fleet, outcomes);
  if (reader) await outcomes.guard('misuse: never reads', () => reader.finish(outcomes));
  await outcomes.guard('device: cut off by its owner', () => disconnectOne(simulation, fleet));
  for (const person of context.people)
    await outcomes.guard(TRAFFIC_SHOWN, () => compareTraffic(person, relay, outcomes));
}
