/** Reward types with a colour of their own, in the order of `data-color` in the style sheet. */
export const COLORED: readonly string[] = [
  'UPTIME',
  'TRAFFIC',
  'REFERRAL',
  'BONUS',
  'TASK',
  'PENALTY',
];

/** Built-in types that share the last colour with the types of operators. */
export const SHARING_LAST: readonly string[] = ['ADJUSTMENT'];

export function colorOf(rewardType: string): number {
  const at = COLORED.indexOf(rewardType);
  return at < 0 ? COLORED.length : at;
}
