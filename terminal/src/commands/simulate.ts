/**
 * `edge-terminal simulate`: a network of real clients against a service, some of them misbehaving,
 * and the outcomes. Exit code 1 when an outcome is unexpected; after a signal 128 and its number.
 */
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CommandError } from '../command-error.ts';
import { readServiceUrl } from '../open-terminal.ts';
import { createOutcomeCounter, type OutcomeCounter } from '../simulate/outcome-counter.ts';
import { type Plan, runNetwork } from '../simulate/run-network.ts';
import { openSimulation } from '../simulate/simulation-context.ts';

const DEVICES_PER_PERSON = 100;
const PEOPLE_MAX = 20;
/** To remove the simulator's application. */
const CLOSE_TIMEOUT_MS = 5000;
const EXIT_AFTER_MS = 200;
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

/** Resolves with the signal that stopped the work, without waiting for it, or at its end. */
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

function conclude(outcomes: OutcomeCounter, stoppedBy: 'SIGINT' | 'SIGTERM' | undefined): number {
  console.log(`\n${outcomes.lines().join('\n')}\n`);
  const surprises = outcomes.surprises();
  const until = stoppedBy ? 'Stopped early; so far all outcomes' : 'All outcomes';
  console.log(
    surprises === 0 ? `${until} are as expected.` : `${surprises} outcomes (!) are unexpected.`,
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
    `${plan.devices} devices of ${peopleCount} people against ${plan.baseUrl} ` +
      `for ${plan.minutes} min, ${plan.rate} new ones a second`,
  );
  const outcomes = createOutcomeCounter();
  const context = await openSimulation(plan.baseUrl, plan.operatorFile, peopleCount);
  const stoppedBy = await runUntilStopped((signal) =>
    runNetwork({ context, plan, outcomes, signal }),
  );
  const exitCode = conclude(outcomes, stoppedBy);
  const isTidy = await Promise.race([
    context.close().then(() => true),
    wait(CLOSE_TIMEOUT_MS, false),
  ]).catch(() => false);
  if (!isTidy)
    console.log(
      `The simulator's application ${context.application.clientId} could not be removed from the ` +
        'service.',
    );
  process.exitCode = exitCode;
  // Work that was stopped may wait for an answer that never comes. Not at once: an exit while V8
  // compiles can wait for ever (nodejs/node#54918).
  process.stdout.write('', () => setTimeout(() => process.exit(), EXIT_AFTER_MS).unref());
}
