/**
 * `edge-terminal simulate`: a network of real clients against a service, some of them misbehaving, and what came of
 * everything. Exit code 1 when anything was not as it should be; stopped by a signal, 128 and its number.
 */
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bodyOf, delay, toMinorUnits } from '@edge-account/sdk';
import { CommandError } from '../command-error.ts';
import { readServiceUrl } from '../open-terminal.ts';
import {
  connectDevice,
  createDevice,
  registerDevice,
  type SimulatedDevice,
} from '../simulate/device.ts';
import { MISFITS } from '../simulate/misbehaving-clients.ts';
import {
  accepted,
  createTally,
  type Outcome,
  outcomeOf,
  type Tally,
} from '../simulate/outcome-counter.ts';
import { type Lab, openLab, type Person } from '../simulate/simulation-context.ts';
import { startSlowReader } from '../simulate/slow-reader.ts';
import { createRelay, type Relay } from '../simulate/traffic-relay.ts';

const DEVICES_PER_PERSON = 100;
const PEOPLE_MAX = 20;
const ROUND_MS = 5000;
const ONLINE_TIMEOUT_MS = 30_000;
const GIGABYTE_SCALE = 9;
/** For tidying up behind it. */
const CLOSE_TIMEOUT_MS = 5000;
const TRAFFIC_SHOWN = 'owner: traffic shown';

interface Plan {
  readonly baseUrl: string;
  readonly operatorFile: string;
  readonly devices: number;
  readonly minutes: number;
  /** New devices a second. */
  readonly rate: number;
}

function readNumber(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!(value >= minimum && value <= maximum))
    throw new CommandError(`--${name} must be a number from ${minimum} to ${maximum}, not ${text}`);
  return value;
}

function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      service: { type: 'string', default: 'http://localhost:8080' },
      operator: { type: 'string', default: './data/operator.json' },
      devices: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '1' },
      rate: { type: 'string', default: '10' },
    },
  });
  return {
    baseUrl: readServiceUrl(values.service),
    operatorFile: values.operator,
    devices: Math.floor(readNumber('devices', values.devices, 1, 10_000)),
    minutes: readNumber('minutes', values.minutes, 0.1, 1440),
    rate: readNumber('rate', values.rate, 0.1, 200),
  };
}

