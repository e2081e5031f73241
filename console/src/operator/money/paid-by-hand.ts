/** Built-in reward types that the form offers: those that no rule pays. */
export const PAID_BY_HAND: readonly string[] = ['BONUS', 'TASK', 'ADJUSTMENT'];
