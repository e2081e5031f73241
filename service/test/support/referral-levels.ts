/** Fixtures name no number of referral levels: tests include a level that is added. */
import { REFERRAL_LEVELS } from '../../src/rewards/index.ts';

/** Every referral level that rules may pay. */
export const LEVELS: readonly number[] = Array.from({ length: REFERRAL_LEVELS }, (_, n) => n + 1);