/** Brings the devices in, at a bounded rate, and connects them. */
async function bringIn(
  lab: Lab,
  plan: Plan,
  tally: Tally,
  signal: AbortSignal,
): Promise<SimulatedDevice[]> {
  const fleet: SimulatedDevice[] = [];
  const startedAt_ms = performance.now();
  for (let i = 0; i < plan.devices; i++) {
    signal.throwIfAborted();
    const owner = lab.people[i % lab.people.length];
    if (!owner) throw new CommandError('a simulation needs people');
    const device = await tally.expectOk('device: sign-in', () => createDevice(lab, owner));
    if (!device) continue;
    await tally.expectOk('device: registration', () => registerDevice(device));
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

/** True for a device that does not try again for so long: the service told it to wait, or it has ended. */
function isOutFor({ setback }: SimulatedDevice, ms: number): boolean {
  return setback !== undefined && (setback.status === 'ended' || setback.wait_ms >= ms);
}

/** Why a device is not online: what the service answered, where it did. */
function absenceOf({ setback }: SimulatedDevice): Outcome {
  if (setback?.status === 'waiting' && setback.refusal) return outcomeOf(setback.refusal);
  return { kind: 'failed', words: setback?.reason ?? 'not connected in time' };
}

/** Counts who is online, and who is not, by why. */
function countOnline(what: string, fleet: readonly SimulatedDevice[], tally: Tally): void {
  for (const device of fleet) {
    if (isOnline(device)) tally.count(what, accepted(), true);
    else tally.count(what, absenceOf(device), false);
  }
}

async function waitUntilOnline(
  fleet: readonly SimulatedDevice[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const deadline_ms = performance.now() + ONLINE_TIMEOUT_MS;
  while (
    !fleet.every((device) => isOnline(device) || isOutFor(device, ONLINE_TIMEOUT_MS)) &&
    performance.now() < deadline_ms
  )
    await delay(100, signal);
  signal.throwIfAborted();
  countOnline('device: online', fleet, tally);
}

async function misbehave(
  lab: Lab,
  relay: Relay,
  fleet: readonly SimulatedDevice[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  for (const [i, misfit] of MISFITS.entries()) {
    signal.throwIfAborted();
    const victim = fleet[i % fleet.length];
    if (victim) await tally.guard('misfit: could not misbehave', () => misfit(lab, victim, tally));
  }
  signal.throwIfAborted();
  if (fleet[0]) await relay.misreport(fleet[0]);
}

/** A person disconnects one device: it must hear of it within a second, and stay away. */
async function cutOne(fleet: readonly SimulatedDevice[], tally: Tally): Promise<void> {
  const device = fleet.findLast(isOnline);
  if (!device) return;
  const startedAt_ms = performance.now();
  await bodyOf(
    device.owner.client.api.POST('/me/devices/{node_id}/disconnect', {
      params: { path: { node_id: device.nodeId } },
    }),
  );
  const end = await Promise.race([device.ended, wait(5000, undefined)]);
  const isCut = end?.status === 'ended' && performance.now() - startedAt_ms < 1000;
  const words = isCut ? `closed within a second, "${end.reason}"` : 'not closed within a second';
  tally.count(
    'device: cut off by its owner',
    isCut ? accepted(words) : { kind: 'failed', words },
    isCut,
  );
  await tally.expectRefusal('device: back with its old token', () => registerDevice(device));
}

/** What the owners see must be what the relay was told was accepted. */
async function compareTraffic({ client }: Person, relay: Relay, tally: Tally): Promise<void> {
  const { devices } = await bodyOf(client.api.GET('/me/devices'));
  for (const { node_id, traffic_gb } of devices) {
    const isSame = toMinorUnits(traffic_gb, GIGABYTE_SCALE) === (relay.accepted.get(node_id) ?? 0n);
    tally.count(
      TRAFFIC_SHOWN,
      isSame
        ? accepted('as reported, to the byte')
        : { kind: 'failed', words: 'not what was reported' },
      isSame,
    );
  }
}

/** Whoever was let in must stay in: in every round it counts who is there, and has the relay report. */
async function holdOn(
  fleet: readonly SimulatedDevice[],
  relay: Relay,
  endsAt_ms: number,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const joined = fleet.filter(isOnline);
  while (performance.now() < endsAt_ms) {
    await delay(Math.min(ROUND_MS, Math.max(1, endsAt_ms - performance.now())), signal);
    signal.throwIfAborted();
    countOnline('device: stays online, round by round', joined, tally);
    await relay.report(fleet);
    console.log(
      `${fleet.filter(isOnline).length} of ${fleet.length} online, ${Math.max(0, Math.ceil((endsAt_ms - performance.now()) / 1000))} s to go`,
    );
  }
}

/** Runs it to the end whatever becomes of the service: what fails is counted. */
async function runNetwork(lab: Lab, plan: Plan, tally: Tally, signal: AbortSignal): Promise<void> {
  const endsAt_ms = performance.now() + plan.minutes * 60_000;
  const fleet = await bringIn(lab, plan, tally, signal);
  await waitUntilOnline(fleet, tally, signal);
  const [victim] = fleet;
  const reader =
    victim && (await tally.guard('misfit: never reads', () => startSlowReader(lab, victim)));
  const relay = createRelay(lab, tally);
  await misbehave(lab, relay, fleet, tally, signal);
  await holdOn(fleet, relay, endsAt_ms, tally, signal);
  countOnline('device: still online at the end', fleet, tally);
  if (reader) await tally.guard('misfit: never reads', () => reader.finish(tally));
  await tally.guard('device: cut off by its owner', () => cutOne(fleet, tally));
  for (const person of lab.people)
    await tally.guard(TRAFFIC_SHOWN, () => compareTraffic(person, relay, tally));
}

/** Resolves with the signal that stopped the work, or with nothing at its end. What it was about is dropped then, and not waited for. */
async function runUntilStopped(
  work: (signal: AbortSignal) => Promise<void>,
): Promise<'SIGINT' | 'SIGTERM' | undefined> {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<'SIGINT' | 'SIGTERM'>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stopped.resolve(name);
      stop.abort();
    });
  }
  try {
    return await Promise.race([stopped.promise, work(stop.signal).then(() => undefined)]);
  } finally {
    stop.abort();
  }
}

function conclude(tally: Tally, stoppedBy: 'SIGINT' | 'SIGTERM' | undefined): number {
  console.log(`\n${tally.lines().join('\n')}\n`);
  const surprises = tally.surprises();
  const until = stoppedBy ? 'Stopped before its time; so far everything' : 'Everything';
  console.log(
    surprises === 0
      ? `${until} was as it should be.`
      : `${surprises} outcomes (!) were not as they should be.`,
  );
  if (stoppedBy) return 128 + constants.signals[stoppedBy];
  return surprises === 0 ? 0 : 1;
}

export async function run(args: string[]): Promise<void> {
  const plan = readPlan(args);
  const peopleCount = Math.min(
    PEOPLE_MAX,
    Math.max(2, Math.ceil(plan.devices / DEVICES_PER_PERSON)),
  );
  console.log(
    `${plan.devices} devices of ${peopleCount} people against ${plan.baseUrl} for ${plan.minutes} min, ${plan.rate} new ones a second`,
  );
  const tally = createTally();
  const lab = await openLab(plan.baseUrl, plan.operatorFile, peopleCount);
  const stoppedBy = await runUntilStopped((signal) => runNetwork(lab, plan, tally, signal));
  const exitCode = conclude(tally, stoppedBy);
  const isTidy = await Promise.race([
    lab.close().then(() => true),
    wait(CLOSE_TIMEOUT_MS, false),
  ]).catch(() => false);
  if (!isTidy)
    console.log(
      `The simulator's application ${lab.application.clientId} could not be removed from the service.`,
    );
  // What was dropped may wait for an answer that never comes.
  process.stdout.write('', () => process.exit(exitCode));
}
