/** Bills of a day: one for each user, UTC day, reward type and device (ADR 0126). */

/** The idempotency key of the posting of a bill leads from it to its lines. */
export interface DayBillName {
  readonly paymentId: number;
  /** The UTC day in which its lines were earned. */
  readonly day: string;
  readonly userId: number;
  readonly rewardType: string;
  /** 0: a referral reward. */
  readonly deviceId: number;
}

export function dayBillKey(name: DayBillName): string {
  const { paymentId, day, userId, rewardType, deviceId } = name;
  return `reward-day:${paymentId}:${day}:${userId}:${rewardType}:${deviceId}`;
}

/** The UTC day of a line. */
export const daySql = (line: string): string =>
  `to_char(${line}.hour at time zone 'UTC', 'YYYY-MM-DD')`;

/** `dayBillKey` in SQL. @param payment an expression: the payment of the line's settlement */
export const dayBillKeySql = (line: string, payment: string): string =>
  `'reward-day:' || ${payment} || ':' || ${daySql(line)} || ':' || ${line}.user_id || ':'
      || ${line}.reward_type || ':' || coalesce(${line}.device_id, 0)`;

/** Undefined when the key is not of a bill of a day. */
export function parseDayBillKey(idempotencyKey: string): DayBillName | undefined {
  const match =
    /^reward-day:(\d{1,15}):(\d{4}-\d\d-\d\d):(\d{1,18}):([A-Z_]{1,64}):(\d{1,18})$/.exec(
      idempotencyKey,
    );
  if (!match) return undefined;
  const [, paymentId, day = '', userId, rewardType = '', deviceId] = match;
  return {
    paymentId: Number(paymentId),
    day,
    userId: Number(userId),
    rewardType,
    deviceId: Number(deviceId),
  };
}
