/**
 * Preloaded into a process under test: each SIGUSR2 moves its wall clock by CLOCK_JUMP_MS. Timers
 * continue, as on a real machine.
 */
const jump_ms = Number(process.env.CLOCK_JUMP_MS);
const RealDate = Date;
let offset_ms = 0;

class JumpingDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + offset_ms);
    else super(...(args as [number]));
  }
  static override now(): number {
    return RealDate.now() + offset_ms;
  }
}

globalThis.Date = JumpingDate as DateConstructor;
process.on('SIGUSR2', () => {
  offset_ms = offset_ms === 0 ? jump_ms : 0;
  console.log(`the clock says ${new Date().toISOString()}`);
});
