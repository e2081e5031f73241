/** The service's page envelope. */
export interface PageOf<T> {
  readonly records: readonly T[];
  readonly total: number;
}

/** Records per page: the most that the service returns. */
export const PAGE_SIZE = 20;
