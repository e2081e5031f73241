/** A client that sends and never reads: it must be disconnected after two heartbeat intervals. */
import { setTimeout as wait } from 'node:timers/promises';
import { EdgeError } from '@edge-account/sdk';
import type { SimulatedDevice } from './device.ts';
import { accepted, type OutcomeCounter } from './outcome-counter.ts';
import { openRawConnection, refusedBy } from './raw-connection.ts';
import type { SimulationContext } from './simulation-context.ts';

const BEAT_EVERY_MS = 5000;
const LINGER_MS = 2000;
const WHAT = 'misuse: never reads';

export interface SlowReader {
  /** Reads, and counts how the connection ended. */
  finish(outcomes: OutcomeCounter): Promise<void>;
}

export async function startSlowReader(
  context: SimulationContext,
  victim: SimulatedDevice,
): Promise<SlowReader> {
  const own = await openRawConnection(context, victim.owner);
  if (own instanceof EdgeError)
    return { finish: async (outcomes) => outcomes.count(WHAT, refusedBy(own), false) };
  const { socket, closed, remove } = own;
  const { heartbeat_interval: interval_s } = JSON.parse(own.welcome.toString()) as {
    heartbeat_interval: number;
  };
  const mustEndAt_ms = performance.now() + 2 * interval_s * 1000;
  socket.pause();
  const beating = setInterval(() => socket.send('{"type":"beat"}', () => {}), BEAT_EVERY_MS);
  return {
    async finish(outcomes) {
      clearInterval(beating);
      const isDue = performance.now() > mustEndAt_ms;
      socket.resume();
      const closing = await Promise.race([closed, wait(LINGER_MS, undefined)]);
      if (closing)
        outcomes.count(WHAT, refusedBy(closing), closing.code === 4408 || closing.code === 1006);
      else
        outcomes.count(
          WHAT,
          accepted(`still connected; it is disconnected after ${2 * interval_s} s`),
          !isDue,
        );
      socket.terminate();
      await remove();
    },
  };
}
